#include "figures/sweep_position.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

struct Quantity {
  double number = 0;
  std::string unit;  ///< Empty for a bare number.
};

std::optional<Quantity> quantity_of(const std::string& value) {
  Quantity quantity;
  const char* const last = value.data() + value.size();
  const auto [end, error] = std::from_chars(value.data(), last, quantity.number);
  if (error != std::errc{} || (end != last && *end != ' ')) return std::nullopt;
  quantity.unit.assign(std::find_if(end, last, [](char c) { return c != ' '; }), last);
  return quantity;
}

[[noreturn]] void refuse_x(const Simulation& simulation, scenario::ErrorCode code, std::string expected,
                           std::string found) {
  const Mention& mention = simulation.mentions.x;
  throw scenario::ScenarioError{
      {code, mention.at, mention.pointer, std::move(expected), std::move(found), std::string{}}};
}

const std::string& value_at(const Coordinates& point, const std::string& path, const Simulation& simulation) {
  const auto axis = std::ranges::find(point, path, &Coordinates::value_type::first);
  if (axis == point.end()) {
    refuse_x(simulation, scenario::ErrorCode::not_swept,
             fmt::format("an axis of the sweep of {}", simulation.scenario.string()), scenario::in_quotes(path));
  }
  return axis->second;
}

}  // namespace

std::vector<Position> swept_positions(const std::vector<Coordinates>& points, const std::string& path,
                                      const Simulation& simulation) {
  std::vector<Position> positions;
  std::vector<std::string> units;
  for (const Coordinates& point : points) {
    const std::string& value = value_at(point, path, simulation);
    const std::optional<Quantity> quantity = quantity_of(value);
    if (!quantity) {
      positions.emplace_back(value);
      continue;
    }
    positions.emplace_back(quantity->number);
    const bool is_new = std::ranges::find(units, quantity->unit) == units.end();
    if (quantity->number != 0 && is_new) units.push_back(quantity->unit);
  }
  if (units.size() > 1) {
    std::ranges::replace(units, std::string{}, std::string{"bare numbers"});
    refuse_x(simulation, scenario::ErrorCode::mixed_units,
             fmt::format("one unit for {} in the sweep of {}", path, simulation.scenario.string()),
             fmt::format("{}", fmt::join(units, " and ")));
  }
  return positions;
}

bool same(const Position& a, const Position& b) {
  if (a.index() != b.index()) return false;
  const auto* number = std::get_if<double>(&a);
  return number ? std::abs(*number - std::get<double>(b)) <= 1e-9 * std::abs(*number) : a == b;
}

bool stands_at(const Coordinates& point, const Coordinates& at) {
  return std::ranges::all_of(
      at, [&](const auto& coordinate) { return std::ranges::find(point, coordinate) != point.end(); });
}

std::string nearest_position(const Position& x, const std::vector<Position>& there) {
  std::vector<std::string> names;
  const double* closest = nullptr;
  for (const Position& other : there) {
    const auto* number = std::get_if<double>(&other);
    const auto* wanted = std::get_if<double>(&x);
    if (number == nullptr) names.push_back(to_string(other));
    if (number == nullptr || wanted == nullptr) continue;
    if (closest == nullptr || std::abs(*number - *wanted) < std::abs(*closest - *wanted)) closest = number;
  }
  return closest != nullptr ? fmt::format("{}", *closest) : scenario::nearest(to_string(x), names);
}

std::optional<std::vector<Position>> positions_of(const Simulation& simulation,
                                                  const std::vector<Coordinates>& points) {
  if (const auto* sweep = std::get_if<FromSweep>(&simulation.x))
    return swept_positions(points, sweep->path, simulation);
  const auto* fixed = std::get_if<Fixed>(&simulation.x);
  if (fixed == nullptr) return std::nullopt;
  if (points.size() != 1 && points.size() != fixed->positions.size()) {
    refuse_x(simulation, scenario::ErrorCode::not_swept,
             fmt::format("a position for each of the {} points of {}", points.size(), simulation.scenario.string()),
             fmt::format("{} positions", fixed->positions.size()));
  }
  return fixed->positions;
}

}  // namespace doorbell::figures
