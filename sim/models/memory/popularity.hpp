// Which object of a region is accessed, when some are more popular than others.
#pragma once

#include <cstdint>

#include "core/random.hpp"
#include "core/zipf.hpp"

namespace doorbell::model {

/// Zipf's law over the objects of a region. Popular ones lie anywhere, as keys do that are hashed, and at the same
/// places for all who access the region.
class Popularity {
 public:
  Popularity(std::int64_t count, double skew);

  [[nodiscard]] std::int64_t choose(core::RandomStream& random) const { return object_of(ranks_.draw(random)); }
  /// Where the object of this rank lies, of 1 to `count`.
  [[nodiscard]] std::int64_t object_of(std::int64_t rank) const;

 private:
  core::Zipf ranks_;
  std::int64_t count_;
  std::int64_t step_;  // from one rank to the next; has no divisor in common with the count
};

}  // namespace doorbell::model
