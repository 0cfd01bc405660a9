#include "cli/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "scenario/location.hpp"

namespace doorbell::cli {
namespace {

using scenario::starts_character;

struct Scale {
  double factor;
  std::string_view unit;
};

constexpr std::array rates{Scale{1, "/s"}, Scale{1e3, "k/s"}, Scale{1e6, "M/s"}, Scale{1e9, "G/s"}};
constexpr std::array bandwidths{Scale{1, "B/s"}, Scale{1e3, "kB/s"}, Scale{1e6, "MB/s"}, Scale{1e9, "GB/s"}};
constexpr std::array times{Scale{1, "ns"}, Scale{1e3, "us"}, Scale{1e6, "ms"}, Scale{1e9, "s"}};

/// The value in the largest unit that is not larger than it, with four digits, or so many decimals.
template <std::size_t N>
std::string scaled(double value, const std::array<Scale, N>& scales, std::optional<int> decimals = {}) {
  const Scale* chosen = &scales.front();
  for (const Scale& scale : scales) {
    // 999.96 would round to 1000 of the smaller unit.
    if (std::abs(value) >= scale.factor * 0.99995) chosen = &scale;
  }
  const double shown = value / chosen->factor;
  const double magnitude = std::abs(shown);
  const int digits = magnitude >= 1000 || magnitude == 0 ? 0 : magnitude >= 99.995 ? 1 : magnitude >= 9.9995 ? 2 : 3;
  return fmt::format("{:.{}f} {}", shown, decimals.value_or(digits), chosen->unit);
}

std::string padding(std::size_t columns) { return std::string(columns, ' '); }

/// No-break spaces have done what they are for where lines are broken.
std::string with_usual_spaces(std::string text) {
  for (std::size_t at = 0; (at = text.find(no_break_space, at)) != std::string::npos; ++at) {
    text.replace(at, no_break_space.size(), " ");
  }
  return text;
}

bool is_number(const std::string& cell) {
  return !cell.empty() && (std::isdigit(static_cast<unsigned char>(cell.front())) != 0 || cell.front() == '-');
}

constexpr std::size_t column_gap = 2;

std::vector<std::size_t> column_widths(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  return widths;
}

/// Columns are aligned by what their first row below the heading is.
std::string aligned(const std::vector<std::string>& row, const std::vector<std::vector<std::string>>& rows,
                    const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool to_the_right = rows.size() > 1 && is_number(rows[1][i]);
    const std::string gap = padding(widths[i] - width(row[i]));
    line += padding(i == 0 ? 0 : column_gap) + (to_the_right ? gap + row[i] : row[i] + gap);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

}  // namespace

std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string shortened(std::string_view text, std::size_t columns) {
  if (width(text) <= columns) return std::string{text};
  const std::size_t kept = columns > 3 ? columns - 3 : 0;
  std::size_t end = 0;
  for (std::size_t shown = 0; end < text.size(); ++end) {
    if (starts_character(text[end]) && shown++ == kept) break;
  }
  return std::string{text.substr(0, end)} + std::string(std::min<std::size_t>(columns, 3), '.');
}

std::string wrapped(std::string_view text, std::size_t indent, Layout layout) {
  std::string lines;
  std::size_t column = 0;
  while (!text.empty()) {
    // A word with the spaces before it: they stay, so that columns stay, except where the line breaks.
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::string word = shortened(text.substr(begin, end - begin), layout.tables - indent);
    const bool fits = column + begin + width(word) <= layout.prose;
    lines += fits ? padding(begin) : "\n" + padding(indent);
    column = (fits ? column + begin : indent) + width(word);
    lines += word;
    text.remove_prefix(end);
  }
  return with_usual_spaces(lines) + "\n";
}

std::string kept_together(std::string text) {
  for (std::size_t at = 0; (at = text.find(' ', at)) != std::string::npos; at += no_break_space.size()) {
    text.replace(at, 1, no_break_space);
  }
  return text;
}

std::string number_text(double value, int digits) {
  // Half less, or rounding would lead to an exponent.
  const bool small = std::abs(value) < std::pow(10, digits) - 0.5;
  return small ? fmt::format("{:.{}g}", value, digits) : fmt::format("{:.0f}", value);
}

std::string rate_text(Rate rate) { return scaled(rate.per_second, rates); }

std::string bandwidth_text(Bandwidth bandwidth) { return scaled(bandwidth.bytes_per_second, bandwidths); }

std::string time_text(Time time) { return scaled(to_nanoseconds(time), times); }

std::string time_text(Time time, int decimals) { return scaled(to_nanoseconds(time), times, decimals); }

std::string bar(double share, std::size_t columns) {
  const double clamped = std::clamp(share, 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(std::lround(clamped * static_cast<double>(columns)));
  return std::string(filled, '#') + std::string(columns - filled, '.');
}

std::vector<std::string> short_names(const std::vector<std::string>& paths, int segments) {
  std::vector<std::string> names;
  for (const std::string& path : paths) {
    const auto longer = [&](std::size_t from) { return path.rfind('/', from - 1); };
    std::size_t start = path.rfind('/');
    for (int i = 1; i < segments && start != std::string::npos && start > 0; ++i) start = longer(start);
    const auto ambiguous = [&](std::size_t from) {
      return std::count_if(paths.begin(), paths.end(),
                           [&](const std::string& other) { return other.ends_with(path.substr(from)); }) > 1;
    };
    const auto item = [&](std::size_t from) { return std::isdigit(static_cast<unsigned char>(path[from + 1])) != 0; };
    while (start != std::string::npos && start > 0 && (ambiguous(start) || item(start))) start = longer(start);
    names.push_back(start == std::string::npos ? path : path.substr(start + 1));
  }
  return names;
}

bool table_fits(const std::vector<std::vector<std::string>>& rows, Layout layout) {
  return table_width(rows, 0) - column_gap <= layout.tables;
}

void shorten_column(std::vector<std::vector<std::string>>& rows, std::size_t column, Layout layout) {
  const std::size_t needed = table_width(rows, 0) - column_gap;
  if (needed <= layout.tables) return;
  constexpr std::size_t least = 8;
  const std::size_t now = column_widths(rows)[column];
  const std::size_t excess = needed - layout.tables;
  for (auto& row : rows) row[column] = shortened(row[column], now > excess + least ? now - excess : least);
}

std::size_t table_width(const std::vector<std::vector<std::string>>& rows, std::size_t without) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::size_t sum = 0;
  for (std::size_t i = 0; i + without < widths.size(); ++i) sum += widths[i] + column_gap;
  return sum;
}

std::string table(const std::vector<std::vector<std::string>>& rows, Layout layout) {
  const std::vector<std::size_t> widths = column_widths(rows);
  std::string text;
  for (const auto& row : rows) text += shortened(aligned(row, rows, widths), layout.tables) + "\n";
  return text;
}

std::vector<std::string> lines_of_rows(const std::vector<std::vector<std::string>>& rows, Layout layout) {
  std::vector<std::size_t> widths = column_widths(rows);
  const std::size_t excess = table_fits(rows, layout) ? 0 : table_width(rows, 0) - column_gap - layout.tables;
  widths[0] -= std::min(widths[0], excess);
  std::vector<std::string> lines;
  for (std::vector<std::string> row : rows) {
    std::string& text = lines.emplace_back();
    if (width(row[0]) > widths[0]) text = shortened(std::exchange(row[0], ""), layout.tables) + "\n";
    text += shortened(aligned(row, rows, widths), layout.tables) + "\n";
  }
  return lines;
}

}  // namespace doorbell::cli
