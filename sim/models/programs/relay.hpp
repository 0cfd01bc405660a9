// What a program does with requests that it passes on to other machines before it answers. Plain data, as scenario.hpp.
#pragma once

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// Makes a post step work for the requests at hand instead of starting work of its own: a request waits until enough of
/// its operations are done, and then goes on to the steps behind. While some wait, a collect step does not wait for
/// requests only.
struct Relay {
  int copies = 1;     ///< Operations for a request, each to another machine.
  int at_least = 0;   ///< Of them must be done; 0: all.
  Bytes carrying{0};  ///< Requests with a smaller payload are not relayed.
  Time per_completion{0};
};
template <class V> void describe(V& v, Relay& s) {
  v.optional("copies", s.copies,
             {.doc = "Operations for each request, every one to another machine.", .min = 1, .max = 4096});
  v.optional("at_least", s.at_least,
             {.doc = "Of these must be done before a request goes on; 0 means all.", .min = 0, .max = 4096});
  v.optional("carrying", s.carrying,
             {.doc = "Requests with a smaller payload are not relayed and go on at once.", .min = 0, .max = 1 << 30});
  v.optional("per_completion", s.per_completion,
             {.doc = "CPU time to handle a completion or an answer, without the cost of polling it.", .max = 1e-3});
}

[[nodiscard]] inline int operations_needed(const Relay& relay) {
  return relay.at_least == 0 ? relay.copies : relay.at_least;
}

}  // namespace doorbell::model
