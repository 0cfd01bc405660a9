#include "figures/external.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

using scenario::ErrorCode;
using scenario::in_quotes;
using scenario::ScenarioError;

/// What was measured at one x of one series.
struct Repeated {
  double sum = 0;
  int times = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

struct Rows {
  scenario::Location at;           ///< Of the line that names the columns, or the beginning of the file.
  std::vector<std::string> names;  ///< Of the columns.
  std::vector<CsvLine> rows;

  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto match = std::ranges::find(names, name);
    if (match != names.end()) return static_cast<std::size_t>(match - names.begin());
    throw ScenarioError{{ErrorCode::malformed_table, at, std::string{}, "a column " + in_quotes(name), "none",
                         scenario::nearest(name, names)}};
  }
};

double number_at(const CsvLine& row, std::size_t column) { return number_in(row, column, "a number"); }

Rows read_rows(const std::filesystem::path& file, const std::vector<std::string>& names) {
  const scenario::Location start{std::make_shared<const std::string>(file.string()), 1, 1};
  const bool has_header = names.empty();
  Rows table{start, names, has_header ? read_csv(file) : read_cells(file)};
  if (has_header && table.rows.empty()) {
    throw ScenarioError{{ErrorCode::malformed_table, start, std::string{}, "a line of columns", "none", std::string{}}};
  }
  if (has_header) {
    table.at = table.rows.front().at;
    table.names = table.rows.front().cells;
    table.rows.erase(table.rows.begin());
  }
  for (const CsvLine& row : table.rows) require_cells(row, table.names.size());
  return table;
}

/// The measurements of a series by x.
std::map<double, Repeated> measured(const ExternalTable& table, const ExternalSeries& series, const Rows& from) {
  const std::size_t x = from.column(series.x);
  const std::string& name = series.value.empty() ? table.value : series.value;
  const std::size_t value = from.column(name);
  const std::size_t low = from.column(table.low.empty() ? name : table.low);
  const std::size_t high = from.column(table.high.empty() ? name : table.high);
  const auto belongs = [&](const CsvLine& row) {
    return std::all_of(series.where.begin(), series.where.end(),
                       [&](const auto& cell) { return row.cells[from.column(cell.first)] == cell.second; });
  };
  std::map<double, Repeated> points;
  for (const CsvLine& row : from.rows) {
    if (!belongs(row)) continue;
    Repeated& point = points[number_at(row, x) * series.scale];
    point.sum += number_at(row, value) * table.scale;
    point.low = std::min(point.low, number_at(row, low) * table.scale);
    point.high = std::max(point.high, number_at(row, high) * table.scale);
    ++point.times;
  }
  return points;
}

std::vector<ReferencePoint> points_of(const ExternalTable& table, const ExternalSeries& series, const Rows& from) {
  const std::map<double, Repeated> all = measured(table, series, from);
  const auto refuse = [&](const std::string& expected) {
    throw ScenarioError{{ErrorCode::malformed_table, from.at, std::string{}, expected, "none", std::string{}}};
  };
  if (all.empty()) refuse("rows of " + in_quotes(series.series));
  for (const double x : series.fit) {
    if (!all.contains(x)) refuse(fmt::format("a row of {} at {}", in_quotes(series.series), x));
  }
  std::vector<ReferencePoint> points;
  points.reserve(all.size());
  for (const auto& [at, point] : all) {
    const bool fitted = std::find(series.fit.begin(), series.fit.end(), at) != series.fit.end();
    points.push_back({.series = series.series,
                      .x = at,
                      .metric = table.metric,
                      .unit = table.unit,
                      .value = point.sum / point.times,
                      .uncertainty = (point.high - point.low) / 2,
                      .use = fitted ? Use::fit : table.use,
                      .note = {},
                      .at = from.at});
    require_measurable(points.back());
  }
  return points;
}

}  // namespace

std::string left_out_sentence(const ExternalTable& table) {
  return fmt::format("measured points left out; `--data DIR` takes them from DIR/{}, which is made from {}", table.file,
                     table.available);
}

std::vector<ReferencePoint> read_external(const ExternalTable& table, const std::filesystem::path& folder) {
  std::map<std::string, Rows> files;
  std::vector<ReferencePoint> points;
  for (const ExternalSeries& series : table.series) {
    const std::string& name = series.file.empty() ? table.file : series.file;
    const std::filesystem::path file = folder / name;
    auto known = files.find(name);
    if (known == files.end()) known = files.emplace(name, read_rows(file, table.columns)).first;
    const std::vector<ReferencePoint> some = points_of(table, series, known->second);
    points.insert(points.end(), some.begin(), some.end());
  }
  return points;
}

}  // namespace doorbell::figures
