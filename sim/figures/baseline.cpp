#include "figures/baseline.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "figures/statistics.hpp"

namespace doorbell::figures {
namespace {

constexpr std::size_t longest_list = 20;  // lines of a list

double size_of_move(const MovedPoint& point) {
  const double size = std::abs(point.now / point.before - 1);
  return std::isfinite(size) ? size : INFINITY;
}

/// What a point was measured as.
std::string measured_text(const std::optional<double>& measured, const std::string& unit) {
  return measured ? fmt::format("{:.6g} {}", *measured, unit) : fmt::format("nothing in {}", unit);
}

/// The first of many names.
std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  const auto end = names.begin() + static_cast<std::ptrdiff_t>(std::min(most, names.size()));
  const std::string text = fmt::format("{}", fmt::join(names.begin(), end, ", "));
  return names.size() > most ? fmt::format("{} and {} more", text, names.size() - most) : text;
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
    if (earlier.unit != point.unit || earlier.measured != point.measured) {
      comparison.new_reference.push_back(
          fmt::format("{} {} at {}, {}: {} before, {} now", result.id, point.series, to_string(point.x), point.metric,
                      measured_text(earlier.measured, earlier.unit), measured_text(point.measured, point.unit)));
    }
    if (earlier.unit != point.unit) continue;
    const double move = std::abs(point.simulated - earlier.simulated);
    if (move == 0 || (std::isnan(earlier.simulated) && !std::isfinite(point.simulated))) {
      ++comparison.same;
    } else if (move <= std::max(earlier.interval + point.simulated_ci95.value_or(0),
                                least_move * std::abs(earlier.simulated))) {
      ++comparison.within;
    } else {
      comparison.moved.push_back({result.id, point.series, point.x, point.metric, earlier.simulated, point.simulated,
                                  earlier.measured, point.measured});
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
  return error ? signed_percent(*error) : "-";
}

std::string listed(const std::string& heading, const std::vector<std::string>& items) {
  std::string text;
  for (std::size_t i = 0; i < std::min(longest_list, items.size()); ++i) text += fmt::format("  {}\n", items[i]);
  if (items.size() > longest_list) text += fmt::format("  and {} more\n", items.size() - longest_list);
  return text.empty() ? text : heading + "\n" + text;
}

bool has_anything(const Baseline::Figure& figure) { return !figure.points.empty() || !figure.claims.empty(); }

}  // namespace

Baseline read_baseline(const std::filesystem::path& file) {
  const scenario::Node json = read_json(file, scenario::FileKind::results);
  const Node root{json};
  Baseline baseline;
  baseline.place = root.at("figures").mention();
  for (const Node& node : root.at("figures").elements()) {
    Baseline::Figure& figure = baseline.figures[node.at("id").text()];
    for (const Node& point : node.at("points").elements()) {
      const Node x = point.at("x");
      const Node interval = point.at("simulated_ci95");
      const Position position = x.is_number() ? Position{x.number()} : Position{x.text()};
      const Node measured = point.at("measured");
      const Node simulated = point.at("simulated");
      figure.points[{point.at("series").text(), position, point.at("metric").text()}] = {
          // What is no number, or is infinite, stands there as null.
          simulated.is_null() ? std::numeric_limits<double>::quiet_NaN() : simulated.number(),
          interval.is_number() ? interval.number() : 0,
          measured.is_number() ? std::optional{measured.number()} : std::nullopt, point.at("unit").text()};
    }
    for (const Node& claim : node.at("claims").elements()) {
      figure.claims[claim.at("id").text()] = claim.at("holds").truth();
    }
  }
  return baseline;
}

void require_common_figure(const Baseline& baseline, const std::vector<std::string>& ids) {
  std::vector<std::string> there;
  for (const auto& [id, figure] : baseline.figures) {
    if (has_anything(figure)) there.push_back(id);
  }
  const auto is_there = [&](const std::string& id) { return std::ranges::find(there, id) != there.end(); };
  if (std::ranges::any_of(ids, is_there)) return;
  throw scenario::ScenarioError{{scenario::ErrorCode::wrong_file, baseline.place.at, baseline.place.pointer,
                                 "points or claims of " + (ids.empty() ? "some figure" : some_of(ids)),
                                 there.empty() ? "none" : "others, of " + some_of(there), std::string{}}};
}

Comparison compare(const Baseline& baseline, const std::vector<FigureResult>& results) {
  std::vector<std::string> ids;
  ids.reserve(results.size());
  for (const FigureResult& result : results) ids.push_back(result.id);
  require_common_figure(baseline, ids);
  Comparison comparison;
  std::map<std::string, Baseline::Figure> before = baseline.figures;
  for (const FigureResult& result : results) {
    const auto figure = before.extract(result.id);
    if (figure.empty()) {
      comparison.new_figures.push_back(result.id);
      continue;
    }
    compare_points(figure.mapped(), result, comparison);
    compare_claims(figure.mapped(), result, comparison);
  }
  for (const auto& [id, figure] : before) comparison.old_figures.push_back(id);
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
  if (!comparison.moved.empty()) {
    text += fmt::format("  {:>10} {:>10} {:>8} {:>17}  {}\n", "before", "now", "change", "error before, now", "point");
  }
  for (std::size_t i = 0; i < std::min(longest_list, comparison.moved.size()); ++i) {
    const MovedPoint& point = comparison.moved[i];
    const bool is_told = std::isfinite(point.now / point.before);
    const std::string change = !is_told ? "-" : signed_percent(point.now / point.before - 1);
    text += fmt::format("  {:>10.4g} {:>10.4g} {:>8} {:>8} {:>8}  {} {} at {}, {}\n", point.before, point.now, change,
                        error_text(point.before, point.measured_before), error_text(point.now, point.measured),
                        point.figure, point.series, to_string(point.x), point.metric);
  }
  if (comparison.moved.size() > longest_list)
    text += fmt::format("  and {} more\n", comparison.moved.size() - longest_list);
  if (!comparison.new_figures.empty()) {
    text += fmt::format("Figures that the earlier run does not have: {}\n", some_of(comparison.new_figures));
  }
  if (!comparison.old_figures.empty()) {
    text += fmt::format("Figures of the earlier run alone: {}\n", some_of(comparison.old_figures));
  }
  return text + listed("Points that are no longer there:", comparison.gone) +
         listed("Points whose reference changed:", comparison.new_reference) +
         listed("Claims that no longer hold:", comparison.lost) + listed("Claims that hold now:", comparison.won);
}

}  // namespace doorbell::figures
