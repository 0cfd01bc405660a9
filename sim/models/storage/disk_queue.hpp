// Which of the commands that wait for a disk's heads is served next.
#pragma once

#include <coroutine>
#include <cstddef>
#include <span>
#include <vector>

#include "core/calendar.hpp"
#include "core/signal.hpp"
#include "core/utilisation.hpp"
#include "models/storage/disk.hpp"

namespace doorbell::model {

/// The number, among the commands that a disk holds (at least one, oldest first), of the one that it serves at `now`:
/// that with the shortest positioning time, less a share of the time for which it has been waiting, so that none waits
/// for ever (aged shortest access time first: Seltzer, Chen and Ousterhout 1990; Jacobson and Wilkes 1991). A command
/// thus is overtaken by none that comes longest_overtaking() after it.
[[nodiscard]] std::size_t next_command(std::span<DiskCommand* const> held, Disk& disk, Time now);
/// Of a disk with these mechanics.
[[nodiscard]] Time longest_overtaking(const DiskMechanics& mechanics);

/// Those who wait for the heads of a disk, which does one thing at a time. The disk holds the oldest `depth` of their
/// commands (native command queueing) and has a choice among them; with a depth of 1 they are served in their order.
class DiskQueue {
 public:
  DiskQueue(core::Calendar& calendar, Disk& disk, int depth)
      : calendar_{calendar}, disk_{disk}, depth_{static_cast<std::size_t>(depth)} {}
  DiskQueue(const DiskQueue&) = delete;
  DiskQueue& operator=(const DiskQueue&) = delete;

  struct [[nodiscard]] Turn {
    DiskQueue& queue;
    DiskCommand& command;
    core::Waiter waiter;

    [[nodiscard]] bool await_ready() const { return queue.take_if_free(); }
    void await_suspend(std::coroutine_handle<> coroutine) {
      waiter.object = coroutine.address();
      queue.commands_.push_back(&command);
      queue.waiters_.push_back(&waiter);
    }
    void await_resume() const noexcept {}
  };

  /// co_await queue.turn(command): continues when the heads are the command's, without an event if they are free. The
  /// command must live until then.
  Turn turn(DiskCommand& command) { return {*this, command, {}}; }
  /// The heads are free for the next one, which continues by an event at this instant.
  void done();

  /// 1 while the heads are somebody's, over time.
  [[nodiscard]] const core::TimeWeighted& in_use() const { return in_use_; }
  void reset_statistics() { in_use_.reset(calendar_.now()); }

 private:
  [[nodiscard]] bool take_if_free();

  core::Calendar& calendar_;
  Disk& disk_;
  std::size_t depth_;
  std::vector<DiskCommand*> commands_;  // waiting, in their order, and who asks
  std::vector<core::Waiter*> waiters_;
  core::TimeWeighted in_use_;
};

}  // namespace doorbell::model
