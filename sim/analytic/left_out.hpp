// What may make a run of programs slower than its bounds say.
#pragma once

#include <string>
#include <vector>

#include "analytic/flow.hpp"

namespace doorbell::analytic {

/// Whether the NIC that answers sends back what it has read.
[[nodiscard]] inline bool is_remote_read(model::Verb verb) {
  return verb == model::Verb::read || model::is_atomic(verb);
}

/// Appends it in words.
void tell_left_out(const Flow& flow, std::vector<std::string>& left_out);

}  // namespace doorbell::analytic
