#include "models/storage/disk.hpp"

#include <algorithm>
#include <cmath>

namespace doorbell::model {
namespace {

constexpr double mean_root_of_distance = 8.0 / 15.0;  // of two uniform places on a disk of length one

}  // namespace

Disk::Disk(const DiskArrayParameters& parameters, core::RandomStream random)
    : parameters_{&parameters}, random_{random}, segments_(static_cast<std::size_t>(parameters.mechanics.segments)) {}

Time Disk::media_time(std::int64_t bytes) const { return transfer_time(Bytes{bytes}, parameters_->media); }

Time Disk::seek_time(std::int64_t distance) const {
  if (distance == 0) return Time{0};
  const DiskMechanics& disk = parameters_->mechanics;
  const double share = static_cast<double>(std::abs(distance)) / static_cast<double>(disk.capacity.count);
  const Time spread = disk.average_seek - disk.track_seek;
  return disk.track_seek + from_seconds(to_seconds(spread) / mean_root_of_distance * std::sqrt(std::min(1.0, share)));
}

/// Brings the active segment up to `now`.
void Disk::settle(Time now) {
  if (active_ == nullptr || now <= active_since_) return;
  const double seconds = to_seconds(now - active_since_);
  const auto bytes = static_cast<std::int64_t>(seconds * parameters_->media.bytes_per_second);
  active_->end = std::min(active_->limit, active_->end + bytes);
  active_since_ = now;
  heads_ = active_->end;
}

Time Disk::move_heads(std::int64_t position, Time now) {
  ++seeks_;
  const Time revolution = parameters_->mechanics.revolution;
  const Time arrived = now + seek_time(position - heads_) + random_.uniform(Time{0}, revolution);
  track_.span("seeks", now, arrived);
  heads_ = position;
  return arrived;
}

Time Disk::read(std::int64_t position, Bytes size, Time now) {
  settle(now);
  const std::int64_t end = position + size.count;
  ++clock_;
  auto held = std::find_if(segments_.begin(), segments_.end(), [&](const Segment& segment) {
    return segment.begin <= position && position <= segment.end && segment.end > segment.begin;
  });
  if (held == segments_.end()) {
    held = std::min_element(segments_.begin(), segments_.end(),
                            [](const Segment& a, const Segment& b) { return a.used < b.used; });
    if (&*held == active_) active_ = nullptr;
    *held = {position, position, position, 0};
  }
  held->used = clock_;
  const std::int64_t capacity = parameters_->read_ahead.count;
  const std::int64_t ahead = end + capacity;
  if (end <= held->end) {
    if (&*held == active_) held->limit = std::max(held->limit, ahead);
    return now;
  }
  Time from = now;
  if (&*held != active_) {
    from = move_heads(held->end, now);
    active_ = &*held;
  }
  const Time ready = from + media_time(end - held->end);
  track_.span("reads", from, ready);
  held->end = end;
  held->limit = ahead;
  // Older bytes give way to those read ahead.
  held->begin = std::max(held->begin, end - capacity);
  active_since_ = ready;
  heads_ = end;
  return ready;
}

Time Disk::write(std::int64_t position, Bytes size, Time now) {
  settle(now);
  const std::int64_t end = position + size.count;
  for (Segment& segment : segments_) {
    if (segment.begin < end && position < segment.end) segment.end = segment.begin;
  }
  active_ = nullptr;
  const Time from = position == heads_ ? now : move_heads(position, now);
  heads_ = end;
  const Time written = from + media_time(size.count);
  track_.span("writes", from, written);
  return written;
}

}  // namespace doorbell::model
