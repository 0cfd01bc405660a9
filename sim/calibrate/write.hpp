// A profile with what a fit has found.
#pragma once

#include <filesystem>

#include "calibrate/fit.hpp"

namespace doorbell::calibrate {

/// Writes the plan's profile to `target` with the values found in place of its own, their provenance "fitted" and their
/// sources. Relative paths inside the profile are kept as they are. Throws figures::DefinitionError when `target`
/// cannot be written.
void write_profile(const Plan& plan, const Fit& fit, const std::filesystem::path& target);

}  // namespace doorbell::calibrate
