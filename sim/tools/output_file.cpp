#include "tools/output_file.hpp"

#include <fmt/format.h>

#include "tools/output_error.hpp"

namespace doorbell::tools {

std::ifstream open_output(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw OutputError{fmt::format("{}: expected a file, found a folder", file.string())};
  }
  std::ifstream input{file};
  if (!input) throw OutputError{fmt::format("{}: cannot be read", file.string())};
  return input;
}

}  // namespace doorbell::tools
