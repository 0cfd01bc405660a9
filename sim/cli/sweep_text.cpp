#include "cli/sweep_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "cli/point_text.hpp"
#include "cli/text.hpp"
#include "figures/statistics.hpp"

namespace doorbell::cli {
namespace {

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
    const double value = moves_blocks(report) ? to_mebibytes(result.bandwidth) : result.throughput.millions();
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

}  // namespace

bool moves_blocks(const Report& report) { return report.results.front().bandwidth > Bandwidth{}; }

std::string coordinates_of(const Report& report, std::size_t point) {
  const std::vector<std::string> names = short_names(report.sweep_paths);
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    text += (i > 0 ? ", " : "") + names[i] + " " + report.points[point].coordinates[i].second;
  }
  return text;
}

std::string sweep_text(const Report& report, Layout layout) {
  return sweep_table(report, layout) + zipped_sentence(report, layout) + sweep_kinds(report, layout);
}

}  // namespace doorbell::cli
