// A processing unit of the NIC: takes posted work of its queue pairs in order of arrival, one WQE at a time.
#pragma once

#include "core/calendar.hpp"
#include "core/ring_queue.hpp"
#include "models/queue_pair.hpp"

namespace doorbell::model {

class RdmaNic;

/// After a doorbell the unit reads the WQEs and waits for them: it does nothing else meanwhile. A READ or atomic beyond
/// the queue pair's limit puts that queue pair aside, and the unit goes on with others.
class ProcessingUnit {
 public:
  ProcessingUnit(core::Calendar& calendar, RdmaNic& nic, core::Priority priority)
      : calendar_{&calendar}, nic_{&nic}, priority_{priority} {}

  /// Work arrives at work.arrival, not before the work accepted earlier.
  void accept(const PostedWork& work);
  /// The transmit side has room again.
  void resume();
  /// A READ or atomic of `queue_pair` is back.
  void release(QueuePair& queue_pair);

  void measure() { busy_ = Time{0}; }
  /// Time spent on WQEs and on fetching them, without queueing for shared resources and without being blocked.
  [[nodiscard]] Time busy() const { return busy_; }
  [[nodiscard]] bool used() const { return used_; }

 private:
  void begin(std::uint64_t);
  void fetched(std::uint64_t);
  void work();
  void processed(std::uint64_t);
  void go_on(std::uint64_t);
  void next();
  [[nodiscard]] bool must_hold(const QueuePair& queue_pair) const;

  core::Calendar* calendar_;
  RdmaNic* nic_;
  core::Priority priority_;
  core::RingQueue<PostedWork> queue_;
  PostedWork current_;
  bool busy_now_ = false;
  bool used_ = false;
  Time busy_{0};
};

}  // namespace doorbell::model
