// What a stage found for an unknown, beside what the profile says.
#pragma once

#include "calibrate/fit.hpp"
#include "calibrate/interval.hpp"
#include "calibrate/parameter.hpp"

namespace doorbell::calibrate {

/// `machine` has what was found, `shipped` what the profile says. All that is told of a parameter, by tables, JSON or a
/// written profile, is decided here.
[[nodiscard]] Found judged(const Stage& stage, const Unknown& unknown, const Interval& interval, const Machine& machine,
                           const Machine& shipped);

}  // namespace doorbell::calibrate
