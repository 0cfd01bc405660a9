// How wide what people read may be.
#pragma once

#include <cstddef>
#include <limits>

namespace doorbell::cli {

/// Wider sentences would be hard to read, whatever the terminal.
inline constexpr std::size_t widest_prose = 80;

struct Layout {
  std::size_t prose = widest_prose;                              ///< Sentences are broken before this column.
  std::size_t tables = std::numeric_limits<std::size_t>::max();  ///< Rows of tables are cut there.
};

/// For what goes to standard output: as wide as the terminal; where it is no terminal, nothing is cut.
[[nodiscard]] Layout layout_of_standard_output();

}  // namespace doorbell::cli
