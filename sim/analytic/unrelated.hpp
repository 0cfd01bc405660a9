// Programs that have nothing to do with the measured one, and may yet share machines with it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analytic/flow.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// Names of the measured program, of those that work for it or for which it works, and so on: all in whose windows its
/// work can be.
[[nodiscard]] std::set<std::string> related_to_measured(const model::Scenario& scenario);
/// Says what a bound leaves out where others start work on machines that the measured program's work passes: what these
/// take of them. A run can only be slower for it.
void tell_unrelated(const Flow& flow, std::vector<std::string>& left_out);

}  // namespace doorbell::analytic
