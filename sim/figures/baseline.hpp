// Results beside those of an earlier run: what has moved, and which claims no longer hold.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "figures/document.hpp"
#include "figures/evaluate.hpp"

namespace doorbell::figures {

/// What an earlier run said, by the id of the figure.
struct Baseline {
  struct Point {
    double simulated = 0;
    double interval = 0;  ///< Half width.
    std::optional<double> measured;
    std::string unit;
  };
  using Key = std::tuple<std::string, Position, std::string>;  ///< Series, x, metric.
  struct Figure {
    std::map<Key, Point> points;
    std::map<std::string, bool> claims;  ///< Whether it held, by its id.
  };
  std::map<std::string, Figure> figures;
  Mention place;  ///< Of the figures in the file.
};
/// Reads a results.json. Throws ScenarioError.
[[nodiscard]] Baseline read_baseline(const std::filesystem::path& file);

/// A point that differs from before by more than its intervals and by more than `least_move`.
struct MovedPoint {
  std::string figure;
  std::string series;
  Position x;
  std::string metric;
  double before = 0;
  double now = 0;
  std::optional<double> measured_before;
  std::optional<double> measured;
};
inline constexpr double least_move = 0.01;

struct Comparison {
  std::size_t same = 0;           ///< Points that are the same to the last digit.
  std::size_t within = 0;         ///< That moved, but not far enough to count.
  std::vector<MovedPoint> moved;  ///< The furthest first.
  std::vector<std::string> gone;  ///< "figure series at x", of the earlier run alone.
  std::size_t added = 0;          ///< Points of this run alone.
  std::vector<std::string> lost;  ///< "figure claim", of claims that held before.
  std::vector<std::string> won;
  std::vector<std::string> new_reference;  ///< "figure series at x: before, now", where what was measured has changed.
  std::vector<std::string> new_figures;    ///< Of this run alone.
  std::vector<std::string> old_figures;    ///< Of the earlier run alone, which may have been one of more figures.

  [[nodiscard]] bool differs() const {
    return !moved.empty() || !gone.empty() || !lost.empty() || !new_reference.empty();
  }
};

/// Throws ScenarioError when the earlier run has neither points nor claims of any of the figures with these ids:
/// nothing would be compared.
void require_common_figure(const Baseline& baseline, const std::vector<std::string>& ids);

/// Points of another unit than before are only told as such. Throws as require_common_figure().
[[nodiscard]] Comparison compare(const Baseline& baseline, const std::vector<FigureResult>& results);

/// For people.
[[nodiscard]] std::string comparison_report(const Comparison& comparison);

}  // namespace doorbell::figures
