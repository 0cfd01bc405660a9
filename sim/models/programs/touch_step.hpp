// The step by which programs touch memory that does not hold all of their pages. Plain data, as scenario.hpp.
#pragma once

#include <string_view>

#include "models/common/describe.hpp"

namespace doorbell::model {

/// Performs operations on the program's memory, one after the other. A page that is not resident makes the thread wait
/// until it is there: meanwhile it does nothing else.
struct TouchStep {
  static constexpr std::string_view kind = "touch";
  int per_pass = 0;
  int per_item = 1;
};
template <class V> void describe(V& v, TouchStep& s) {
  v.optional("per_pass", s.per_pass, {.doc = "Operations once per pass.", .max = 65536});
  v.optional("per_item", s.per_item,
             {.doc = "Operations for each request collected, or answer awaited, in this pass.", .max = 65536});
}
/// In a pass that has so many requests at hand.
template <class Number> [[nodiscard]] Number operations_of(const TouchStep& step, Number items) {
  return static_cast<Number>(step.per_pass) + items * static_cast<Number>(step.per_item);
}

}  // namespace doorbell::model
