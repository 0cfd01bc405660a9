// Where measurements are that are not part of Doorbell.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace doorbell::cli {

/// The folder where --data does not name one, if any. Chosen when Doorbell is built.
[[nodiscard]] inline std::optional<std::filesystem::path> default_external_data() {
  const std::string_view folder{DOORBELL_EXTERNAL_DATA};
  return folder.empty() ? std::nullopt : std::optional<std::filesystem::path>{folder};
}

}  // namespace doorbell::cli
