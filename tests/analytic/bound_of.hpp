// What a closed form says about one resource.
#pragma once

#include <algorithm>
#include <stdexcept>
#include <string>

#include "analytic/bounds.hpp"

namespace doorbell::analytic::testing {

/// Throws std::out_of_range when the resource does not bound.
inline const Bound& bound_of(const Bounds& bounds, const std::string& resource) {
  const auto found = std::find_if(bounds.bounds.begin(), bounds.bounds.end(),
                                  [&](const Bound& bound) { return bound.resource == resource; });
  if (found == bounds.bounds.end()) throw std::out_of_range{"no bound of " + resource};
  return *found;
}

}  // namespace doorbell::analytic::testing
