// Where measurements are that are not part of Doorbell.
#pragma once

#include <filesystem>
#include <optional>

namespace doorbell::cli {

/// The folder where --data does not name one, if any. Chosen when Doorbell is built.
[[nodiscard]] inline std::optional<std::filesystem::path> default_external_data() {
  constexpr const char* folder = DOORBELL_EXTERNAL_DATA;
  if (*folder == '\0') return std::nullopt;
  return folder;
}

}  // namespace doorbell::cli
