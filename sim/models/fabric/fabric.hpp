// The network between machines.
#pragma once

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// The switch between the machines.
struct Fabric {
  static constexpr bool may_have_file = true;
  Time switch_latency = std::chrono::nanoseconds{200};
};
template <class V> void describe(V& v, Fabric& s) {
  v.optional("switch_latency", s.switch_latency,
             {.doc = "Port to port latency of the switch and cables, one way.", .min = 0, .max = 1e-3});
}

}  // namespace doorbell::model
