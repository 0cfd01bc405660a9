// Reading what a tool has printed.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace doorbell::tools {

/// All of it, without the byte-order mark with which some editors and shells begin a file. Throws OutputError when
/// there is no such file, when it is a folder, and for one with zero bytes, which is no text.
[[nodiscard]] std::string read_output(const std::filesystem::path& file);

/// Throws OutputError where a file is given twice, under whatever names: it would count as a repetition of what it
/// measured, and as one that agrees perfectly.
void require_different(const std::vector<std::filesystem::path>& files);

}  // namespace doorbell::tools
