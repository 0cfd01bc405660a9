// Quantities as people write them: "4 KiB", "984.6 MB/s", "56 Gb/s", "450 ns", "10 M/s", "2.0 GHz".
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/quantity.hpp"

namespace doorbell::scenario {

/// What a value measures; `count` and `number` have no unit.
enum class Dimension { count, number, time, size, bandwidth, rate };

/// Why a text is no quantity of the dimension asked for.
enum class QuantityFault { malformed, no_unit, unknown_unit, wrong_dimension, too_fine };

struct QuantityError {
  QuantityFault fault = QuantityFault::malformed;
  std::string unit;        ///< The unit as written, when there is one.
  std::string suggestion;  ///< The nearest unit.
};

/// A value in the base unit of its dimension (ps for time, otherwise B, B/s, 1/s), correctly rounded; or what is wrong.
using QuantityResult = std::variant<double, QuantityError>;

/// Reads a number and a unit of the given dimension. k, M, G, T are powers of 1000, Ki, Mi, Gi, Ti of 1024; b is a bit,
/// B a byte.
[[nodiscard]] QuantityResult parse_quantity(std::string_view text, Dimension dimension);

/// The units of a dimension, smallest first ("ps", "ns", ...). "us" may also be written "µs".
[[nodiscard]] const std::vector<std::string>& units(Dimension dimension);

/// "a time", "a size" and so on.
[[nodiscard]] std::string_view dimension_name(Dimension dimension);

/// A value in the unit that reads best, with up to six digits: `450 ns`, `4 KiB`, `984.6 MB/s`. The value is in the
/// unit of a FieldInfo's limits: seconds for time.
[[nodiscard]] std::string format_quantity(double value, Dimension dimension);

}  // namespace doorbell::scenario
