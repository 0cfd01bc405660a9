// Opening what a tool has printed.
#pragma once

#include <filesystem>
#include <fstream>

namespace doorbell::tools {

/// Throws OutputError when there is no such file, or a folder.
[[nodiscard]] std::ifstream open_output(const std::filesystem::path& file);

}  // namespace doorbell::tools
