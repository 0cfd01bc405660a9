#include "tools/output_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>

#include "scenario/words.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {
namespace {

/// A crash may leave zeros in a file, and some shells write UTF-16. What is no text would get into messages and names.
void require_text(std::string_view text, const std::filesystem::path& file) {
  const std::size_t zero = text.find('\0');
  const std::size_t wrong = std::min(zero, scenario::broken_character(text));
  if (wrong == std::string_view::npos) return;
  const std::string_view before = text.substr(0, wrong);
  const std::size_t begin = before.rfind('\n') + 1;  // 0 on the first line
  throw OutputError{
      {{std::make_shared<const std::string>(file.string()), static_cast<int>(std::ranges::count(before, '\n')) + 1,
        scenario::column_of(text.substr(wrong), text.substr(begin))},
       std::string{}},
      "text in UTF-8 or ASCII",
      wrong == zero ? "a NUL character" : "another byte",
      scenario::ErrorCode::encoding};
}

}  // namespace

std::string read_output(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw OutputError{file, 1, std::string{}, "a file", "a folder", scenario::ErrorCode::not_a_file};
  }
  std::ifstream input{file};
  if (!input) {
    const bool is_there = std::filesystem::exists(file, ignored);
    throw OutputError{file,
                      1,
                      std::string{},
                      is_there ? "a file that can be read" : "a file that exists",
                      scenario::in_quotes(file.string()),
                      is_there ? scenario::ErrorCode::not_a_file : scenario::ErrorCode::file_not_found};
  }
  std::string text{std::istreambuf_iterator<char>{input}, {}};
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  require_text(text, file);
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
    throw OutputError{
        file, 1, std::string{}, "another file", first->second.string() + " again", scenario::ErrorCode::given_twice};
  }
}

}  // namespace doorbell::tools
