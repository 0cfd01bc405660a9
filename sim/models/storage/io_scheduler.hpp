// The order in which block requests of several processes go to a device.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <vector>

#include "core/quantity.hpp"
#include "models/storage/io_scheduler_tunables.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

/// Contiguous bytes of a device that somebody wants.
struct IoRequest {
  struct Submitter {
    int process = 0;  ///< The anticipatory scheduler and CFQ tell processes apart.
    std::uint64_t tag = 0;
  };

  std::vector<Submitter> submitters;  ///< More than one after a merge; the first one's process counts.
  BlockOperation operation = BlockOperation::read;
  std::int64_t begin = 0;
  std::int64_t end = 0;
  Time added{0};

  [[nodiscard]] int process() const { return submitters.front().process; }
};

/// The schedulers of Linux 2.6. All join a request to a waiting one that it continues.
///
/// noop: in order of arrival. deadline: upwards from where the last request ended, in batches, each begun at the oldest
/// request when that has waited for too long. anticipatory: one request at a time, the same process's closest upwards,
/// unless another has waited for too long; after a read it waits for the process to ask again, if that usually does so
/// in time, or for a request of another close by. cfq: a slice for each process in turn, its requests upwards; at the
/// end of its requests it waits for more, under the same condition.
///
/// Pure decisions: who calls keeps the clock.
class IoSchedulerQueue {
 public:
  /// `depth`: requests that the device takes at a time; `largest`: most bytes of a request after merging.
  IoSchedulerQueue(IoScheduler scheduler, int depth, Bytes largest, const IoSchedulerTunables& tunables = {});

  void add(IoRequest request);
  /// The next request for the device, if it should have one now.
  [[nodiscard]] std::optional<IoRequest> next(Time now);
  void completed(const IoRequest& request, Time now);
  /// When to ask next() again although nothing arrives or completes: an idle wait that ends.
  [[nodiscard]] std::optional<Time> idle_until() const;

  [[nodiscard]] std::size_t waiting() const { return queue_.size(); }
  [[nodiscard]] int in_flight() const { return in_flight_; }

 private:
  /// How soon a process asks again after its request has ended, on average.
  struct Habit {
    Time last_end{0};
    double think_seconds = 0;
    bool known = false;
    int unfinished = 0;
  };
  using Queue = std::deque<IoRequest>;

  [[nodiscard]] bool merge(const IoRequest& request);
  [[nodiscard]] Queue::iterator upwards(std::optional<int> process, std::optional<BlockOperation> operation);
  [[nodiscard]] Queue::iterator choose_deadline(Time now);
  [[nodiscard]] Queue::iterator choose_anticipatory(Time now);
  [[nodiscard]] Queue::iterator choose_cfq(Time now);
  [[nodiscard]] bool worth_waiting_for(int process, Time limit) const;
  [[nodiscard]] bool has_request_of(int process) const;

  IoScheduler scheduler_;
  IoSchedulerTunables tunables_;
  int depth_;
  Bytes largest_;
  Queue queue_;  // in order of arrival
  std::map<int, Habit> habits_;
  int in_flight_ = 0;
  std::int64_t position_ = 0;  // where the last request ended
  int batch_ = 0;              // deadline: how many of this batch are left
  BlockOperation direction_ = BlockOperation::read;
  int writes_starved_ = 0;
  int owner_ = -1;  // anticipatory: the last reader; cfq: whose slice it is
  Time slice_ends_{0};
  std::optional<Time> idle_until_;
};

}  // namespace doorbell::model
