#include "cli/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "cli/point_text.hpp"
#include "cli/sweep_conclusion.hpp"
#include "cli/sweep_text.hpp"
#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

/// Each warning once, however many points give it, and which those are.
std::string warnings_of(const Report& report, Layout layout) {
  struct Given {
    std::string warning;
    std::size_t first;
    std::size_t points = 1;
  };
  std::vector<Given> all;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    for (const std::string& warning : report.results[i].warnings) {
      const auto known = std::ranges::find(all, warning, &Given::warning);
      if (known == all.end()) {
        all.push_back({warning, i});
      } else {
        ++known->points;
      }
    }
  }
  std::string text;
  for (const Given& given : all) {
    std::string where;
    if (report.results.size() > 1 && given.points == report.results.size()) {
      where = " (all points)";
    } else if (report.results.size() > 1) {
      where = " (" + coordinates_of(report, given.first);
      if (given.points > 1) where += fmt::format(" and {} more point{}", given.points - 1, given.points > 2 ? "s" : "");
      where += ")";
    }
    text += wrapped("Warning: " + given.warning + where, 2, layout);
  }
  return text;
}

/// What is not of one run.
std::string seeds_sentence(const Report& report, Layout layout) {
  if (report.seeds == 1) return {};
  const std::string seeds = report.seed ? fmt::format("seeds {} to {}", *report.seed, *report.seed + report.seeds - 1)
                                        : "the seed of each point and those that follow it";
  const std::string text = fmt::format(
      "Rates, latencies, utilisations, counters and levels are means of {} runs with {}, and intervals those between "
      "runs that differ. The bottleneck is that of {}.",
      report.seeds, seeds, report.seed ? fmt::format("seed {}", *report.seed) : "the first of them");
  return wrapped(text, 0, layout) + "\n";
}

}  // namespace

std::string result_text(const Report& report, Layout layout) {
  const bool swept = !report.sweep_paths.empty();
  const bool single = report.results.size() == 1;
  std::string text = wrapped(report.title, 0, layout);
  if (swept && single) text += wrapped(coordinates_of(report, 0), 2, layout);
  text += "\n" + seeds_sentence(report, layout);
  text += single ? point_text(report.results.front(), layout)
                 : sweep_text(report, layout) + sweep_conclusion(report, layout);
  return text + warnings_of(report, layout);
}

}  // namespace doorbell::cli
