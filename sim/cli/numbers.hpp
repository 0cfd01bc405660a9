// Whole numbers on the command line, and what they may be.
#pragma once

#include <algorithm>
#include <cstdint>
#include <thread>
#include <vector>

#include "scenario/load.hpp"

namespace CLI {
class Validator;
}

namespace doorbell::cli {

inline constexpr std::int64_t most_jobs = 1024;
inline constexpr std::int64_t last_point = 1'000'000'000;  ///< Far beyond any sweep.

/// For the check() of an option; a complaint says what was expected and what was found.
[[nodiscard]] CLI::Validator whole_number(std::int64_t least, std::int64_t most);

/// What --jobs means: 0 is as many as there are cores, and 1 where their number is not known.
[[nodiscard]] inline int jobs_or_cores(int jobs) {
  return jobs > 0 ? jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// What --point means. Throws UsageError when the sweep has no such point.
[[nodiscard]] scenario::Point chosen_point(std::vector<scenario::Point> points, std::size_t number);

}  // namespace doorbell::cli
