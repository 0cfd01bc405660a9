#include "scenario/doubt.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <variant>

#include "scenario/leaf.hpp"
#include "scenario/quantity_text.hpp"

namespace doorbell::scenario {
namespace {

/// The name of a parameter inside its profile: "nic/tx_message".
std::string_view last_two(std::string_view pointer) {
  const std::size_t end = pointer.rfind('/');
  const std::size_t begin = end == std::string_view::npos || end == 0 ? 0 : pointer.rfind('/', end - 1) + 1;
  return pointer.substr(begin);
}

/// Whether both are the same entry of the same profile, read for two machines. What a scenario says itself, or leaves
/// to a default, is about one thing only.
bool same(const Parameter& one, const Parameter& other) {
  const std::vector<std::string>& of_profiles = provenance_words();
  const bool in_profile = std::find(of_profiles.begin(), of_profiles.end(), one.provenance) != of_profiles.end();
  return in_profile && last_two(one.pointer) == last_two(other.pointer) && one.value == other.value &&
         one.provenance == other.provenance && one.source == other.source;
}

/// What a value of this unit is a multiple of, in the unit: a count, of one; a time, of a picosecond. 0: none.
double resolution(std::string_view digits, std::string_view unit) {
  if (unit == " ps") return 1;
  if (unit == " ns") return 1e-3;
  if (unit == " us") return 1e-6;
  return unit.empty() && digits.find_first_of(".eE") == std::string_view::npos ? 1 : 0;
}

/// Bytes stay whole: where the unit would need a fraction, in bytes.
std::optional<std::string> scaled_size(double number, std::string_view unit, double bytes, double factor) {
  const double scaled = std::round(bytes * factor);
  if (scaled == 0 || scaled == bytes) return {};
  const double in_unit = scaled / (bytes / number);
  return in_unit == std::floor(in_unit) ? fmt::format("{:.0f}{}", in_unit, unit) : fmt::format("{:.0f} B", scaled);
}

/// How long and how exactly something is measured, and with which random numbers, is no property of it.
bool is_of_measurement(std::string_view pointer) {
  const bool second = std::count(pointer.begin(), pointer.end(), '/') == 2;
  return pointer == "/seed" || pointer == "/measure/relative_ci" ||
         (second && (pointer.ends_with("/warmup") || pointer.ends_with("/duration")));
}

}  // namespace

std::optional<std::string> scaled_value(std::string_view value, double factor) {
  double number = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (error != std::errc{} || !std::isfinite(number) || number == 0) return {};
  const std::string_view digits = value.substr(0, static_cast<std::size_t>(end - value.data()));
  const std::string_view unit = value.substr(digits.size());
  if (!unit.empty() && unit.front() != ' ') return {};
  const QuantityResult size = parse_quantity(value, Dimension::size);
  if (const double* bytes = std::get_if<double>(&size)) return scaled_size(number, unit, *bytes, factor);
  const double step = resolution(digits, unit);
  const double scaled = step > 0 ? std::round(number * factor / step) * step : number * factor;
  if (scaled == 0 || scaled == number) return {};
  return fmt::format("{:.12g}{}", scaled, unit);
}

std::vector<Doubt> doubts(const std::vector<Parameter>& parameters, const std::vector<std::string>& provenances,
                          double factor) {
  std::vector<Doubt> all;
  for (const Parameter& parameter : parameters) {
    if (std::find(provenances.begin(), provenances.end(), parameter.provenance) == provenances.end()) continue;
    if (is_of_measurement(parameter.pointer)) continue;
    const auto known =
        std::find_if(all.begin(), all.end(), [&](const Doubt& d) { return same(d.parameter, parameter); });
    if (known != all.end()) {
      known->pointers.push_back(parameter.pointer);
      continue;
    }
    Doubt doubt{{parameter.pointer},
                parameter,
                scaled_value(parameter.value, 1 / factor),
                scaled_value(parameter.value, factor)};
    if (doubt.low || doubt.high) all.push_back(std::move(doubt));
  }
  return all;
}

}  // namespace doorbell::scenario
