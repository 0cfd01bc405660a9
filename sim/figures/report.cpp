#include "figures/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "figures/statistics.hpp"

namespace doorbell::figures {
namespace {

std::string in_percent(const std::optional<double>& fraction) {
  return fraction ? fmt::format("{:.1f} %", *fraction * 100) : "-";
}

std::string row(const FigureResult& figure) {
  const auto held =
      std::count_if(figure.claims.begin(), figure.claims.end(), [](const auto& claim) { return claim.holds; });
  const ErrorSummary all = figure.errors();
  const ErrorSummary fit = figure.errors(Use::fit);
  const ErrorSummary validation = figure.errors(Use::validation);
  return fmt::format("{:<20} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8.2f}\n", figure.id,
                     figure.points.size(), in_percent(all.median), in_percent(all.worst), in_percent(fit.median),
                     in_percent(fit.worst), in_percent(validation.median), in_percent(validation.worst),
                     figure.claims.empty() ? "-" : fmt::format("{}/{}", held, figure.claims.size()), figure.seconds);
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
      text += fmt::format("  {} {} at {}: measured {:.4g}, simulated {:.4g} {} ({:+.1f} %, {}){}\n", figure.id,
                          point.series, to_string(point.x), *point.measured, point.simulated, point.unit, *error * 100,
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

}  // namespace

std::string text_report(const std::vector<FigureResult>& figures) {
  std::string text = fmt::format("{:<20} {:>6} {:^17} {:^17} {:^17}\n", "", "", "error", "of these fit", "validation") +
                     fmt::format("{:<20} {:>6} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "figure", "points",
                                 "median", "worst", "median", "worst", "median", "worst", "claims", "seconds");
  for (const FigureResult& figure : figures) text += row(figure);
  return text + failed_claims(figures) + large_errors(figures);
}

std::string hidden_report(const std::vector<Figure>& figures, const std::vector<FigureResult>& results) {
  std::string text;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    for (const Panel& panel : figures[i].panels) {
      if (!panel.y.range) continue;
      const double top = panel.y.range->second;
      for (const std::string& series : panel.series) {
        if (line_is_hidden(results[i], series, top))
          text += fmt::format("  {} {}: {}\n", figures[i].id, panel.name, series);
      }
      for (const Bar& bar : panel.bars) {
        const PointResult* point = results[i].find(bar.series, bar.x);
        if (point != nullptr && point->simulated > top) {
          text += fmt::format("  {} {}: {}\n", figures[i].id, panel.name, bar.label);
        }
      }
    }
  }
  return text.empty() ? text : "\nAbove the axis of their picture:\n" + text;
}

}  // namespace doorbell::figures
