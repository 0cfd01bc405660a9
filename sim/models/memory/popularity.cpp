#include "models/memory/popularity.hpp"

#include <numeric>

namespace doorbell::model {
namespace {

/// Steps of the golden section spread any number of ranks evenly.
std::int64_t golden_step(std::int64_t count) {
  auto step = static_cast<std::int64_t>(static_cast<double>(count) * 0.6180339887498949);
  while (std::gcd(++step, count) != 1) {}
  return step;
}

}  // namespace

Popularity::Popularity(std::int64_t count, double skew)
    : ranks_{count, skew}, count_{count}, step_{golden_step(count)} {}

std::int64_t Popularity::object_of(std::int64_t rank) const {
  __extension__ using Wide = __int128;
  return static_cast<std::int64_t>(Wide{rank} * step_ % count_);
}

}  // namespace doorbell::model
