// What a JSON file is about: a scenario, or something else that was named in its place.
#pragma once

#include <filesystem>
#include <string_view>

#include "scenario/location.hpp"

namespace doorbell::scenario {

enum class FileKind {
  scenario,  ///< Or nothing that is known.
  hardware,
  storage_server,
  client_node,
  dma_machine,
  nvme_drive,
  software,
  figure,
  calibration,
  results,
};

[[nodiscard]] constexpr bool is_profile(FileKind kind) {
  return kind >= FileKind::hardware && kind <= FileKind::software;
}

/// "a hardware profile".
[[nodiscard]] std::string_view name_of(FileKind kind);

/// By its $schema, its parts, or else the file that it extends. `from` is where its name was written, for the message
/// when it cannot be read. Throws ScenarioError when it is no JSON.
[[nodiscard]] FileKind file_kind(const std::filesystem::path& file, const Location& from);

}  // namespace doorbell::scenario
