#include "cli/layout.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>

namespace doorbell::cli {
namespace {

/// 0: nobody knows. The variable is how a user overrules what the terminal says.
std::size_t columns_of_terminal() {
  std::size_t columns = 0;
  if (const char* set = std::getenv("COLUMNS")) std::from_chars(set, set + std::strlen(set), columns);
  if (columns > 0) return columns;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

Layout layout_of_standard_output() {
  if (::isatty(STDOUT_FILENO) == 0) return {};
  const std::size_t columns = columns_of_terminal();
  if (columns == 0) return {};
  constexpr std::size_t narrowest = 20;  // less is for no words
  const std::size_t usable = std::max(columns, narrowest);
  return {.prose = std::min(usable, widest_prose), .tables = usable};
}

}  // namespace doorbell::cli
