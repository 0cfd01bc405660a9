#include "tools/output_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <map>
#include <string_view>

#include "tools/output_error.hpp"

namespace doorbell::tools {

std::string read_output(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw OutputError{fmt::format("{}: expected a file, found a folder", file.string())};
  }
  std::ifstream input{file};
  if (!input) throw OutputError{fmt::format("{}: cannot be read", file.string())};
  std::string text{std::istreambuf_iterator<char>{input}, {}};
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

void require_different(const std::vector<std::filesystem::path>& files) {
  std::map<std::filesystem::path, std::filesystem::path> given;  // by what they are in truth
  for (const std::filesystem::path& file : files) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(file, error);
    if (error) continue;  // Reading it says more.
    const auto [first, is_new] = given.emplace(real, file);
    if (is_new) continue;
    throw OutputError{fmt::format("{}: expected another file, found {} again", file.string(), first->second.string())};
  }
}

}  // namespace doorbell::tools
