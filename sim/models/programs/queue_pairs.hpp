// Queue pairs as programs ask for them. Plain data, as scenario.hpp.
#pragma once

#include <array>
#include <numeric>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/nic/verb.hpp"

namespace doorbell::model {

enum class PortUse { all, own };
template <> struct EnumNames<PortUse> { static constexpr std::array<std::string_view, 2> values{"all", "own"}; };

/// A set of queue pairs that every thread of a program owns.
struct QueuePairs {
  Transport transport = Transport::ud;
  int count = 1;                 ///< Per thread, and per port when `ports` is `all`.
  PortUse ports = PortUse::own;  ///< `all`: a set on every port of the NIC; `own`: thread i of machine m uses port (i +
                                 ///< m) mod ports.
  int depth = 128;               ///< WQEs the send queue holds.
  Bytes max_inline{60};
  bool inline_receive = false;  ///< RECVs ask for small payloads in the CQE (Kalia et al. 2016, section 3.2).
};
/// How many of them a thread has on a NIC with so many ports.
[[nodiscard]] inline int per_thread(const QueuePairs& set, int ports) {
  return set.count * (set.ports == PortUse::all ? ports : 1);
}
template <class V> void describe(V& v, QueuePairs& s) {
  v.field("transport", s.transport, {.doc = "RC, UC or UD."});
  v.optional("count", s.count,
             {.doc = "Queue pairs per thread, and per port when ports is \"all\". RC and UC lead to one peer each, and "
                     "are divided among these: the machines whose memory the thread accesses, the threads to which it "
                     "SENDs, or those from which its program is sent what it answers.",
              .min = 1,
              .max = 4096});
  v.optional("ports", s.ports,
             {.doc = "\"all\": a set on every port; \"own\": thread i of a group's machine m uses port i + m, modulo "
                     "the number of ports. SENDs come by a port on which the receiver has queue pairs."});
  v.optional(
      "depth", s.depth,
      {.doc =
           "WQEs that the send queue holds, and RECVs that the receive queue does unless a replenish step gives their "
           "number.",
       .min = 1,
       .max = 65536});
  v.optional("max_inline", s.max_inline,
             {.doc = "Largest payload that a WQE can carry inline.", .min = 0, .max = 1024});
  v.optional("inline_receive", s.inline_receive,
             {.doc = "RECVs take small payloads that come by this transport in the CQE, where the NIC can do that."});
}

/// Of the `all` ports of a NIC those on which a thread has queue pairs of a set; `own`: its own one, modulo their
/// number.
[[nodiscard]] inline std::vector<int> ports_of(const QueuePairs& set, int own, int all) {
  if (set.ports == PortUse::own) return {own % all};
  std::vector<int> ports(static_cast<std::size_t>(all));
  std::iota(ports.begin(), ports.end(), 0);
  return ports;
}

}  // namespace doorbell::model
