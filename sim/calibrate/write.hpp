// A profile with what a fit has found.
#pragma once

#include <filesystem>
#include <string>

#include "calibrate/fit.hpp"

namespace doorbell::calibrate {

/// The plan's profile with the values found in place of its own, their provenance "fitted" and their sources, which
/// tell where the points of a stage do not fit, as the text of the file `target`: paths inside it are relative to that.
/// Values that the points do not determine or that the plan gives are "assumed". Throws scenario::ScenarioError when
/// the profile cannot be read.
[[nodiscard]] std::string profile_with(const Plan& plan, const Fit& fit, const std::filesystem::path& target);

}  // namespace doorbell::calibrate
