#include "scenario/quantity_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>
#include <utility>

#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

/// One unit: base = number * 10^exponent * factor. Powers of ten go into the literal's exponent and the factor is a
/// power of two, so each quantity is rounded once, by the conversion from decimal.
struct Unit {
  std::string_view name;
  Dimension dimension;
  int exponent;
  double factor = 1;
  bool best = false;  ///< Used when a value is printed.
};

constexpr double bit = 0.125;
constexpr double ki = 1024.0;

constexpr std::array all_units{
    Unit{"ps", Dimension::time, 0, 1, true},
    Unit{"ns", Dimension::time, 3, 1, true},
    Unit{"us", Dimension::time, 6, 1, true},
    Unit{"\u00b5s", Dimension::time, 6},
    Unit{"ms", Dimension::time, 9, 1, true},
    Unit{"s", Dimension::time, 12, 1, true},

    Unit{"B", Dimension::size, 0, 1, true},
    Unit{"kB", Dimension::size, 3, 1, true},
    Unit{"KiB", Dimension::size, 0, ki, true},
    Unit{"MB", Dimension::size, 6, 1, true},
    Unit{"MiB", Dimension::size, 0, ki* ki, true},
    Unit{"GB", Dimension::size, 9, 1, true},
    Unit{"GiB", Dimension::size, 0, ki* ki* ki, true},
    Unit{"TB", Dimension::size, 12, 1, true},
    Unit{"TiB", Dimension::size, 0, ki* ki* ki* ki, true},

    Unit{"b/s", Dimension::bandwidth, 0, bit},
    Unit{"B/s", Dimension::bandwidth, 0, 1, true},
    Unit{"kb/s", Dimension::bandwidth, 3, bit},
    Unit{"kB/s", Dimension::bandwidth, 3, 1, true},
    Unit{"KiB/s", Dimension::bandwidth, 0, ki},
    Unit{"Mb/s", Dimension::bandwidth, 6, bit},
    Unit{"MB/s", Dimension::bandwidth, 6, 1, true},
    Unit{"MiB/s", Dimension::bandwidth, 0, ki* ki},
    Unit{"Gb/s", Dimension::bandwidth, 9, bit},
    Unit{"GB/s", Dimension::bandwidth, 9, 1, true},
    Unit{"GiB/s", Dimension::bandwidth, 0, ki* ki* ki},
    Unit{"Tb/s", Dimension::bandwidth, 12, bit},
    Unit{"TB/s", Dimension::bandwidth, 12, 1, true},

    Unit{"/s", Dimension::rate, 0, 1, true},
    Unit{"k/s", Dimension::rate, 3, 1, true},
    Unit{"M/s", Dimension::rate, 6, 1, true},
    Unit{"G/s", Dimension::rate, 9, 1, true},
    Unit{"Hz", Dimension::rate, 0},
    Unit{"kHz", Dimension::rate, 3},
    Unit{"MHz", Dimension::rate, 6},
    Unit{"GHz", Dimension::rate, 9},
};

/// Splits "984.6 MB/s" into its digits, its decimal exponent and its unit.
struct Parts {
  std::string digits;
  int exponent = 0;
  std::string unit;
};

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::optional<Parts> split(std::string_view text) {
  text = trimmed(text);
  Parts parts;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) ++i;
  const std::size_t first_digit = i;
  while (i < text.size() && is_digit(text[i])) ++i;
  if (i == first_digit) return std::nullopt;
  if (i < text.size() && text[i] == '.') {
    const std::size_t fraction = ++i;
    while (i < text.size() && is_digit(text[i])) ++i;
    if (i == fraction) return std::nullopt;
  }
  parts.digits = text.substr(text.front() == '+' ? 1 : 0, i - (text.front() == '+' ? 1 : 0));
  // An e is an exponent only when digits follow.
  if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const std::size_t sign = i + 1;
    const std::size_t digit = text[sign] == '-' || text[sign] == '+' ? sign + 1 : sign;
    if (digit < text.size() && is_digit(text[digit])) {
      const char* begin = text.data() + (text[sign] == '+' ? digit : sign);
      const auto [end, error] = std::from_chars(begin, text.data() + text.size(), parts.exponent);
      if (error != std::errc{} || std::abs(parts.exponent) > 1000) return std::nullopt;
      i = static_cast<std::size_t>(end - text.data());
    }
  }
  parts.unit = trimmed(text.substr(i));
  return parts;
}

/// How many digits the number has before its point, counted from the first that is not zero; negative when it begins
/// after the point.
std::ptrdiff_t leading_power(std::string_view digits) {
  const std::size_t point = std::min(digits.find('.'), digits.size());
  const std::size_t leading = std::min(digits.find_first_of("123456789"), digits.size());
  return static_cast<std::ptrdiff_t>(point) - static_cast<std::ptrdiff_t>(leading);
}

/// Units written out are far from their abbreviations, letter by letter.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> spelled_out{{{"byte", "B"},
                                                                                     {"bytes", "B"},
                                                                                     {"sec", "s"},
                                                                                     {"second", "s"},
                                                                                     {"seconds", "s"},
                                                                                     {"microsecond", "us"},
                                                                                     {"microseconds", "us"},
                                                                                     {"millisecond", "ms"},
                                                                                     {"milliseconds", "ms"},
                                                                                     {"nanosecond", "ns"},
                                                                                     {"nanoseconds", "ns"},
                                                                                     {"Mops", "M/s"}}};

std::string meant_by(const std::string& unit, Dimension dimension) {
  const std::vector<std::string>& possible = units(dimension);
  const auto known = std::find_if(spelled_out.begin(), spelled_out.end(), [&](const auto& one) {
    return one.first == unit && std::find(possible.begin(), possible.end(), one.second) != possible.end();
  });
  return known == spelled_out.end() ? nearest(unit, possible) : std::string{known->second};
}

QuantityResult fault(QuantityFault kind, const std::string& unit, Dimension dimension) {
  return QuantityError{kind, unit, unit.empty() ? std::string{} : meant_by(unit, dimension)};
}

}  // namespace

QuantityResult parse_quantity(std::string_view text, Dimension dimension) {
  const auto parts = split(text);
  if (!parts) return fault(QuantityFault::malformed, {}, dimension);
  if (parts->unit.empty()) return fault(QuantityFault::no_unit, {}, dimension);
  const auto named = [&](const Unit& unit) { return unit.name == parts->unit; };
  const auto unit = std::find_if(all_units.begin(), all_units.end(), named);
  if (unit == all_units.end()) return fault(QuantityFault::unknown_unit, parts->unit, dimension);
  if (unit->dimension != dimension) return fault(QuantityFault::wrong_dimension, parts->unit, dimension);

  const std::string literal = fmt::format("{}e{}", parts->digits, parts->exponent + unit->exponent);
  double value = 0;
  const auto [end, error] = std::from_chars(literal.data(), literal.data() + literal.size(), value);
  if (error == std::errc::result_out_of_range) {
    // from_chars does not say which way: the power of ten of the leading digit does.
    if (leading_power(parts->digits) + parts->exponent < 0)
      return fault(QuantityFault::too_fine, parts->unit, dimension);
    return parts->digits.starts_with('-') ? -HUGE_VAL : HUGE_VAL;
  }
  value *= unit->factor;
  const bool discrete = dimension == Dimension::time || dimension == Dimension::size;
  if (dimension == Dimension::size && value != std::floor(value))
    return fault(QuantityFault::too_fine, parts->unit, dimension);
  if (dimension == Dimension::time && value != 0 && std::abs(value) < 0.5) {
    return fault(QuantityFault::too_fine, parts->unit, dimension);
  }
  return discrete ? std::round(value) : value;
}

const std::vector<std::string>& units(Dimension dimension) {
  static const auto lists = [] {
    std::array<std::vector<std::string>, 6> all;
    for (const Unit& unit : all_units) {
      const bool spelling = unit.name == "\u00b5s";
      if (!spelling) all.at(static_cast<std::size_t>(unit.dimension)).emplace_back(unit.name);
    }
    return all;
  }();
  return lists.at(static_cast<std::size_t>(dimension));
}

std::string_view dimension_name(Dimension dimension) {
  constexpr std::array<std::string_view, 6> names{"a count", "a number", "a time", "a size", "a bandwidth", "a rate"};
  return names.at(static_cast<std::size_t>(dimension));
}

std::string format_quantity(double value, Dimension dimension) {
  if (dimension == Dimension::count) return fmt::format("{:.0f}", value);
  if (dimension == Dimension::number) return fmt::format("{:.6g}", value);
  if (dimension == Dimension::time) value *= 1e12;
  const double magnitude = std::abs(value);
  const Unit* chosen = nullptr;
  const Unit* binary = nullptr;
  for (const Unit& unit : all_units) {
    if (unit.dimension != dimension || !unit.best) continue;
    const double scale = std::pow(10.0, unit.exponent) * unit.factor;
    const bool whole_power_of_two = unit.factor > 1 && magnitude >= scale && std::fmod(magnitude, scale) == 0;
    if (whole_power_of_two) binary = &unit;
    if (unit.factor > 1) continue;
    if (chosen == nullptr || magnitude >= scale) chosen = &unit;
  }
  const Unit& unit = binary != nullptr && std::fmod(magnitude, 1000) != 0 ? *binary : *chosen;
  // A zero reads better in the everyday unit than in picoseconds.
  if (value == 0 && dimension == Dimension::time) return "0 ns";
  return fmt::format("{:.6g} {}", value / (std::pow(10.0, unit.exponent) * unit.factor), unit.name);
}

}  // namespace doorbell::scenario
