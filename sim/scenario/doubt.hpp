// Which parameters a result stands on that nobody has measured, and what else they might be.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/explain.hpp"

namespace doorbell::scenario {

/// One parameter with two other values. Machines that read the same profile share its parameters: these are varied
/// together.
struct Doubt {
  std::vector<std::string> pointers;  ///< Where it stands: /machines/server/hardware/nic/tx_message, ...
  Parameter parameter;                ///< As explain() tells it, of the first of them.
  std::optional<std::string> low;     ///< As it would be written: "4.1 ns"; none where no smaller value makes sense.
  std::optional<std::string> high;
};

/// `value`, a number with or without a unit, times `factor`. Whole numbers and bytes stay whole. None for what is no
/// number, for zero, and where rounding gives the same value again.
[[nodiscard]] std::optional<std::string> scaled_value(std::string_view value, double factor);

/// Those of `parameters` whose provenance is one of `provenances`, in their order, each divided and multiplied by
/// `factor` (more than 1). Those that are no numbers are left out, and those of the measurement: warm-up, duration,
/// seed.
[[nodiscard]] std::vector<Doubt> doubts(const std::vector<Parameter>& parameters,
                                        const std::vector<std::string>& provenances, double factor);

}  // namespace doorbell::scenario
