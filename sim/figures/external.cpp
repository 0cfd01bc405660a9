#include "figures/external.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <map>

namespace doorbell::figures {
namespace {

/// What was measured at one x of one series.
struct Repeated {
  double sum = 0;
  int times = 0;
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
};

class Columns {
 public:
  Columns(const std::filesystem::path& file, std::vector<std::string> names) : file_{file}, names_{std::move(names)} {}

  [[nodiscard]] std::size_t count() const { return names_.size(); }
  [[nodiscard]] std::size_t of(const std::string& name) const {
    const auto match = std::find(names_.begin(), names_.end(), name);
    if (match == names_.end()) throw DefinitionError{fmt::format("{}: has no column '{}'", file_.string(), name)};
    return static_cast<std::size_t>(match - names_.begin());
  }

 private:
  std::filesystem::path file_;
  std::vector<std::string> names_;
};

struct Row {
  std::vector<std::string> cells;
  std::string place;

  [[nodiscard]] double number(std::size_t column) const {
    if (const auto parsed = parse_number(cells[column])) return *parsed;
    throw DefinitionError{fmt::format("{}: '{}' is not a number", place, cells[column])};
  }
};

struct Rows {
  Columns columns;
  std::vector<Row> rows;
};

Rows read_rows(const std::filesystem::path& file, const std::vector<std::string>& names) {
  const std::vector<CsvLine> lines = names.empty() ? read_csv(file) : read_cells(file);
  if (names.empty() && lines.empty()) throw DefinitionError{fmt::format("{}: has no header line", file.string())};
  Rows table{Columns{file, names.empty() ? lines.front().cells : names}, {}};
  for (std::size_t i = names.empty() ? 1 : 0; i < lines.size(); ++i) {
    Row row{lines[i].cells, fmt::format("{}:{}", file.string(), lines[i].number)};
    if (row.cells.size() != table.columns.count()) {
      throw DefinitionError{
          fmt::format("{}: {} cells, expected {}", row.place, row.cells.size(), table.columns.count())};
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

/// The measurements of a series by x.
std::map<double, Repeated> measured(const ExternalTable& table, const ExternalSeries& series, const Rows& from) {
  const Columns& columns = from.columns;
  const std::size_t x = columns.of(series.x);
  const std::string& name = series.value.empty() ? table.value : series.value;
  const std::size_t value = columns.of(name);
  const std::size_t low = columns.of(table.low.empty() ? name : table.low);
  const std::size_t high = columns.of(table.high.empty() ? name : table.high);
  const auto belongs = [&](const Row& row) {
    return std::all_of(series.where.begin(), series.where.end(),
                       [&](const auto& cell) { return row.cells[columns.of(cell.first)] == cell.second; });
  };
  std::map<double, Repeated> points;
  for (const Row& row : from.rows) {
    if (!belongs(row)) continue;
    Repeated& point = points[row.number(x) * series.scale];
    point.sum += row.number(value) * table.scale;
    point.low = std::min(point.low, row.number(low) * table.scale);
    point.high = std::max(point.high, row.number(high) * table.scale);
    ++point.times;
  }
  return points;
}

std::vector<ReferencePoint> points_of(const ExternalTable& table, const ExternalSeries& series, const Rows& from,
                                      const std::string& file) {
  const std::map<double, Repeated> all = measured(table, series, from);
  if (all.empty()) throw DefinitionError{fmt::format("{}: has no rows for '{}'", file, series.series)};
  for (const double x : series.fit) {
    if (!all.contains(x)) {
      throw DefinitionError{fmt::format("{}: '{}' was not measured at {}", file, series.series, x)};
    }
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
                      .place = file});
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
    const std::vector<ReferencePoint> some = points_of(table, series, known->second, file.string());
    points.insert(points.end(), some.begin(), some.end());
  }
  return points;
}

}  // namespace doorbell::figures
