// What people read fits a narrow terminal.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "cli/layout.hpp"
#include "cli/text.hpp"

namespace doorbell::cli::testing {

/// A terminal of so many columns.
inline Layout terminal(std::size_t columns) { return {.prose = std::min(columns, widest_prose), .tables = columns}; }

inline void expect_narrow(const std::string& text, std::size_t columns = widest_prose) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(width(line), columns) << line;
}

}  // namespace doorbell::cli::testing
