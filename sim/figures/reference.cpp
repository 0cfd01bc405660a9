#include "figures/reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "scenario/error.hpp"
#include "scenario/parse.hpp"
#include "scenario/words.hpp"

namespace doorbell::figures {
namespace {

using scenario::ErrorCode;
using scenario::in_quotes;
using scenario::Location;
using scenario::ScenarioError;

constexpr std::string_view header = "series,x,metric,unit,value,uncertainty,set,note";
constexpr std::size_t cells_of_row = 8;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // with which spreadsheets begin a CSV
constexpr std::uintmax_t largest_table = 256U << 20U;

[[noreturn]] void refuse_cell(ErrorCode code, const Location& at, std::string expected, std::string found,
                              std::string suggestion = {}) {
  throw ScenarioError{{code, at, std::string{}, std::move(expected), std::move(found), std::move(suggestion)}};
}

Use read_use(const CsvLine& line) {
  const std::string& text = line.cells[static_cast<std::size_t>(Cell::set)];
  std::vector<std::string> words;
  for (const Use use : {Use::none, Use::fit, Use::validation}) {
    if (text == to_string(use)) return use;
    words.push_back(to_string(use));
  }
  // An abbreviation is further from its word than a misspelling.
  const auto whole =
      std::ranges::find_if(words, [&](const auto& word) { return !text.empty() && word.starts_with(text); });
  refuse_cell(ErrorCode::unknown_choice, line.place_of(static_cast<std::size_t>(Cell::set)),
              scenario::alternatives(words), in_quotes(text),
              whole != words.end() ? *whole : scenario::nearest(text, words));
}

ReferencePoint point_in(const CsvLine& line) {
  require_shown_as_written(line);
  const auto text = [&](Cell cell) { return line.cells[static_cast<std::size_t>(cell)]; };
  const auto number = [&](Cell cell, const char* expected) {
    return number_in(line, static_cast<std::size_t>(cell), expected);
  };
  ReferencePoint point;
  point.at = line.at;
  point.columns = line.columns;
  point.series = text(Cell::series);
  if (parse_number(text(Cell::x))) {
    point.x = number(Cell::x, "a number as x");
  } else {
    point.x = text(Cell::x);
  }
  point.metric = text(Cell::metric);
  point.unit = text(Cell::unit);
  point.value = number(Cell::value, "a number as value");
  point.uncertainty = number(Cell::uncertainty, "a number as uncertainty");
  if (point.uncertainty < 0) {
    refuse_cell(ErrorCode::out_of_range, point.place_of(Cell::uncertainty), "an uncertainty not below 0",
                text(Cell::uncertainty));
  }
  point.use = read_use(line);
  point.note = text(Cell::note);
  require_measurable(point);
  return point;
}

CsvLine split_at_blanks(std::string_view line, const Location& at) {
  CsvLine split{at, {}};
  std::string_view rest = line;
  int column = 1;
  for (const std::string_view word : scenario::words_of(line)) {
    column += scenario::column_of(word, rest) - 1;
    rest = line.substr(static_cast<std::size_t>(word.data() - line.data()));
    split.cells.emplace_back(word);
    split.columns.push_back(column);
  }
  split.columns.push_back(scenario::characters_in(line) + 1);
  return split;
}

/// What is no text would get into results, which are.
void require_utf8(std::string_view line, const Location& at) {
  const std::size_t broken = scenario::broken_character(line);
  if (broken == std::string_view::npos) return;
  refuse_cell(ErrorCode::encoding, {at.file, at.line, scenario::characters_in(line.substr(0, broken)) + 1},
              "UTF-8 text", "another byte");
}

template <class Split>
std::vector<CsvLine> read_lines(const std::filesystem::path& file, const std::optional<Mention>& mention, Split split) {
  const auto name = std::make_shared<const std::string>(file.string());
  const Mention from = mention ? *mention : Mention{{name, 1, 1}, std::string{}};
  const std::string content = scenario::read_text(file, from.at, from.pointer, largest_table);
  std::string_view rest = content;
  if (rest.starts_with(byte_order_mark)) rest.remove_prefix(byte_order_mark.size());
  std::vector<CsvLine> lines;
  for (int number = 1; !rest.empty(); ++number) {
    const std::size_t end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || line.front() == '#') continue;
    const Location at{name, number, 1};
    require_utf8(line, at);
    lines.push_back(split(line, at));
  }
  return lines;
}

void require_header(const CsvLine& line) {
  const CsvLine wanted = split_csv_line(header, {});
  if (line.cells == wanted.cells) return;
  const auto [found, missing] = std::ranges::mismatch(line.cells, wanted.cells);
  const auto cell = static_cast<std::size_t>(found - line.cells.begin());
  const bool is_there = found != line.cells.end();
  std::string meant = is_there ? scenario::nearest(*found, wanted.cells) : std::string{};
  if (is_there && meant == *found) meant = missing != wanted.cells.end() ? *missing : std::string{};
  refuse_cell(ErrorCode::malformed_table, line.place_of(cell), fmt::format("the columns {}", header),
              is_there ? in_quotes(*found) : fmt::format("{} of them", line.cells.size()), std::move(meant));
}

Location at_column(Location at, const std::vector<int>& columns, std::size_t cell) {
  if (!columns.empty()) at.column = columns[std::min(cell, columns.size() - 1)];
  return at;
}

}  // namespace

Location ReferencePoint::place_of(Cell cell) const { return at_column(at, columns, static_cast<std::size_t>(cell)); }

Location CsvLine::place_of(std::size_t cell) const { return at_column(at, columns, cell); }

void require_cells(const CsvLine& line, std::size_t count) {
  if (line.cells.size() == count) return;
  refuse_cell(ErrorCode::malformed_table, line.place_of(count), fmt::format("{} cells", count),
              std::to_string(line.cells.size()));
}

void require_shown_as_written(const CsvLine& line) {
  for (std::size_t i = 0; i < line.cells.size(); ++i) {
    if (!scenario::has_control_character(line.cells[i])) continue;
    scenario::refuse_control_character(line.cells[i], line.place_of(i), {});
  }
}

double number_in(const CsvLine& line, std::size_t cell, const std::string& expected) {
  const std::string& text = line.cells[cell];
  if (const auto number = parse_number(text)) {
    // So small that sums and products of it stay numbers.
    constexpr double largest = 1e100;
    if (std::abs(*number) <= largest) return *number;
    refuse_cell(ErrorCode::malformed_table, line.place_of(cell),
                fmt::format("a number from {} to {}", -largest, largest), in_quotes(text));
  }
  std::string with_point = text;
  std::ranges::replace(with_point, ',', '.');  // as in most of Europe
  const std::size_t comma = text.find(',');
  const bool groups_thousands = comma != std::string::npos && text.size() - comma == 4;
  const bool suggests = parse_number(with_point) && !groups_thousands;
  refuse_cell(ErrorCode::wrong_type, line.place_of(cell), expected, in_quotes(text),
              suggests ? with_point : std::string{});
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(number)) return std::nullopt;
  return number;
}

void require_measurable(const ReferencePoint& point, std::string_view origin) {
  constexpr std::array<std::string_view, 4> plain{"throughput", "relative_throughput", "bandwidth", "mean_batch"};
  const bool is_relative = std::find(plain.begin(), plain.end(), point.metric) != plain.end() ||
                           point.metric.starts_with("latency_") || point.metric.starts_with("time per ");
  if (is_relative ? point.value > 0 : point.value >= 0) return;
  refuse_cell(ErrorCode::out_of_range, point.place_of(Cell::value),
              fmt::format("a value {} for {}", is_relative ? "above 0" : "not below 0", point.metric),
              fmt::format("{}{}", point.value, origin));
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

CsvLine split_csv_line(std::string_view line, const Location& at) {
  CsvLine split{at, std::vector<std::string>(1), {1}};
  std::string* cell = &split.cells.back();
  int column = 0;
  int opened = 0;  // column of the quote that is open, or 0
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    column += scenario::starts_character(c) ? 1 : 0;
    if (c == '"' && opened > 0 && i + 1 < line.size() && line[i + 1] == '"') {
      *cell += c;
      ++i;
      ++column;
    } else if (c == '"') {
      opened = opened > 0 ? 0 : column;
    } else if (c == ',' && opened == 0) {
      cell = &split.cells.emplace_back();
      split.columns.push_back(column + 1);
    } else {
      *cell += c;
    }
  }
  split.columns.push_back(column + 1);
  if (opened == 0) return split;
  Location quote = at;
  quote.column = opened;
  refuse_cell(ErrorCode::malformed_table, quote, "a quote that ends on its line", "none that ends it");
}

std::vector<CsvLine> read_csv(const std::filesystem::path& file, const std::optional<Mention>& mention) {
  return read_lines(file, mention, split_csv_line);
}

std::vector<CsvLine> read_cells(const std::filesystem::path& file) { return read_lines(file, {}, split_at_blanks); }

std::vector<ReferencePoint> read_reference(const std::filesystem::path& file, const std::optional<Mention>& mention) {
  const std::vector<CsvLine> lines = read_csv(file, mention);
  if (lines.empty()) {
    refuse_cell(ErrorCode::malformed_table, {std::make_shared<const std::string>(file.string()), 1, 1},
                fmt::format("the columns {}", header), "none");
  }
  require_header(lines.front());
  if (lines.size() == 1) refuse_cell(ErrorCode::malformed_table, lines.front().at, "rows below the columns", "none");
  std::vector<ReferencePoint> points;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    require_cells(lines[i], cells_of_row);
    ReferencePoint point = point_in(lines[i]);
    const auto before = std::ranges::find_if(points, [&](const ReferencePoint& other) {
      return other.series == point.series && other.x == point.x && other.metric == point.metric;
    });
    if (before != points.end()) {
      refuse_cell(ErrorCode::named_twice, point.at,
                  fmt::format("another series, x or metric than in line {}", before->at.line),
                  fmt::format("{} of {} at {} again", point.metric, in_quotes(point.series), to_string(point.x)));
    }
    points.push_back(std::move(point));
  }
  return points;
}

}  // namespace doorbell::figures
