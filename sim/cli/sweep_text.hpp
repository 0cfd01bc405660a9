// The results of a sweep for people.
#pragma once

#include <string>

#include "cli/layout.hpp"
#include "cli/run_points.hpp"

namespace doorbell::cli {

/// A row for each point, what the table has no columns for, and what each kind of operations gets where there are
/// several.
[[nodiscard]] std::string sweep_text(const Report& report, Layout layout);

/// Whether the sweep is told in MiB/s; otherwise in operations per second.
[[nodiscard]] bool moves_blocks(const Report& report);

/// "threads 6, window 2 MiB".
[[nodiscard]] std::string coordinates_of(const Report& report, std::size_t point);

}  // namespace doorbell::cli
