// One disk: where its heads are, what its buffer holds, and when data that is asked for will have been read.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/quantity.hpp"
#include "core/random.hpp"
#include "core/trace.hpp"
#include "core/utilisation.hpp"
#include "models/storage/storage.hpp"
#include "models/storage/write_cache.hpp"

namespace doorbell::model {

/// What a disk is asked for.
struct DiskCommand {
  BlockOperation operation = BlockOperation::read;
  std::int64_t position = 0;
  Bytes size;
  Time asked{0};                 ///< Since when the command waits for the heads.
  Time ready{0};                 ///< Before, the disk does not know all of it yet.
  std::optional<Time> passes{};  ///< An instant at which `position` passes under the heads, once the disk knows it.
};

/// A disk with a buffer of several segments. After each read it goes on reading ahead in the same segment until that is
/// full or another request calls the heads away. A segment keeps as many bytes behind the last request as it reads
/// ahead. A seek takes track_seek + k sqrt(distance), with k such that the mean over random pairs of places is
/// average_seek (Ruemmler and Wilkes 1994); then the sector comes after a uniform part of a revolution, drawn once for
/// each command. Only of the place where the heads have stopped is it known when it comes round again: who writes on
/// from there after a pause waits for it. A read that goes on where the buffer was full does not (assumed: a drive goes
/// on as soon as there is room).
///
/// With a write cache a write is done as soon as there is room in it. The heads write what it holds when they have
/// nothing else to do, the reading ahead included, or when a write needs the room: in ascending order and round again,
/// at most a revolution at a time, which a command that comes meanwhile waits for (all assumed; firmware does not
/// tell).
class Disk {
 public:
  Disk(const DiskArrayParameters& parameters, core::RandomStream random);

  /// When the data of the command have been read, or written or taken into the write cache, which begins at `now`;
  /// calls come in order of time, one command at a time: `now` is not before the last answer. What the buffer held of
  /// written data is read anew later.
  [[nodiscard]] Time serve(DiskCommand& command, Time now);
  /// A command has the disk from `now` on, which it will serve later.
  void take(Time now);
  /// It has it until `now`, later than its answer: its data moved on.
  void release(Time now) { idle_since_ = now; }
  [[nodiscard]] Time read(std::int64_t position, Bytes size, Time now);
  [[nodiscard]] Time write(std::int64_t position, Bytes size, Time now);
  /// How long after `now`, which is as late as for serve(), the heads would be in place if the command came next.
  [[nodiscard]] Time positioning(DiskCommand& command, Time now);

  [[nodiscard]] static Time seek_time(const DiskMechanics& mechanics, std::int64_t distance);
  [[nodiscard]] Time seek_time(std::int64_t distance) const { return seek_time(parameters_->mechanics, distance); }
  /// Draws what the heads do for requests from now on.
  void trace(core::TraceTrack track) { track_ = track; }
  /// Seeks for requests, and for writing what the cache holds.
  [[nodiscard]] std::uint64_t seeks() const { return seeks_; }
  /// From now on behind_commands() counts.
  void measure(Time now) { behind_commands_.measure(now); }
  /// The share of the time until `now` in which the heads were busy with what the cache holds while no command had
  /// them, as far as the last command can tell. Where they go on only when their place comes round, that wait does not
  /// count: with more to write there would be none.
  [[nodiscard]] double behind_commands(Time now) const { return behind_commands_.utilisation(now); }

 private:
  struct Segment {
    std::int64_t begin = 0;
    std::int64_t end = 0;    // read so far, or when the segment was last active
    std::int64_t limit = 0;  // where reading ahead stops
    std::uint64_t used = 0;
  };

  void settle(Time now);
  /// Brings the active segment up to `now`.
  void read_on(Time now);
  /// What the heads have begun to write of the cache before `now`.
  void write_behind(Time now);
  void count_behind(Time from, Time to);
  /// Writes some of the cache, from `begin` to the returned time.
  Time write_some(Time begin);
  Time write_at(DiskCommand& command, Time begin);
  /// From when on a command that comes at `now` can have the heads.
  [[nodiscard]] Time heads_free(Time now) const { return std::max(now, heads_since_); }
  /// For a command that comes at `now`: from then on, with what they wrote from the cache written.
  Time take_heads(Time now);
  void forget_read(WriteCache::Extent written);
  /// Takes the data when there is room, which is the answer.
  [[nodiscard]] Time take_written(WriteCache::Extent extent, Time now);
  [[nodiscard]] Time read(DiskCommand& command, Time now);
  [[nodiscard]] Time write(DiskCommand& command, Time now);
  /// The one that holds the data at `position`, or ends there.
  [[nodiscard]] std::vector<Segment>::iterator find_segment(std::int64_t position);
  /// Seek and rotation to `place`, which is that of the command or behind it.
  [[nodiscard]] Time way_to(std::int64_t place, DiskCommand& command, Time now);
  /// From `now` to when what passes under the heads at `instant` does so next.
  [[nodiscard]] Time until_it_passes(Time instant, Time now) const;
  Time move_heads(std::int64_t place, DiskCommand& command, Time now);
  [[nodiscard]] Time media_time(std::int64_t bytes) const;

  const DiskArrayParameters* parameters_;
  core::RandomStream random_;
  std::vector<Segment> segments_;
  Segment* active_ = nullptr;  // the one that is being filled
  Time active_since_{0};       // when its `end` was reached, or will be
  std::int64_t heads_ = 0;
  Time heads_since_{0};  // when they came there, or will when they write from the cache
  WriteCache cache_;
  Time write_from_{0};   // when they were taken for what they write, or wrote last
  Time dirty_since_{0};  // when the cache got something to write
  Time idle_since_{0};   // when the last command left it; the greatest time while one has it
  core::BusyMeter behind_commands_;
  std::uint64_t clock_ = 0;
  std::uint64_t seeks_ = 0;
  core::TraceTrack track_;
};

}  // namespace doorbell::model
