// What --help prints.
#pragma once

#include <string>
#include <string_view>

#include "cli/layout.hpp"

namespace doorbell::cli {

/// The help that CLI11 has made, whose lines are as long as their sentences, broken as other prose is: descriptions go
/// on below where they begin.
[[nodiscard]] std::string help_text(std::string_view made, Layout layout);

}  // namespace doorbell::cli
