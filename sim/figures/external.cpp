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

std::vector<ReferencePoint> points_of(const ExternalTable& table, const ExternalSeries& series, const Columns& columns,
                                      const std::vector<Row>& rows) {
  const std::size_t x = columns.of(series.x);
  const std::size_t value = columns.of(table.value);
  const std::size_t low = columns.of(table.low);
  const std::size_t high = columns.of(table.high);
  const auto belongs = [&](const Row& row) {
    return std::all_of(series.where.begin(), series.where.end(),
                       [&](const auto& cell) { return row.cells[columns.of(cell.first)] == cell.second; });
  };
  std::map<double, Repeated> measured;
  for (const Row& row : rows) {
    if (!belongs(row)) continue;
    Repeated& point = measured[row.number(x) * series.scale];
    point.sum += row.number(value);
    point.low = std::min(point.low, row.number(low));
    point.high = std::max(point.high, row.number(high));
    ++point.times;
  }
  std::vector<ReferencePoint> points;
  points.reserve(measured.size());
  for (const auto& [at, point] : measured) {
    points.push_back({.series = series.series,
                      .x = at,
                      .metric = table.metric,
                      .unit = table.unit,
                      .value = point.sum / point.times,
                      .uncertainty = (point.high - point.low) / 2,
                      .use = table.use,
                      .note = {}});
  }
  return points;
}

}  // namespace

std::vector<ReferencePoint> read_external(const ExternalTable& table, const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / table.file;
  const std::vector<CsvLine> lines = read_csv(file);
  if (lines.empty()) throw DefinitionError{fmt::format("{}: has no header line", file.string())};
  const Columns columns{file, lines.front().cells};
  std::vector<Row> rows;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    Row row{lines[i].cells, fmt::format("{}:{}", file.string(), lines[i].number)};
    if (row.cells.size() != columns.count()) {
      throw DefinitionError{fmt::format("{}: {} cells, expected {}", row.place, row.cells.size(), columns.count())};
    }
    rows.push_back(std::move(row));
  }
  std::vector<ReferencePoint> points;
  for (const ExternalSeries& series : table.series) {
    const std::vector<ReferencePoint> some = points_of(table, series, columns, rows);
    if (some.empty()) throw DefinitionError{fmt::format("{}: has no rows for '{}'", file.string(), series.series)};
    points.insert(points.end(), some.begin(), some.end());
  }
  return points;
}

}  // namespace doorbell::figures
