#include "analytic/bounds.hpp"

#include <algorithm>
#include <utility>

namespace doorbell::analytic {

void Bounds::add(std::string resource, Seconds demand, double servers, std::optional<model::Limit> kind) {
  if (demand <= Seconds{0}) return;
  bounds.push_back({std::move(resource), from_seconds(demand.count()), servers, {servers / demand.count()}, kind});
}

void Bounds::settle() {
  std::stable_sort(bounds.begin(), bounds.end(), [](const Bound& a, const Bound& b) { return a.limit < b.limit; });
  if (bounds.empty()) return;
  throughput = bounds.front().limit;
  bottleneck = bounds.front().resource;
  if (bounds.size() > 1) {
    next = bounds[1].resource;
    gap = bounds[1].limit.per_second / throughput.per_second;
  }
}

}  // namespace doorbell::analytic
