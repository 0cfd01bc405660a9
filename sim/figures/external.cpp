#include "figures/external.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <utility>

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
  double least = std::numeric_limits<double>::infinity();  ///< Of the values themselves.
  const CsvLine* first = nullptr;                          ///< Of its rows.
  const CsvLine* lowest = nullptr;                         ///< The one with the least value.
};

[[noreturn]] void refuse(const scenario::Location& at, std::string expected, std::string found,
                         std::string suggestion = {}) {
  throw ScenarioError{
      {ErrorCode::malformed_table, at, std::string{}, std::move(expected), std::move(found), std::move(suggestion)}};
}

struct Rows {
  CsvLine heading;                 ///< The line that names the columns, or the beginning of the file.
  std::vector<std::string> names;  ///< Of the columns.
  std::vector<CsvLine> rows;

  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto match = std::ranges::find(names, name);
    if (match == names.end()) refuse(heading.at, "a column " + in_quotes(name), "none", scenario::nearest(name, names));
    const auto again = std::find(match + 1, names.end(), name);
    if (again == names.end()) return static_cast<std::size_t>(match - names.begin());
    refuse(heading.place_of(static_cast<std::size_t>(again - names.begin())), "one column " + in_quotes(name),
           "a second one");
  }
};

/// The columns that a series is read from.
struct Columns {
  std::size_t x = 0;
  std::size_t value = 0;
  std::size_t low = 0;
  std::size_t high = 0;
  std::vector<std::pair<std::size_t, std::string>> where;  ///< With what their cells must be.

  [[nodiscard]] bool belongs(const CsvLine& row) const {
    return std::ranges::all_of(where, [&](const auto& cell) { return row.cells[cell.first] == cell.second; });
  }
};

double number_at(const CsvLine& row, std::size_t column) { return number_in(row, column, "a number"); }

Rows read_rows(const std::filesystem::path& file, const std::vector<std::string>& names) {
  const scenario::Location start{std::make_shared<const std::string>(file.string()), 1, 1};
  const bool has_header = names.empty();
  // Not within the braces: g++ 12 destroys what precedes an initialiser that throws, and then destroys it again.
  std::vector<CsvLine> rows = has_header ? read_csv(file) : read_cells(file);
  Rows table{{start, {}}, names, std::move(rows)};
  if (has_header && table.rows.empty()) refuse(start, "a line of columns", "none");
  if (has_header) {
    table.heading = table.rows.front();
    table.names = table.heading.cells;
    table.rows.erase(table.rows.begin());
  }
  for (const CsvLine& row : table.rows) {
    require_cells(row, table.names.size());
    require_shown_as_written(row);
  }
  return table;
}

Columns columns_of(const ExternalTable& table, const ExternalSeries& series, const Rows& from) {
  const std::string& name = series.value.empty() ? table.value : series.value;
  Columns columns{.x = from.column(series.x),
                  .value = from.column(name),
                  .low = from.column(table.low.empty() ? name : table.low),
                  .high = from.column(table.high.empty() ? name : table.high),
                  .where = {}};
  for (const auto& [column, cell] : series.where) columns.where.emplace_back(from.column(column), cell);
  return columns;
}

void require_spread_around_value(const CsvLine& row, const Columns& columns, const Rows& from) {
  const double value = number_at(row, columns.value);
  if (number_at(row, columns.low) <= value && value <= number_at(row, columns.high)) return;
  refuse(row.place_of(columns.value),
         fmt::format("from {} to {}, the {} and the {}", row.cells[columns.low], row.cells[columns.high],
                     in_quotes(from.names[columns.low]), in_quotes(from.names[columns.high])),
         in_quotes(row.cells[columns.value]));
}

/// The measurements of a series by x.
std::map<double, Repeated> measured(const ExternalTable& table, const ExternalSeries& series, const Rows& from,
                                    const Columns& columns) {
  std::map<double, Repeated> points;
  for (const CsvLine& row : from.rows) {
    if (!columns.belongs(row)) continue;
    const double x = number_at(row, columns.x) * series.scale;
    if (x < series.from) continue;
    Repeated& point = points[x];
    const double value = number_at(row, columns.value) * table.scale;
    const double low = number_at(row, columns.low);
    const double high = number_at(row, columns.high);
    if (low > high) {
      refuse(row.place_of(columns.high),
             fmt::format("at least {}, the {}", row.cells[columns.low], in_quotes(from.names[columns.low])),
             in_quotes(row.cells[columns.high]));
    }
    if (!table.low.empty() && !table.high.empty()) require_spread_around_value(row, columns, from);
    if (point.first == nullptr) point.first = &row;
    if (value < point.least) point.lowest = &row;
    point.least = std::min(point.least, value);
    point.sum += value;
    point.low = std::min(point.low, low * table.scale);
    point.high = std::max(point.high, high * table.scale);
    ++point.times;
  }
  return points;
}

/// Says of which column no cell is as it must be, if that is so of one.
[[noreturn]] void refuse_without_rows(const ExternalSeries& series, const Rows& from, const Columns& columns) {
  const std::string expected = "rows of " + in_quotes(series.series);
  for (const auto& [column, wanted] : columns.where) {
    std::vector<std::string> cells;
    for (const CsvLine& row : from.rows) cells.push_back(row.cells[column]);
    if (std::ranges::find(cells, wanted) != cells.end()) continue;
    refuse(from.heading.place_of(column),
           fmt::format("{}, with {} in column {}", expected, in_quotes(wanted), in_quotes(from.names[column])), "none",
           scenario::nearest(wanted, cells));
  }
  refuse(from.heading.at, expected, "none");
}

/// Where the cells of the row stand that say what a reference has in its own columns. What no cell says is taken for a
/// matter of the value.
std::vector<int> places_in(const CsvLine& row, const Columns& columns) {
  const int value = row.place_of(columns.value).column;
  std::vector<int> places(static_cast<std::size_t>(Cell::note) + 1, value);
  places[static_cast<std::size_t>(Cell::x)] = row.place_of(columns.x).column;
  places[static_cast<std::size_t>(Cell::uncertainty)] = row.place_of(columns.high).column;
  return places;
}

std::vector<ReferencePoint> points_of(const ExternalTable& table, const ExternalSeries& series, const Rows& from) {
  const Columns columns = columns_of(table, series, from);
  const std::map<double, Repeated> all = measured(table, series, from, columns);
  if (all.empty()) refuse_without_rows(series, from, columns);
  for (const double x : series.fit) {
    if (all.contains(x)) continue;
    refuse(from.heading.place_of(columns.x), fmt::format("a row of {} at {}", in_quotes(series.series), x), "none");
  }
  std::vector<ReferencePoint> points;
  points.reserve(all.size());
  for (const auto& [x, point] : all) {
    const bool fitted = std::find(series.fit.begin(), series.fit.end(), x) != series.fit.end();
    ReferencePoint read{.series = series.series,
                        .x = x,
                        .metric = table.metric,
                        .unit = table.unit,
                        .value = point.sum / point.times,
                        .uncertainty = (point.high - point.low) / 2,
                        .use = fitted ? Use::fit : table.use,
                        .note = {},
                        .at = point.lowest->at,
                        .columns = places_in(*point.lowest, columns)};
    require_measurable(read, point.times > 1 ? fmt::format(", the mean of {} rows", point.times) : std::string{});
    read.at = point.first->at;
    read.columns = places_in(*point.first, columns);
    points.push_back(std::move(read));
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
