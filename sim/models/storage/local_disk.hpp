// A host's own disk: requests in the order of a scheduler, and of the disk if it holds several.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/calendar.hpp"
#include "core/random.hpp"
#include "core/utilisation.hpp"
#include "models/storage/disk.hpp"
#include "models/storage/disk_queue.hpp"
#include "models/storage/io_scheduler.hpp"
#include "models/storage/local_disk_parameters.hpp"

namespace doorbell::model {

/// Requests are served upwards and joined where they adjoin, as Linux's deadline scheduler does, as far as the disk
/// does not hold them already: it chooses among those by itself. Without a write cache writes are on the medium when
/// they are done, so that a stream of writes one by one misses a revolution for each.
class LocalDisk {
 public:
  /// `done` is called with the tag of every request, at the time it is done.
  using Done = std::function<void(std::uint64_t tag)>;

  LocalDisk(core::Calendar& calendar, const LocalDiskParameters& parameters, core::RandomStream random, Done done);
  LocalDisk(const LocalDisk&) = delete;  // `disk_` refers to its neighbour

  /// Places beyond the capacity begin again at its start.
  void submit(std::int64_t offset, Bytes size, bool write, std::uint64_t tag);

  /// Requests that the disk itself has served, after joining.
  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] std::uint64_t writes() const { return writes_; }
  /// Requests of `submit` since measure(), and by how many more than before wait for it now.
  [[nodiscard]] std::uint64_t asked() const { return asked_; }
  [[nodiscard]] std::int64_t piled_up() const {
    return static_cast<std::int64_t>(asked_) - static_cast<std::int64_t>(done_since_);
  }
  [[nodiscard]] double utilisation(Time now) const { return busy_.utilisation(now) + disk_.behind_commands(now); }
  void measure(Time from);
  /// Draws what the heads do for requests from now on.
  void trace(core::TraceTrack track) { disk_.trace(track); }

 private:
  /// A request that the disk holds.
  struct Held {
    IoRequest request;
    DiskCommand command;
  };

  void take();
  void serve_next();
  void finished(std::uint64_t);

  core::Calendar& calendar_;
  Time command_;
  std::int64_t capacity_;
  DiskArrayParameters as_array_;  // what `disk_` reads
  Disk disk_;
  Done done_;
  IoSchedulerQueue queue_;
  std::vector<Held> held_;  // and does not serve yet, oldest first
  IoRequest current_;
  bool working_ = false;
  core::BusyMeter busy_;
  std::uint64_t reads_ = 0;
  std::uint64_t writes_ = 0;
  std::uint64_t asked_ = 0;
  std::uint64_t done_since_ = 0;  // of those, and of others before
};

}  // namespace doorbell::model
