// What may make a run of programs slower than its bounds say.
#pragma once

#include <string>
#include <vector>

#include "analytic/flow.hpp"

namespace doorbell::analytic {

/// Appends it in words.
void tell_left_out(const Flow& flow, std::vector<std::string>& left_out);

}  // namespace doorbell::analytic
