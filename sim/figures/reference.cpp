#include "figures/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

#include "scenario/error.hpp"
#include "scenario/parse.hpp"

namespace doorbell::figures {
namespace {

constexpr std::string_view header = "series,x,metric,unit,value,uncertainty,set,note";
constexpr std::size_t columns = 8;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // with which spreadsheets begin a CSV

std::optional<Use> parse_use(std::string_view text) {
  for (const Use use : {Use::none, Use::fit, Use::validation}) {
    if (text == to_string(use)) return use;
  }
  return std::nullopt;
}

ReferencePoint parse_row(const std::vector<std::string>& cells, const std::string& place) {
  const auto number = [&](std::size_t column, std::string_view name) {
    const auto parsed = parse_number(cells[column]);
    if (!parsed) throw DefinitionError{fmt::format("{}: {} is not a number: '{}'", place, name, cells[column])};
    return *parsed;
  };
  for (const std::string& cell : cells) {
    if (!scenario::has_control_character(cell)) continue;
    throw DefinitionError{
        fmt::format("{}: expected text without control characters, found {}", place, scenario::in_quotes(cell))};
  }
  ReferencePoint point;
  point.series = cells[0];
  if (const auto x = parse_number(cells[1])) {
    point.x = *x;
  } else {
    point.x = cells[1];
  }
  point.metric = cells[2];
  point.unit = cells[3];
  point.value = number(4, "value");
  point.uncertainty = number(5, "uncertainty");
  if (point.uncertainty < 0) throw DefinitionError{fmt::format("{}: uncertainty is negative", place)};
  const auto use = parse_use(cells[6]);
  if (!use) {
    throw DefinitionError{fmt::format("{}: set is '{}', expected none, fit or validation", place, cells[6])};
  }
  point.use = *use;
  point.note = cells[7];
  point.place = place;
  require_measurable(point);
  return point;
}

std::vector<std::string> split_at_blanks(const std::string& line) {
  std::istringstream text{line};
  return {std::istream_iterator<std::string>{text}, {}};
}

template <class Split> std::vector<CsvLine> read_lines(const std::filesystem::path& file, Split split) {
  // A folder opens like an empty file.
  if (std::filesystem::is_directory(file)) {
    throw DefinitionError{fmt::format("{}: expected a file, found a folder", file.string())};
  }
  std::ifstream input{file};
  if (!input) throw DefinitionError{fmt::format("{}: cannot be read", file.string())};
  std::vector<CsvLine> lines;
  std::string line;
  for (int number = 1; std::getline(input, line); ++number) {
    if (number == 1 && line.starts_with(byte_order_mark)) line.erase(0, byte_order_mark.size());
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty() || line.front() == '#') continue;
    lines.push_back({number, split(line)});
  }
  return lines;
}

}  // namespace

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

void require_measurable(const ReferencePoint& point) {
  constexpr std::array<std::string_view, 4> plain{"throughput", "relative_throughput", "bandwidth", "mean_batch"};
  const bool is_relative = std::find(plain.begin(), plain.end(), point.metric) != plain.end() ||
                           point.metric.starts_with("latency_") || point.metric.starts_with("time per ");
  if (is_relative ? point.value > 0 : point.value >= 0) return;
  throw DefinitionError{fmt::format("{}: expected a value {} for {}, found {}", point.place,
                                    is_relative ? "above 0" : "not below 0", point.metric, point.value)};
}

std::string to_string(const Position& position) {
  if (const auto* number = std::get_if<double>(&position)) return fmt::format("{}", *number);
  return std::get<std::string>(position);
}

std::string to_string(Use use) {
  switch (use) {
    case Use::none: return "none";
    case Use::fit: return "fit";
    case Use::validation: break;
  }
  return "validation";
}

std::vector<std::string> split_csv_line(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (c == '"' && quoted && i + 1 < line.size() && line[i + 1] == '"') {
      cells.back() += c;
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += c;
    }
  }
  return cells;
}

std::vector<CsvLine> read_csv(const std::filesystem::path& file) { return read_lines(file, split_csv_line); }

std::vector<CsvLine> read_cells(const std::filesystem::path& file) { return read_lines(file, split_at_blanks); }

std::vector<ReferencePoint> read_reference(const std::filesystem::path& file) {
  const std::vector<CsvLine> lines = read_csv(file);
  if (lines.empty()) throw DefinitionError{fmt::format("{}: has no header line", file.string())};
  std::vector<ReferencePoint> points;
  for (const CsvLine& line : lines) {
    const std::string place = fmt::format("{}:{}", file.string(), line.number);
    if (&line == &lines.front()) {
      if (line.cells != split_csv_line(std::string{header})) {
        throw DefinitionError{fmt::format("{}: expected the columns {}", place, header)};
      }
      continue;
    }
    if (line.cells.size() != columns) {
      throw DefinitionError{fmt::format("{}: {} cells, expected {}", place, line.cells.size(), columns)};
    }
    ReferencePoint point = parse_row(line.cells, place);
    const auto same = std::find_if(points.begin(), points.end(), [&](const ReferencePoint& other) {
      return other.series == point.series && other.x == point.x && other.metric == point.metric;
    });
    if (same != points.end()) {
      throw DefinitionError{fmt::format("{}: {} of '{}' at {} has a value already", place, point.metric, point.series,
                                        to_string(point.x))};
    }
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace doorbell::figures
