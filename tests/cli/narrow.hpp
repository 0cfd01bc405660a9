// What people read fits a narrow terminal.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cli/text.hpp"

namespace doorbell::cli::testing {

inline void expect_narrow(const std::string& text) {
  std::istringstream lines{text};
  for (std::string line; std::getline(lines, line);) EXPECT_LE(width(line), terminal_width) << line;
}

}  // namespace doorbell::cli::testing
