#include "figures/baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures/document.hpp"
#include "figures/statistics.hpp"

namespace doorbell::figures {
namespace {

double size_of_move(const MovedPoint& point) {
  return point.before == 0 ? INFINITY : std::abs(point.now / point.before - 1);
}

void compare_points(const Baseline::Figure& figure, const FigureResult& result, Comparison& comparison) {
  std::map<Baseline::Key, Baseline::Point> before = figure.points;
  for (const PointResult& point : result.points) {
    const auto found = before.extract({point.series, point.x, point.metric});
    if (found.empty()) {
      ++comparison.added;
      continue;
    }
    const Baseline::Point earlier = found.mapped();
    const double move = std::abs(point.simulated - earlier.simulated);
    if (move == 0) {
      ++comparison.same;
    } else if (move <= std::max(earlier.interval + point.simulated_ci95.value_or(0),
                                least_move * std::abs(earlier.simulated))) {
      ++comparison.within;
    } else {
      comparison.moved.push_back(
          {result.id, point.series, point.x, point.metric, earlier.simulated, point.simulated, point.measured});
    }
  }
  for (const auto& [key, point] : before) {
    comparison.gone.push_back(fmt::format("{} {} at {}", result.id, std::get<0>(key), to_string(std::get<1>(key))));
  }
}

void compare_claims(const Baseline::Figure& figure, const FigureResult& result, Comparison& comparison) {
  for (const auto& [id, held] : figure.claims) {
    const auto now = std::find_if(result.claims.begin(), result.claims.end(),
                                  [&id = id](const ClaimResult& claim) { return claim.id == id; });
    const bool holds = now != result.claims.end() && now->holds;
    if (held && !holds) comparison.lost.push_back(result.id + " " + id);
    if (!held && holds) comparison.won.push_back(result.id + " " + id);
  }
}

std::string error_text(double simulated, const std::optional<double>& measured) {
  const auto error = measured ? relative_error(simulated, *measured) : std::nullopt;
  return error ? fmt::format("{:+.1f} %", *error * 100) : "-";
}

std::string listed(const std::string& heading, const std::vector<std::string>& items) {
  std::string text;
  for (const std::string& item : items) text += fmt::format("  {}\n", item);
  return text.empty() ? text : heading + "\n" + text;
}

}  // namespace

Baseline read_baseline(const std::filesystem::path& file) {
  const scenario::Node json = read_json(file, scenario::FileKind::results);
  const Node root{json};
  Baseline baseline;
  for (const Node& node : root.at("figures").elements()) {
    Baseline::Figure& figure = baseline.figures[node.at("id").text()];
    for (const Node& point : node.at("points").elements()) {
      const Node x = point.at("x");
      const Node interval = point.at("simulated_ci95");
      const Position position = x.is_number() ? Position{x.number()} : Position{x.text()};
      figure.points[{point.at("series").text(), position, point.at("metric").text()}] = {
          point.at("simulated").number(), interval.is_number() ? interval.number() : 0};
    }
    for (const Node& claim : node.at("claims").elements()) {
      figure.claims[claim.at("id").text()] = claim.at("holds").truth();
    }
  }
  return baseline;
}

Comparison compare(const Baseline& baseline, const std::vector<FigureResult>& results) {
  Comparison comparison;
  for (const FigureResult& result : results) {
    const auto figure = baseline.figures.find(result.id);
    if (figure == baseline.figures.end()) continue;
    compare_points(figure->second, result, comparison);
    compare_claims(figure->second, result, comparison);
  }
  std::stable_sort(comparison.moved.begin(), comparison.moved.end(),
                   [](const MovedPoint& a, const MovedPoint& b) { return size_of_move(a) > size_of_move(b); });
  return comparison;
}

std::string comparison_report(const Comparison& comparison) {
  std::string text = fmt::format("\nPoints beside the earlier run: {} same", comparison.same);
  if (comparison.within > 0) {
    text += fmt::format(", {} moved within intervals or {:.0f} %", comparison.within, least_move * 100);
  }
  if (comparison.added > 0) text += fmt::format(", {} new", comparison.added);
  if (!comparison.gone.empty()) text += fmt::format(", {} gone", comparison.gone.size());
  text += fmt::format(", {} moved further\n", comparison.moved.size());
  constexpr std::size_t shown = 20;
  if (!comparison.moved.empty()) {
    text += fmt::format("  {:>10} {:>10} {:>8} {:>17}  {}\n", "before", "now", "change", "error before, now", "point");
  }
  for (std::size_t i = 0; i < std::min(shown, comparison.moved.size()); ++i) {
    const MovedPoint& point = comparison.moved[i];
    const std::string change = point.before == 0 ? "-" : fmt::format("{:+.1f} %", (point.now / point.before - 1) * 100);
    text += fmt::format("  {:>10.4g} {:>10.4g} {:>8} {:>8} {:>8}  {} {} at {}, {}\n", point.before, point.now, change,
                        error_text(point.before, point.measured), error_text(point.now, point.measured), point.figure,
                        point.series, to_string(point.x), point.metric);
  }
  if (comparison.moved.size() > shown) text += fmt::format("  and {} more\n", comparison.moved.size() - shown);
  return text + listed("Points that are no longer there:", comparison.gone) +
         listed("Claims that no longer hold:", comparison.lost) + listed("Claims that hold now:", comparison.won);
}

}  // namespace doorbell::figures
