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

Time Disk::seek_time(const DiskMechanics& disk, std::int64_t distance) {
  if (distance == 0) return Time{0};
  const double share = static_cast<double>(std::abs(distance)) / static_cast<double>(disk.capacity.count);
  const Time spread = disk.average_seek - disk.track_seek;
  return disk.track_seek + from_seconds(to_seconds(spread) / mean_root_of_distance * std::sqrt(std::min(1.0, share)));
}

/// Brings the active segment up to `now`.
void Disk::settle(Time now) {
  if (active_ == nullptr || now <= active_since_) return;
  const double seconds = to_seconds(now - active_since_);
  const auto bytes = static_cast<std::int64_t>(seconds * parameters_->media.bytes_per_second);
  const bool full = active_->limit - active_->end <= bytes;
  if (!full) {
    heads_since_ = now;
  } else if (active_->end < active_->limit) {
    heads_since_ = active_since_ + media_time(active_->limit - active_->end);
  }
  active_->end = std::min(active_->limit, active_->end + bytes);
  active_since_ = now;
  heads_ = active_->end;
}

Time Disk::until_it_passes(Time instant, Time now) const {
  const Time revolution = parameters_->mechanics.revolution;
  if (revolution == Time{0}) return revolution;
  const Time rest = (instant - now) % revolution;
  return rest < Time{0} ? rest + revolution : rest;
}

Time Disk::way_to(std::int64_t place, DiskCommand& command, Time now) {
  const Time seek = seek_time(place - heads_);
  const Time beyond = media_time(place - command.position);
  if (command.passes) return seek + until_it_passes(*command.passes + beyond, now + seek);
  const Time rotation = random_.uniform(Time{0}, parameters_->mechanics.revolution);
  command.passes = now + seek + rotation - beyond;
  return seek + rotation;
}

Time Disk::move_heads(std::int64_t place, DiskCommand& command, Time now) {
  ++seeks_;
  const Time arrived = now + way_to(place, command, now);
  track_.span("seeks", now, arrived);
  heads_ = place;
  return arrived;
}

std::vector<Disk::Segment>::iterator Disk::find_segment(std::int64_t position) {
  return std::ranges::find_if(segments_, [position](const Segment& segment) {
    return segment.begin <= position && position <= segment.end && segment.end > segment.begin;
  });
}

Time Disk::positioning(DiskCommand& command, Time now) {
  settle(now);
  const Time begin = std::max(now, command.ready);
  const Time idle = begin - now;
  if (command.operation == BlockOperation::write) {
    return idle + (command.position == heads_ ? until_it_passes(heads_since_, begin)
                                              : way_to(command.position, command, begin));
  }
  const auto held = find_segment(command.position);
  if (held == segments_.end()) return idle + way_to(command.position, command, begin);
  const bool at_hand = command.position + command.size.count <= held->end || &*held == active_;
  return idle + (at_hand ? Time{0} : way_to(held->end, command, begin));
}

Time Disk::serve(DiskCommand& command, Time now) {
  settle(now);
  return command.operation == BlockOperation::read ? read(command, now) : write(command, now);
}

Time Disk::read(std::int64_t position, Bytes size, Time now) {
  DiskCommand command{.operation = BlockOperation::read, .position = position, .size = size, .asked = now};
  return serve(command, now);
}

Time Disk::write(std::int64_t position, Bytes size, Time now) {
  DiskCommand command{.operation = BlockOperation::write, .position = position, .size = size, .asked = now};
  return serve(command, now);
}

Time Disk::read(DiskCommand& command, Time now) {
  const std::int64_t position = command.position;
  const std::int64_t end = position + command.size.count;
  ++clock_;
  auto held = find_segment(position);
  if (held == segments_.end()) {
    held = std::ranges::min_element(segments_, {}, &Segment::used);
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
    from = move_heads(held->end, command, now);
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
  heads_since_ = ready;
  return ready;
}

Time Disk::write(DiskCommand& command, Time now) {
  const std::int64_t position = command.position;
  const std::int64_t end = position + command.size.count;
  for (Segment& segment : segments_) {
    if (segment.begin < end && position < segment.end) segment.end = segment.begin;
  }
  active_ = nullptr;
  const bool goes_on = position == heads_;
  const Time from = goes_on ? now + until_it_passes(heads_since_, now) : move_heads(position, command, now);
  heads_ = end;
  heads_since_ = from + media_time(command.size.count);
  track_.span("writes", from, heads_since_);
  return heads_since_;
}

}  // namespace doorbell::model
