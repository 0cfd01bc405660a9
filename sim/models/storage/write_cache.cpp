#include "models/storage/write_cache.hpp"

#include <algorithm>

namespace doorbell::model {
namespace {

auto interval_of(WriteCache::Extent extent) {
  return boost::icl::interval<std::int64_t>::right_open(extent.begin, extent.end);
}

}  // namespace

Bytes WriteCache::waiting_in(Extent extent) const {
  Bytes sum;
  const auto [first, last] = dirty_.equal_range(interval_of(extent));
  for (auto one = first; one != last; ++one) {
    sum += Bytes{std::min(one->upper(), extent.end) - std::max(one->lower(), extent.begin)};
  }
  return sum;
}

bool WriteCache::has_room_for(Extent extent) const {
  return held() + Bytes{extent.end - extent.begin} - waiting_in(extent) <= capacity_;
}

bool WriteCache::holds(Extent extent) const { return boost::icl::contains(dirty_, interval_of(extent)); }

void WriteCache::take(Extent extent) {
  waiting_ += Bytes{extent.end - extent.begin} - waiting_in(extent);
  dirty_.add(interval_of(extent));
}

void WriteCache::forget(Extent extent) {
  waiting_ = waiting_ - waiting_in(extent);
  dirty_.subtract(interval_of(extent));
}

WriteCache::Extent WriteCache::write_next(std::int64_t heads, Bytes most) {
  const std::int64_t last = dirty_.rbegin()->upper();
  const auto chosen = heads < last ? dirty_.lower_bound(interval_of({heads, last})) : dirty_.begin();
  const bool within = chosen->lower() <= heads && heads < chosen->upper();
  const std::int64_t begin = within ? heads : chosen->lower();
  const Extent extent{begin, std::min(chosen->upper(), begin + most.count)};
  forget(extent);
  written_ = Bytes{extent.end - extent.begin};
  return extent;
}

}  // namespace doorbell::model
