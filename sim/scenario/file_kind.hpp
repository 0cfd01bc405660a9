// What a JSON file is about: a scenario, or something else that was named in its place.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

#include "scenario/location.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

enum class FileKind {
  scenario,  ///< Or nothing that is known.
  hardware,
  storage_server,
  client_node,
  dma_machine,
  nvme_drive,
  software,
  fabric,
  figure,
  calibration,
  results,
  targets,
};

[[nodiscard]] constexpr bool is_profile(FileKind kind) {
  return kind >= FileKind::hardware && kind <= FileKind::fabric;
}

/// "a hardware profile".
[[nodiscard]] std::string_view name_of(FileKind kind);

/// By its $schema, its parts, or else the file that it extends. `from` is where its name was written, for the message
/// when it cannot be read. Throws ScenarioError when it is no JSON.
[[nodiscard]] FileKind file_kind(const std::filesystem::path& file, const Location& from);

/// By the parts alone; nothing when none of them tells. What `tree` extends must be merged into it already.
[[nodiscard]] std::optional<FileKind> kind_of_parts(const Node& tree);

/// Throws ScenarioError (wrong-file) when `tree`, as it stands in its file, is known to be of another kind than
/// `wanted`, or to be no profile where nothing is wanted in particular. `from`: where the file was named.
void refuse_other_kind(const Node& tree, std::optional<FileKind> wanted, const Location& from,
                       const std::string& pointer);

}  // namespace doorbell::scenario
