// A processing unit of the NIC: serves its queue pairs in turn, one WQE at a time.
#pragma once

#include "core/calendar.hpp"
#include "core/ring_queue.hpp"
#include "core/trace.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/pcie/host_dma.hpp"

namespace doorbell::model {

class RdmaNic;

/// When a queue pair's turn comes, the unit reads all WQEs that doorbells have announced by then in one DMA (Kalia
/// et al. 2016, footnote 3), waits for them, and processes them; it does nothing else meanwhile. A READ or atomic
/// beyond the queue pair's limit puts that queue pair aside, and the unit goes on with others. A queue pair of
/// RC without further WQEs rests: it is served again after a turnaround, and then with all that has been announced
/// meanwhile (no publication says so; the small WRITE windows of Fig. 13c and of rdma_bench's rc-swarm do). READs of a
/// queue pair that was idle go out in rounds: one posting call's READs alone, and from round to round at most
/// `read_growth` times as many. Until those of a round are back, the queue pair is not served: what is posted meanwhile
/// goes out together. Once a round may have as many as the limit allows to be under way, READs wait for one another no
/// more. (No publication says so; the rates of small READ windows do, Fig. 13b and rdma_bench's rc-swarm.)
class ProcessingUnit {
 public:
  ProcessingUnit(core::Calendar& calendar, RdmaNic& nic, core::Priority priority)
      : calendar_{&calendar}, nic_{&nic}, priority_{priority} {}

  /// `work` of `queue_pair` arrives at work.arrival, not before what was announced earlier.
  void accept(QueuePair& queue_pair, const PostedWork& work);
  /// The transmit side has room again.
  void resume() {
    occupied_ += calendar_->now() - held_since_;
    go_on(0);
  }
  /// A READ or atomic is back.
  void release(const Message& message);
  /// `queue_pair` sends again what was refused, once the unit has left it and nothing of it is on the way.
  void retry(QueuePair& queue_pair);

  void measure() {
    busy_ = Time{0};
    occupied_ = Time{0};
    held_since_ = calendar_->now();
    fetching_since_ = calendar_->now();
  }
  /// Draws what it does from now on.
  void trace(core::TraceTrack track) { track_ = track; }
  /// Time spent on WQEs and on fetching them, without queueing for shared resources and without being blocked.
  [[nodiscard]] Time busy() const { return busy_; }
  /// Time for which it could begin nothing else, that queueing and being blocked included.
  [[nodiscard]] Time occupied() const { return occupied_; }
  [[nodiscard]] bool used() const { return used_; }

 private:
  /// Until its context has come or it has rested, a queue pair is not in line.
  void schedule_later(QueuePair& queue_pair, Time when);
  void ready(std::uint64_t queue_pair);
  /// Whether what has been announced next on a queue pair is not to be in line yet; puts it there later, then.
  bool waits(QueuePair& queue_pair);
  void schedule(QueuePair& queue_pair);
  void wait_for_head();
  void begin(std::uint64_t);
  void take_work();
  void fetch();
  /// Of WQEs by MMIO that found no room, with what has been announced of those beside them: more at a time where that
  /// is worth it. (No publication says so; the cache lines read per WRITE do, Fig. 13c.)
  void read_ahead();
  /// Takes `later` in hand, too, which follows what is.
  void join(const PostedWork& later);
  /// The first WQE, which the core wrote and the cache has lost.
  void read_again();
  [[nodiscard]] Continuation arrival_of(const DmaReadCost& cost);
  void fetched(std::uint64_t);
  /// Whether the WQE in turn must be read again.
  [[nodiscard]] bool is_displaced() const;
  /// Whether the READs under way are those of a round, after which others go out.
  [[nodiscard]] bool is_in_rounds() const;
  void work();
  void process(Time begins);
  void processed(std::uint64_t);
  void go_on(std::uint64_t);
  /// The queue pair in hand must wait with the rest of what has been begun.
  void hold();
  /// The queue pair in hand has nothing more to send for now. Returns whether something announced waits until it has
  /// rested.
  bool rest();
  /// The queue pair in hand is not in line from now on.
  void set_aside();
  void leave();

  core::Calendar* calendar_;
  RdmaNic* nic_;
  core::Priority priority_;
  core::RingQueue<QueuePair*> queue_;
  QueuePair* queue_pair_ = nullptr;  // in hand
  PostedWork current_;
  DmaReadCost announced_;  // the reads that bring it
  bool active_ = false;
  bool used_ = false;
  Time busy_{0};
  Time occupied_{0};
  Time fetching_since_{0};
  Time held_since_{0};  // by what comes after it
  core::TraceTrack track_;
};

}  // namespace doorbell::model
