// One disk: where its heads are, what its buffer holds, and when data that is asked for will have been read.
#pragma once

#include <cstdint>
#include <vector>

#include "core/quantity.hpp"
#include "core/random.hpp"
#include "core/trace.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

/// A disk with a buffer of several segments. After each read it goes on reading ahead in the same segment until that is
/// full or another request calls the heads away. A segment keeps as many bytes behind the last request as it reads
/// ahead. A seek takes track_seek + k sqrt(distance), with k such that the mean over random pairs of places is
/// average_seek (Ruemmler and Wilkes 1994); then the sector comes after a uniform part of a revolution.
class Disk {
 public:
  Disk(const DiskArrayParameters& parameters, core::RandomStream random);

  /// When the `size` bytes at `position` have been read, asked at `now`; calls come in order of time, one request at a
  /// time: `now` is not before the last answer.
  [[nodiscard]] Time read(std::int64_t position, Bytes size, Time now);
  /// When the heads have written them. What the buffer held of them is read anew later.
  [[nodiscard]] Time write(std::int64_t position, Bytes size, Time now);

  [[nodiscard]] Time seek_time(std::int64_t distance) const;
  /// Draws what the heads do for requests from now on.
  void trace(core::TraceTrack track) { track_ = track; }
  /// Requests that needed a seek.
  [[nodiscard]] std::uint64_t seeks() const { return seeks_; }

 private:
  struct Segment {
    std::int64_t begin = 0;
    std::int64_t end = 0;    // read so far, or when the segment was last active
    std::int64_t limit = 0;  // where reading ahead stops
    std::uint64_t used = 0;
  };

  void settle(Time now);
  Time move_heads(std::int64_t position, Time now);
  [[nodiscard]] Time media_time(std::int64_t bytes) const;

  const DiskArrayParameters* parameters_;
  core::RandomStream random_;
  std::vector<Segment> segments_;
  Segment* active_ = nullptr;  // the one that is being filled
  Time active_since_{0};       // when its `end` was reached, or will be
  std::int64_t heads_ = 0;
  std::uint64_t clock_ = 0;
  std::uint64_t seeks_ = 0;
  core::TraceTrack track_;
};

}  // namespace doorbell::model
