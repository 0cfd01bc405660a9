#include "cli/numbers.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <charconv>
#include <utility>

#include "cli/session.hpp"

namespace doorbell::cli {

CLI::Validator whole_number(std::int64_t least, std::int64_t most) {
  const auto complaint = [=](const std::string& text) -> std::string {
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = error == std::errc{} && end == text.data() + text.size();
    if (whole && number >= least && number <= most) return {};
    return fmt::format("expected a whole number from {} to {}, found {}", least, most, scenario::in_quotes(text));
  };
  return CLI::Validator{complaint, {}};
}

scenario::Point chosen_point(std::vector<scenario::Point> points, std::size_t number) {
  if (number >= points.size()) {
    const std::string there = points.size() == 1 ? "only point 0" : fmt::format("points 0 to {}", points.size() - 1);
    throw UsageError{scenario::ErrorCode::not_there, fmt::format("--point {}: the scenario has {}", number, there)};
  }
  return std::move(points[number]);
}

}  // namespace doorbell::cli
