// Quantities of the PCIe arithmetic that need no simulation, by name.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "models/hardware/hardware_profile.hpp"

namespace doorbell::figures {

/// A number that a formula gives, with its metric and unit as references have them.
struct FormValue {
  double value = 0;
  std::string metric;
  std::string unit;
};

/// The quantities that `closed_form` knows.
[[nodiscard]] std::span<const std::string_view> closed_form_names();

/// Evaluates `quantity` for `size` bytes (of data, of a WQE or of a payload, as the quantity says) and `batch` work
/// requests. Source: Kalia et al. 2016, section 5.2.1 and Appendix A; for `infiniband_read_limit` Fig. 12, dashed.
/// Throws std::invalid_argument for unknown names.
[[nodiscard]] FormValue closed_form(std::string_view quantity, const model::HardwareProfile& hardware, Bytes size,
                                    int batch);

}  // namespace doorbell::figures
