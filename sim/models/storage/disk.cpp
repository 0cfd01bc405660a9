#include "models/storage/disk.hpp"

#include <algorithm>
#include <cmath>

namespace doorbell::model {
namespace {

constexpr double mean_root_of_distance = 8.0 / 15.0;  // of two uniform places on a disk of length one
constexpr Bytes least_written{65536};                 // at a time, of a disk that does not turn

WriteCache::Extent extent_of(const DiskCommand& command) {
  return {command.position, command.position + command.size.count};
}

}  // namespace

Disk::Disk(const DiskArrayParameters& parameters, core::RandomStream random)
    : parameters_{&parameters},
      random_{random},
      segments_(static_cast<std::size_t>(parameters.mechanics.segments)),
      cache_{parameters.mechanics.write_cache} {}

Time Disk::media_time(std::int64_t bytes) const { return transfer_time(Bytes{bytes}, parameters_->media); }

Time Disk::seek_time(const DiskMechanics& disk, std::int64_t distance) {
  if (distance == 0) return Time{0};
  const double share = static_cast<double>(std::abs(distance)) / static_cast<double>(disk.capacity.count);
  const Time spread = disk.average_seek - disk.track_seek;
  return disk.track_seek + from_seconds(to_seconds(spread) / mean_root_of_distance * std::sqrt(std::min(1.0, share)));
}

void Disk::settle(Time now) {
  read_on(now);
  write_behind(now);
  idle_since_ = std::max(idle_since_, now);
}

void Disk::read_on(Time now) {
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

Time Disk::write_at(DiskCommand& command, Time begin) {
  active_ = nullptr;
  const bool goes_on = command.position == heads_;
  const Time from =
      goes_on ? begin + until_it_passes(heads_since_, begin) : move_heads(command.position, command, begin);
  write_from_ = goes_on ? from : begin;
  heads_since_ = from + media_time(command.size.count);
  track_.span("writes", from, heads_since_);
  heads_ = command.position + command.size.count;
  return heads_since_;
}

Time Disk::write_some(Time begin) {
  const double revolution = to_seconds(parameters_->mechanics.revolution) * parameters_->media.bytes_per_second;
  const Bytes most = std::max(Bytes{static_cast<std::int64_t>(revolution)}, least_written);
  const WriteCache::Extent extent = cache_.write_next(heads_, most);
  DiskCommand command{.operation = BlockOperation::write,
                      .position = extent.begin,
                      .size = Bytes{extent.end - extent.begin},
                      .asked = begin};
  return write_at(command, begin);
}

void Disk::count_behind(Time from, Time to) {
  from = std::max({from, write_from_, idle_since_});
  to = std::min(to, heads_since_);
  if (from < to) behind_commands_.add(from, to);
}

void Disk::write_behind(Time now) {
  if (cache_.is_writing()) {
    count_behind(write_from_, now);
    if (heads_since_ <= now) cache_.write_done();
  }
  while (!cache_.empty()) {
    const Time begin = std::max(heads_since_, dirty_since_);
    if (begin >= now) return;
    const Time end = write_some(begin);
    count_behind(begin, now);
    if (end <= now) cache_.write_done();
  }
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
  const WriteCache::Extent extent = extent_of(command);
  const Time known = std::max(now, command.ready);
  const Time begin = heads_free(known);
  const Time idle = begin - now;
  if (command.operation == BlockOperation::write) {
    if (cache_.has_room_for(extent)) return known - now;
    // The heads make room elsewhere.
    if (cache_.can_hold(extent)) return idle;
    return idle +
           (extent.begin == heads_ ? until_it_passes(heads_since_, begin) : way_to(extent.begin, command, begin));
  }
  if (cache_.holds(extent)) return known - now;
  const auto held = find_segment(extent.begin);
  if (held == segments_.end()) return idle + way_to(extent.begin, command, begin);
  if (extent.end <= held->end) return known - now;
  return idle + (&*held == active_ ? Time{0} : way_to(held->end, command, begin));
}

void Disk::take(Time now) {
  settle(now);
  idle_since_ = Time::max();
}

Time Disk::serve(DiskCommand& command, Time now) {
  settle(now);
  idle_since_ = command.operation == BlockOperation::read ? read(command, now) : write(command, now);
  return idle_since_;
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
  if (cache_.holds(extent_of(command))) return now;
  ++clock_;
  auto held = find_segment(position);
  if (held == segments_.end()) {
    held = std::ranges::min_element(segments_, {}, &Segment::used);
    if (&*held == active_) active_ = nullptr;
    *held = {position, position, position, 0};
  }
  held->used = clock_;
  const std::int64_t capacity = parameters_->read_ahead.count;
  // Older bytes give way to those read ahead.
  const std::int64_t ahead = end + capacity;
  if (end <= held->end) {
    if (&*held == active_) {
      held->limit = std::max(held->limit, ahead);
      held->begin = std::max(held->begin, held->limit - 2 * capacity);
    }
    return now;
  }
  Time from = now;
  if (&*held != active_) {
    from = move_heads(held->end, command, take_heads(now));
    active_ = &*held;
  }
  const Time ready = from + media_time(end - held->end);
  track_.span("reads", from, ready);
  held->end = end;
  held->limit = ahead;
  held->begin = std::max(held->begin, end - capacity);
  active_since_ = ready;
  heads_ = end;
  heads_since_ = ready;
  return ready;
}

void Disk::forget_read(WriteCache::Extent written) {
  for (Segment& segment : segments_) {
    if (segment.begin < written.end && written.begin < segment.end) segment.end = segment.begin;
    if (&segment == active_ && segment.end == segment.begin) active_ = nullptr;
  }
}

Time Disk::take_heads(Time now) {
  const Time free = heads_free(now);
  cache_.write_done();
  return free;
}

Time Disk::take_written(WriteCache::Extent extent, Time now) {
  Time free = now;
  if (!cache_.has_room_for(extent)) free = take_heads(now);
  while (!cache_.has_room_for(extent)) {
    free = write_some(free);
    cache_.write_done();
  }
  if (cache_.empty()) dirty_since_ = free;
  cache_.take(extent);
  return free;
}

Time Disk::write(DiskCommand& command, Time now) {
  const WriteCache::Extent extent = extent_of(command);
  forget_read(extent);
  if (cache_.can_hold(extent)) return take_written(extent, now);
  cache_.forget(extent);
  return write_at(command, take_heads(now));
}

}  // namespace doorbell::model
