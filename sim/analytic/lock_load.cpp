#include "analytic/lock_load.hpp"

#include <algorithm>

#include "analytic/service_times.hpp"

namespace doorbell::analytic {

void LockLoad::add(const std::optional<model::Region>& region, double seconds) {
  const double servers = lock_servers(region, address_bits_);
  seconds_ += seconds;
  alone_ = std::max(alone_, seconds / servers);
  const std::int64_t locks = std::int64_t{1} << address_bits_;
  std::set<int> taken;
  if (!region) taken.insert(0);
  constexpr std::size_t many = 4096;
  for (std::int64_t object = 0; region && object < region->count && taken.size() <= many; ++object) {
    const std::int64_t lock = (region->offset.count + object * region->stride.count) % locks;
    if (!taken.insert(static_cast<int>(lock)).second) break;  // from here on they come again
  }
  if (taken.size() > many) {
    most_ = std::max(most_, servers);
    return;
  }
  few_ += seconds;
  load_.add({taken}, seconds);
}

double LockLoad::servers() const {
  const double busiest = few_ > 0 ? std::max(alone_, few_ / load_.servers()) : alone_;
  return busiest > 0 ? seconds_ / busiest : 0;
}

double LockLoad::locks() const { return most_ + (few_ > 0 ? load_.ports() : 0); }

}  // namespace doorbell::analytic
