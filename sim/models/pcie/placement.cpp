#include "models/pcie/placement.hpp"

#include <algorithm>
#include <numeric>

#include "models/memory/cache_line.hpp"

namespace doorbell::model {

Bytes placement_unit(const PcieParameters& pcie) {
  return std::max({cache_line, pcie.read_completion_boundary, pcie.max_payload, pcie.max_read_request});
}

std::vector<std::int64_t> distinct_begins(const PcieParameters& pcie, const Placement& placement) {
  const std::int64_t unit = placement_unit(pcie).count;
  const std::int64_t places = std::min(placement.objects, unit / std::gcd(placement.stride.count, unit));
  std::vector<std::int64_t> begins;
  for (std::int64_t object = 0; object < places; ++object)
    begins.push_back((placement.offset.count + object * placement.stride.count) % unit);
  return begins;
}

}  // namespace doorbell::model
