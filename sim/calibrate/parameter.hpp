// One number of a hardware profile, by its JSON pointer.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "models/hardware.hpp"

namespace doorbell::calibrate {

/// The parameter at `pointer` ("/nic/tx_message") in the base unit of its type: seconds, bytes, bytes or operations per
/// second, or the bare number. Nothing when there is no single number at that place.
[[nodiscard]] std::optional<double> get(const model::HardwareProfile& hardware, std::string_view pointer);

/// The same as text with its unit, as profiles spell it. Throws std::invalid_argument when there is no number.
[[nodiscard]] std::string text(const model::HardwareProfile& hardware, std::string_view pointer);

/// Sets it; counts, bytes and times are rounded to their resolution. Throws std::invalid_argument when there is none.
void set(model::HardwareProfile& hardware, std::string_view pointer, double value);

}  // namespace doorbell::calibrate
