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

/// What of a profile is varied, and in which hardware of a scenario it is found again.
struct Varied {
  std::string title;                  ///< Of the profile.
  Machine profile;                    ///< As its file has it.
  std::vector<std::string> pointers;  ///< To the numbers that vary.
};

/// Gives the numbers that vary their values in `trial`, wherever the scenario has the profile as hardware of machines,
/// of a storage server or of a dma scenario; scenarios of other kinds keep no titles. All other numbers stay, since
/// that hardware may extend the profile. So does one that is not the profile's: the scenario has a value of its own.
/// Returns what was set somewhere, in the order of the pointers.
std::vector<std::string> vary(model::Scenario& scenario, const Varied& varied, const Machine& trial);

}  // namespace doorbell::calibrate
