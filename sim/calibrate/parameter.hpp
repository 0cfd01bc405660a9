// One number of a profile, by its JSON pointer.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "models/hardware/hardware_profile.hpp"
#include "models/scenario.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::calibrate {

/// What can be calibrated.
using Machine = std::variant<model::HardwareProfile, model::StorageServer, model::DmaMachine>;

/// The parameter at `pointer` ("/nic/tx_message") in the base unit of its type: seconds, bytes, bytes or operations per
/// second, or the bare number. Nothing when there is no single number at that place.
[[nodiscard]] std::optional<double> get(const Machine& machine, std::string_view pointer);

/// The same as text with its unit, as profiles spell it. Throws std::invalid_argument when there is no number.
[[nodiscard]] std::string text(const Machine& machine, std::string_view pointer);

/// What its description allows, in the unit of get(). Throws std::invalid_argument when there is no number.
struct Limits {
  double min = 0;
  double max = 0;
};
[[nodiscard]] Limits limits(const Machine& machine, std::string_view pointer);

/// The pointers of all its numbers.
[[nodiscard]] std::vector<std::string> paths(const Machine& machine);

/// Sets one; counts, bytes and times are rounded to their resolution. Throws std::invalid_argument when there is none.
void set(Machine& machine, std::string_view pointer, double value);

/// Puts it in the place of the profile of this title, wherever the scenario has that as hardware of machines, of a
/// storage server or of a dma scenario; scenarios of other kinds keep no titles. False when there is no such place.
[[nodiscard]] bool replace(model::Scenario& scenario, const std::string& title, const Machine& machine);

}  // namespace doorbell::calibrate
