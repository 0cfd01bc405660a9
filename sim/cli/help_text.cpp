#include "cli/help_text.hpp"

#include <algorithm>

#include "cli/text.hpp"

namespace doorbell::cli {

std::string help_text(std::string_view made, Layout layout) {
  constexpr std::size_t descriptions = 30;  // the column in which CLI11 begins them
  constexpr std::size_t readable = 20;      // a narrower column would hold single words
  const std::size_t column = layout.prose >= descriptions + readable ? descriptions : 4;
  std::string text;
  while (!made.empty()) {
    const std::size_t end = std::min(made.find('\n'), made.size());
    const std::string_view line = made.substr(0, end);
    made.remove_prefix(std::min(end + 1, made.size()));
    text += wrapped(line, line.starts_with(' ') ? column : 2, layout);
  }
  return text;
}

}  // namespace doorbell::cli
