// Root complex and the memory behind it, as the device sees them.
#pragma once

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

struct RootComplexParameters {
  Time read_latency{0};
  Time read_latency_dram{0};
  Time write_latency{0};
  Bytes completion_queue;
  Bytes cache;
};
template <class V> void describe(V& v, RootComplexParameters& s) {
  v.field(
      "read_latency", s.read_latency,
      {.doc =
           "From a read request's arrival at the root complex to its first completion, data in the last-level cache.",
       .max = 1e-4});
  v.field("read_latency_dram", s.read_latency_dram, {.doc = "The same with the data in DRAM.", .max = 1e-4});
  v.field("write_latency", s.write_latency,
          {.doc = "From a write's arrival at the root complex until a polling core can see it.", .max = 1e-4});
  v.field("completion_queue", s.completion_queue,
          {.doc = "Completions behind which an MMIO write waits at most; it passes those that come to the link later.",
           .min = 0,
           .max = 1e9});
  v.field("cache", s.cache, {.doc = "Last-level cache; a larger region is served from DRAM.", .min = 0, .max = 1e12});
}

}  // namespace doorbell::model
