#include "cli/result_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

#include "cli/text.hpp"
#include "figures/statistics.hpp"
#include "models/common/resource_name.hpp"
#include "models/remote_loads/machines_beside.hpp"

namespace doorbell::cli {
namespace {

constexpr std::size_t shown_utilisations = 8;
constexpr std::size_t shown_levels = 32;

/// A name at the beginning of a line below "Busy", "Counters" and so on, of which `rest` columns are taken.
std::string name_text(const std::string& name, std::size_t rest, Layout layout) {
  constexpr std::size_t indent = 2;
  const std::size_t room = layout.prose > indent + rest ? layout.prose - indent - rest : 0;
  const std::size_t columns = std::clamp<std::size_t>(room, 8, 40);
  return fmt::format("{:{}}{:<{}}", "", indent, shortened(name, columns), columns);
}

/// A share as a number, and as a bar where there is room for one.
std::string busy_line(const model::Utilisation& used, Layout layout) {
  const std::string numbers = fmt::format(" {:5.1f} %", used.busy * 100);
  const std::string line = name_text(used.resource, width(numbers), layout) + numbers;
  constexpr std::size_t gap = 2;
  constexpr std::size_t shortest = 8;
  constexpr std::size_t longest = 24;
  const std::size_t taken = width(line) + gap;
  if (taken + shortest > layout.prose) return line + "\n";
  return line + "  " + bar(used.busy, std::min(layout.prose - taken, longest)) + "\n";
}

/// What is said of a name, below others.
std::string named_line(const std::string& name, const std::string& said, Layout layout) {
  return name_text(name, width(said), layout) + said + "\n";
}

/// What is measured of all operations, with its name before it; further lines begin below the first value.
std::string measured_line(const std::string& name, const std::string& values, Layout layout) {
  constexpr std::size_t names = 13;
  constexpr std::size_t enough = 40;  // for values beside names
  return wrapped(fmt::format("{:<{}}{}", name, names, values), layout.prose < enough ? 2 : names, layout);
}

/// Breaks between the values only.
std::string latency_text(const model::LatencySummary& latency) {
  if (latency.samples == 0) return kept_together("none measured");
  return kept_together("mean " + time_text(latency.mean)) + "   " + kept_together("p50 " + time_text(latency.p50)) +
         "   " + kept_together("p99 " + time_text(latency.p99));
}

/// A line of each kind of operations, below that of all; two where a terminal has no room for one.
std::string kind_lines(const std::vector<model::KindSummary>& kinds, Layout layout) {
  constexpr std::size_t usual_name = 9;
  constexpr std::size_t longest_name = 24;  // beyond it, columns give way
  std::size_t names = usual_name;
  for (const model::KindSummary& kind : kinds) names = std::clamp(width(kind.kind), names, longest_name);
  std::vector<std::pair<std::string, std::string>> lines;
  std::size_t longest = 0;
  for (const model::KindSummary& kind : kinds) {
    const auto& [name, latency] =
        lines.emplace_back(fmt::format("  {:<{}}  {:>9}", kind.kind, names, rate_text(kind.throughput)),
                           "   " + latency_text(kind.latency));
    longest = std::max(longest, width(name) + width(latency));
  }
  std::string text;
  for (const auto& [name, latency] : lines) {
    text += longest <= layout.prose ? wrapped(name + latency, 4, layout)
                                    : wrapped(name, 4, layout) + wrapped(" " + latency, 4, layout);
  }
  return text;
}

double mebibytes(Bandwidth bandwidth) { return bandwidth.bytes_per_second / (1024 * 1024); }

std::string one_point(const model::RunResult& result, Layout layout) {
  std::string throughput = kept_together(rate_text(result.throughput));
  // A load that is run to its end has no interval.
  if (result.throughput_ci95 > Rate{}) {
    throughput +=
        " " + kept_together("+/- " + rate_text(result.throughput_ci95)) + " " + kept_together("(95 % interval)");
  }
  std::string text = measured_line("Throughput", throughput, layout);
  if (result.bandwidth > Bandwidth{}) text += fmt::format("Bandwidth    {:.1f} MiB/s\n", mebibytes(result.bandwidth));
  text += measured_line("Latency", latency_text(result.latency), layout);
  text += kind_lines(result.kinds, layout);
  if (!result.utilisations.empty()) {
    text += "\nBusy\n";
    const std::size_t shown = std::min(shown_utilisations, result.utilisations.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const model::Utilisation& used = result.utilisations[i];
      text += busy_line(used, layout);
    }
    if (shown < result.utilisations.size()) text += fmt::format("  and {} more\n", result.utilisations.size() - shown);
  }
  if (!result.counters.empty()) {
    text += "\nCounters\n";
    for (const model::CounterReading& counter : result.counters) {
      if (counter.count == 0) continue;
      text += named_line(counter.name, fmt::format(" {:>14}  {:>12}", counter.count, rate_text(counter.rate)), layout);
    }
  }
  if (!result.programs.empty()) {
    text += "\nWork requests: rate, payload, per call\n";
    for (const model::ProgramSummary& done : result.programs) {
      const bool carries = done.payload > Bandwidth{};
      text += named_line(done.program,
                         fmt::format(" {:>9}  {:>10}  {:6.2f}", rate_text(done.work_requests),
                                     carries ? bandwidth_text(done.payload) : "none", done.mean_batch),
                         layout);
    }
  }
  if (!result.levels.empty()) {
    text += "\nLevels (averages, unless named otherwise)\n";
    const std::size_t shown = std::min(shown_levels, result.levels.size());
    for (std::size_t i = 0; i < shown; ++i) {
      const double value = result.levels[i].value;
      const int decimals = value > 0 && value < 0.1 ? 4 : 2;
      text += named_line(result.levels[i].name, fmt::format(" {:14.{}f}", value, decimals), layout);
    }
    if (shown < result.levels.size()) text += fmt::format("  and {} more\n", result.levels.size() - shown);
  }
  return text + "\n" + wrapped("Bottleneck: " + result.bottleneck.sentence, 2, layout);
}

bool moves_blocks(const Report& report) { return report.results.front().bandwidth > Bandwidth{}; }

/// A column of the table of a sweep: a path, and those that change whenever it does.
struct Axis {
  std::size_t path;
  std::vector<std::size_t> others;
};

std::vector<Axis> axes_of(const Report& report) {
  std::vector<Axis> axes;
  const auto follows = [&](std::size_t path, std::size_t other) {
    std::map<std::string, std::string> values;
    return std::ranges::all_of(report.points, [&](const scenario::Point& point) {
      const std::string& value = point.coordinates[path].second;
      return values.try_emplace(point.coordinates[other].second, value).first->second == value;
    });
  };
  for (std::size_t path = 0; path < report.sweep_paths.size(); ++path) {
    const auto same = std::ranges::find_if(
        axes, [&](const Axis& axis) { return follows(path, axis.path) && follows(axis.path, path); });
    if (same == axes.end()) {
      axes.push_back({path, {}});
    } else {
      same->others.push_back(path);
    }
  }
  return axes;
}

/// What the table has no columns for.
std::string zipped_sentence(const Report& report, Layout layout) {
  const std::vector<std::string> names = short_names(report.sweep_paths);
  std::string text;
  for (const Axis& axis : axes_of(report)) {
    if (axis.others.empty()) continue;
    std::string others;
    for (const std::size_t path : axis.others) others += (others.empty() ? "" : ", ") + names[path];
    text += wrapped(fmt::format("With {}: {}.", names[axis.path], others), 2, layout);
  }
  return text.empty() ? text : "\n" + text;
}

/// Columns between coordinates and bottleneck.
constexpr std::size_t optional_columns = 3;

using Cells = std::vector<std::string>;

/// How rows of a table begin: with the names of the axes, and then with their values at each point.
std::vector<Cells> axis_cells(const Report& report, Layout layout) {
  // Where there is room they are whole.
  const std::size_t longest = layout.tables <= widest_prose ? 14 : layout.tables;
  const std::vector<std::string> names = short_names(report.sweep_paths);
  std::vector<Cells> rows(1 + report.points.size());
  for (const Axis& axis : axes_of(report)) {
    rows[0].push_back(shortened(names[axis.path], longest));
    for (std::size_t i = 0; i < report.points.size(); ++i)
      rows[i + 1].push_back(shortened(report.points[i].coordinates[axis.path].second, longest));
  }
  return rows;
}

/// A heading and a row for each point, with so many of the optional columns.
std::vector<Cells> sweep_rows(const Report& report, std::size_t columns, Layout layout) {
  std::vector<Cells> rows = axis_cells(report, layout);
  const auto add = [&](Cells& row, std::array<std::string, optional_columns> cells) {
    for (std::size_t i = 0; i < columns; ++i) row.push_back(std::move(cells[i]));
  };
  rows[0].emplace_back(moves_blocks(report) ? "MiB/s" : "M/s");
  add(rows[0], {"+/-", "p50", "p99"});
  rows[0].emplace_back("bottleneck");
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    const model::RunResult& result = report.results[i];
    Cells& row = rows[i + 1];
    const double value = moves_blocks(report) ? mebibytes(result.bandwidth) : result.throughput.millions();
    const double share = result.throughput_ci95.per_second / result.throughput.per_second;
    const bool timed = result.latency.samples > 0;
    row.push_back(number_text(value, 4));
    add(row, {number_text(result.throughput.per_second > 0 ? figures::interval_to_show(share * value, value) : 0, 2),
              timed ? time_text(result.latency.p50) : "-", timed ? time_text(result.latency.p99) : "-"});
    row.push_back(fmt::format("{}{} ({:.0f} %)", result.bottleneck.saturated ? "" : "latency; ",
                              result.bottleneck.resource, result.bottleneck.busy * 100));
  }
  return rows;
}

/// What limits is told at the cost of latencies and intervals where there is no room for all.
std::string sweep_table(const Report& report, Layout layout) {
  constexpr std::size_t room = 24;
  std::size_t columns = optional_columns;
  while (columns > 0 && table_width(sweep_rows(report, columns, layout), 1) + room > layout.tables) --columns;
  return table(sweep_rows(report, columns, layout), layout);
}

/// "threads 6, window 2 MiB".
std::string coordinates_of(const Report& report, std::size_t point) {
  const std::vector<std::string> names = short_names(report.sweep_paths);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i > 0 ? ", " : "") + names[i] + " " + report.points[point].coordinates[i].second;
  }
  return text;
}

/// A heading and a row for each kind of operations of each point, which is told once.
std::vector<Cells> kind_rows(const Report& report, Layout layout) {
  std::vector<Cells> where = axis_cells(report, layout);
  std::vector<Cells> rows{where[0]};
  for (const char* name : {"kind", "M/s", "p50", "p99"}) rows[0].emplace_back(name);
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    for (const model::KindSummary& kind : report.results[i].kinds) {
      const bool timed = kind.latency.samples > 0;
      Cells& row = rows.emplace_back(where[i + 1]);
      row.push_back(kind.kind);
      row.push_back(number_text(kind.throughput.millions(), 4));
      for (const Time time : {kind.latency.p50, kind.latency.p99}) row.push_back(timed ? time_text(time) : "-");
      std::ranges::fill(where[i + 1], "");
    }
  }
  return rows;
}

/// What each kind of operations gets at each point, where there are kinds.
std::string sweep_kinds(const Report& report, Layout layout) {
  const std::vector<Cells> rows = kind_rows(report, layout);
  if (rows.size() == 1) return {};
  if (table_fits(rows, layout)) return "\n" + table(rows, layout);
  std::string text;
  for (std::size_t i = 0; i < report.results.size(); ++i) {
    const auto& kinds = report.results[i].kinds;
    if (!kinds.empty()) text += wrapped(coordinates_of(report, i), 2, layout) + kind_lines(kinds, layout);
  }
  return "\n" + text;
}

/// How busy the cores of a host with remote memory are, which waiting may occupy as well as work.
std::optional<double> cpu_of(const model::RunResult& result) {
  const std::string cpu = model::resource_name(model::host_machine, model::part::cpu);
  for (const model::Utilisation& used : result.utilisations) {
    if (used.resource == cpu) return used.busy;
  }
  return std::nullopt;
}

/// What cannot be told from the point `highest` of a sweep, and which of these points is the best in other respects.
std::string as_good_as(const Report& report, std::size_t highest, const std::vector<std::size_t>& others,
                       Layout layout) {
  if (others.empty()) return {};
  std::size_t quickest = highest;
  std::size_t cheapest = highest;
  for (const std::size_t i : others) {
    const model::RunResult& other = report.results[i];
    if (other.latency.samples > 0 && other.latency.p99 < report.results[quickest].latency.p99) quickest = i;
    if (cpu_of(other) < cpu_of(report.results[cheapest])) cheapest = i;
  }
  std::string text =
      fmt::format("{} more {} within the 95 % intervals of it", others.size(), others.size() == 1 ? "is" : "are");
  // One run tells no interval of a p99; near saturation it varies by some ten per cent from seed to seed.
  constexpr double clearly_lower = 0.8;
  if (to_seconds(report.results[quickest].latency.p99) <
      clearly_lower * to_seconds(report.results[highest].latency.p99)) {
    text += fmt::format("; {} has a lower p99 ({})", coordinates_of(report, quickest),
                        time_text(report.results[quickest].latency.p99));
  }
  constexpr double worth_telling = 0.01;
  if (cheapest != highest && *cpu_of(report.results[highest]) - *cpu_of(report.results[cheapest]) >= worth_telling) {
    text += fmt::format("; {} needs less CPU ({:.0f} instead of {:.0f} %)", coordinates_of(report, cheapest),
                        *cpu_of(report.results[cheapest]) * 100, *cpu_of(report.results[highest]) * 100);
  }
  return wrapped(text + ".", 2, layout);
}

/// Numbers of the sweep of which `highest` has the last one tried, and no point of `others` another one: more may be
/// better. In a sentence; empty if there are none.
std::string at_an_end(const Report& report, std::size_t highest, const std::vector<std::size_t>& others) {
  const std::vector<std::string> names = short_names(report.sweep_paths);
  std::string ends;
  for (std::size_t axis = 0; axis < names.size(); ++axis) {
    const auto value = [&](std::size_t point) { return report.points[point].coordinates[axis].second; };
    const std::string last = value(report.points.size() - 1);
    const bool is_number = !last.empty() && last.front() >= '0' && last.front() <= '9';
    std::set<std::string> tried;
    for (std::size_t point = 0; point < report.points.size(); ++point) tried.insert(value(point));
    constexpr std::size_t is_a_series = 3;
    const bool only_last =
        value(highest) == last && std::ranges::all_of(others, [&](std::size_t other) { return value(other) == last; });
    if (is_number && tried.size() >= is_a_series && only_last)
      ends += (ends.empty() ? "" : ", ") + names[axis] + " " + last;
  }
  return ends.empty() ? ends : " The sweep ends there: " + ends + ".";
}

/// Where a sweep is fastest, and why.
std::string conclusion(const Report& report, Layout layout) {
  const auto& results = report.results;
  const auto value = [&](const model::RunResult& result) {
    return moves_blocks(report) ? result.bandwidth.bytes_per_second : result.throughput.per_second;
  };
  const auto half_interval = [&](const model::RunResult& result) {
    return value(result) * result.throughput_ci95.per_second / result.throughput.per_second;
  };
  const auto first = std::max_element(results.begin(), results.end(),
                                      [&](const auto& a, const auto& b) { return value(a) < value(b); });
  if (results.size() < 2 || first->throughput.per_second <= 0) return {};
  const auto highest = static_cast<std::size_t>(first - results.begin());
  std::vector<std::size_t> others;
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (i == highest || results[i].throughput.per_second <= 0) continue;
    const bool apart = value(results[i]) + half_interval(results[i]) < value(*first) - half_interval(*first);
    if (!apart) others.push_back(i);
  }
  const std::string rate = moves_blocks(report) ? number_text(mebibytes(first->bandwidth), 4) + " MiB/s"
                                                : number_text(first->throughput.millions(), 4) + " M/s";
  const std::string sentence = fmt::format("Highest: {} with {}.{} {}", rate, coordinates_of(report, highest),
                                           at_an_end(report, highest, others), first->bottleneck.sentence);
  return "\n" + wrapped(sentence, 2, layout) + as_good_as(report, highest, others, layout);
}

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
  text += single ? one_point(report.results.front(), layout)
                 : sweep_table(report, layout) + zipped_sentence(report, layout) + sweep_kinds(report, layout) +
                       conclusion(report, layout);
  return text + warnings_of(report, layout);
}

}  // namespace doorbell::cli
