// Memory in which a thread looks for requests, slot by slot.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/quantity.hpp"
#include "core/ring_queue.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

/// Each thread that may write requests has a slot (see request_slots.hpp). Whoever looks goes round, so that no slot
/// waits for more than one round.
class PolledRegion {
 public:
  void resize(std::size_t slots) { slots_.resize(slots); }
  [[nodiscard]] std::size_t slots() const { return slots_.size(); }

  void write(std::size_t slot, Message& request) {
    slots_[slot].push(&request);
    ++requests_;
  }
  /// Requests that have not been taken.
  [[nodiscard]] std::size_t requests() const { return requests_; }
  /// When the first of them can be seen; Time::max() without any.
  [[nodiscard]] Time earliest() const {
    Time earliest = Time::max();
    if (requests_ == 0) return earliest;
    for (const auto& slot : slots_) {
      if (!slot.empty()) earliest = std::min(earliest, slot.front()->visible);
    }
    return earliest;
  }

  /// Looks into the next slot: takes the request that could be seen at `when`, or returns null.
  [[nodiscard]] Message* look(Time when) {
    core::RingQueue<Message*>& slot = slots_[next_];
    next_ = next_ + 1 == slots_.size() ? 0 : next_ + 1;
    if (slot.empty() || slot.front()->visible > when) return nullptr;
    --requests_;
    return slot.pop();
  }

 private:
  std::vector<core::RingQueue<Message*>> slots_;  // by number
  std::size_t next_ = 0;
  std::size_t requests_ = 0;
};

}  // namespace doorbell::model
