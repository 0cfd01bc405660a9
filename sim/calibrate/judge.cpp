#include "calibrate/judge.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace doorbell::calibrate {
namespace {

bool is_pinned(const Unknown& unknown) {
  return !unknown.values.empty() &&
         std::ranges::all_of(unknown.values, [&](double value) { return value == unknown.values.front(); });
}

std::string sources_of(const Stage& stage) {
  std::set<std::string> figures;
  for (const Observation& observation : stage.observations) figures.insert(observation.figure->id);
  return fmt::format("{}", fmt::join(figures, ", "));
}

/// A search that stops this near to an end of its range has stopped at it.
constexpr double near_end = 0.001;

bool agrees(const Found& found) {
  if (found.basis == Basis::nothing) return false;
  const double distance = std::abs(found.found - found.expected);
  // The points wanted more. Only a profile that says the same says what they say.
  if (found.at_end) return distance <= 2 * near_end * std::abs(found.found);
  if (found.factor() && found.expected > 0) {
    return std::abs(std::log(found.expected / found.found)) <= found.relative_width();
  }
  return distance <= std::max(found.half_width, 0.05 * std::abs(found.found));
}

}  // namespace

double Found::relative_width() const { return found == 0 ? 0 : half_width / std::abs(found); }

std::optional<double> Found::factor() const {
  const double relative = relative_width();
  return relative > 1 && !is_listed ? std::optional{std::exp(relative)} : std::nullopt;
}

Found judged(const Stage& stage, const Unknown& unknown, const Interval& interval, const Machine& machine,
             const Machine& shipped) {
  Found found{.stage = stage.name,
              .pointer = unknown.pointer,
              .value = text(machine, unknown.pointer),
              .shipped = text(shipped, unknown.pointer),
              .sources = sources_of(stage),
              .found = *get(machine, unknown.pointer),
              .open = interval.open,
              .half_width = interval.half_width,
              .is_listed = !unknown.values.empty(),
              .expected = *get(shipped, unknown.pointer)};
  for (const std::size_t other : interval.with) found.with.push_back(stage.unknowns[other].pointer);
  constexpr double tells_nothing = 1000;
  if (is_pinned(unknown)) {
    found.basis = Basis::plan;
    found.half_width = 0;
    found.open = Open::no;
  } else if (std::isinf(interval.half_width)) {
    found.basis = Basis::nothing;
  } else if (found.factor().value_or(1) > tells_nothing) {
    found.basis = Basis::nothing;
    found.half_width = std::numeric_limits<double>::infinity();
    found.open = Open::scatter;
  }
  found.at_end =
      !found.is_listed && (found.found <= (1 + near_end) * unknown.min || found.found >= (1 - near_end) * unknown.max);
  found.agrees = agrees(found);
  return found;
}

}  // namespace doorbell::calibrate
