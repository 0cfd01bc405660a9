#include "figures/report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "figures/statistics.hpp"

namespace doorbell::figures {
namespace {

std::string in_percent(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.1f} %", *fraction * 100) : "-";
}

std::string held(const ClaimSummary& claims) {
  return claims.count == 0 ? "-" : fmt::format("{}/{}", claims.held, claims.count);
}

std::string row(const std::string& name, const Summary& summary) {
  return fmt::format("{:<20} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}", name, summary.points,
                     in_percent(summary.all.median), in_percent(summary.all.worst), in_percent(summary.fit.median),
                     in_percent(summary.fit.worst), in_percent(summary.validation.median),
                     in_percent(summary.validation.worst), held(summary.claims));
}

std::string collection_rows(const Collection& collection, const std::vector<FigureResult>& figures) {
  const Summary summary = summary_of(collection, figures);
  std::string text = row(collection.name, summary) + "\n";
  const ErrorSummary& numbers = summary.claims.numbers;
  const ErrorSummary& fit = summary.fit_claims.numbers;
  const ErrorSummary& validation = summary.validation_claims.numbers;
  if (numbers.count > 0) {
    text += fmt::format("{:<20} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "  numbers of claims", numbers.count,
                        in_percent(numbers.median), in_percent(numbers.worst), in_percent(fit.median),
                        in_percent(fit.worst), in_percent(validation.median), in_percent(validation.worst));
  }
  if (summary.fit_claims.count > 0) {
    text += fmt::format("{:<45} {:>17} {:>17}\n", "  claims that hold", held(summary.fit_claims),
                        held(summary.validation_claims));
  }
  if (!collection.targets) return text;
  const Targets& targets = *collection.targets;
  const std::vector<std::string> empty = targets_without_points(collection, summary);
  std::string verdict = "nothing to check";
  if (is_checked(collection, summary)) {
    verdict = misses(collection, summary).names().empty() ? "met" : "missed";
    if (!empty.empty()) verdict += fmt::format(", nothing to check of {}", fmt::join(empty, " and "));
  }
  return text + fmt::format("{:<45} {:>8} {:>8} {:>8} {:>8} {:>8}  {}\n", "  target", in_percent(targets.fit.median),
                            in_percent(targets.fit.worst), in_percent(targets.validation.median),
                            in_percent(targets.validation.worst), targets.all_claims ? "all" : "-", verdict);
}

std::string collection_table(const std::vector<FigureResult>& figures, const std::vector<Collection>& collections) {
  std::string text;
  for (const Collection& collection : collections) {
    if (is_told_apart(collection)) text += collection_rows(collection, figures);
  }
  return text.empty() ? text : "\ntogether\n" + text;
}

std::string failed_claims(const std::vector<FigureResult>& figures) {
  std::string text;
  for (const FigureResult& figure : figures) {
    for (const ClaimResult& claim : figure.claims) {
      if (claim.holds) continue;
      text += fmt::format("  {} {}: {} (stated {}, simulated {})\n", figure.id, claim.id, claim.text,
                          to_string(claim.stated), to_string(claim.simulated));
    }
  }
  return text.empty() ? text : "\nClaims that do not hold:\n" + text;
}

std::string large_errors(const std::vector<FigureResult>& figures) {
  std::string text;
  for (const FigureResult& figure : figures) {
    for (const PointResult& point : figure.points) {
      const auto error = point.error();
      if (!error || std::abs(*error) <= large_error) continue;
      text += fmt::format("  {} {} at {}: measured {:.4g}, simulated {:.4g} {} ({}, {}){}\n", figure.id, point.series,
                          to_string(point.x), *point.measured, point.simulated, point.unit, signed_percent(*error),
                          to_string(point.use), point.note.empty() ? "" : "; " + point.note);
    }
  }
  return text.empty() ? text : fmt::format("\nPoints more than {:.0f} % off:\n", large_error * 100) + text;
}

bool line_is_hidden(const FigureResult& result, const std::string& series, double top) {
  bool drawn = false;
  for (const PointResult& point : result.points) {
    if (point.series != series) continue;
    if (point.simulated <= top) return false;
    drawn = true;
  }
  return drawn;
}

bool is_outside(const Axis& axis, double place) {
  return axis.range && (place < axis.range->first || place > axis.range->second);
}

std::string measured_text(const PointResult& point) {
  return fmt::format("{} at {}: {:.4g} {}\n", point.series, to_string(point.x), *point.measured, point.unit);
}

std::string hidden_measurements(const Figure& figure, const Panel& panel, const std::string& series,
                                const FigureResult& result, const std::string& where) {
  const bool has_markers = std::ranges::any_of(
      figure.series, [&](const Series& drawn) { return drawn.name == series && drawn.style.marker != Marker::none; });
  std::string text;
  for (const PointResult& point : result.points) {
    if (!has_markers || point.series != series || !point.measured) continue;
    const auto* x = std::get_if<double>(&point.x);
    if (is_outside(panel.y, *point.measured) || (x != nullptr && is_outside(panel.x, *x)))
      text += where + measured_text(point);
  }
  return text;
}

}  // namespace

std::string text_report(const std::vector<FigureResult>& figures, const std::vector<Collection>& collections) {
  std::string text = fmt::format("{:<20} {:>6} {:^17} {:^17} {:^17}\n", "", "", "error", "of these fit", "validation") +
                     fmt::format("{:<20} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "figure", "points",
                                 "median", "worst", "median", "worst", "median", "worst", "claims", "seconds");
  for (const FigureResult& figure : figures) {
    text += row(figure.id, summary_of({&figure})) + fmt::format(" {:>8.2f}\n", figure.seconds);
  }
  return text + collection_table(figures, collections) + failed_claims(figures) + large_errors(figures);
}

std::string hidden_report(const std::vector<Figure>& figures, const std::vector<FigureResult>& results) {
  std::string above;
  std::string measured;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    for (const Panel& panel : figures[i].panels) {
      const std::string where = fmt::format("  {} {}: ", figures[i].id, panel.name);
      if (panel.bars.empty()) {
        for (const std::string& series : panel.series) {
          if (panel.y.range && line_is_hidden(results[i], series, panel.y.range->second))
            above += where + series + "\n";
          measured += hidden_measurements(figures[i], panel, series, results[i], where);
        }
      }
      for (const Bar& bar : panel.bars) {
        const PointResult* point = results[i].find(bar.series, bar.x);
        if (point == nullptr || !panel.y.range) continue;
        if (point->simulated > panel.y.range->second) above += where + bar.label + "\n";
        if (point->measured && is_outside(panel.y, *point->measured)) measured += where + measured_text(*point);
      }
    }
  }
  return (above.empty() ? above : "\nAbove the axis of their picture:\n" + above) +
         (measured.empty() ? measured : "\nMeasured, outside the axes of their picture:\n" + measured);
}

}  // namespace doorbell::figures
