// Where the NIC keeps WQEs that cores have written by MMIO (BlueFlame) until it needs them no more.
#pragma once

#include "models/nic/queue_pair.hpp"

namespace doorbell::model {

/// A WQE is needed until the message has left, or, since the NIC may have to send it again, until it is acknowledged
/// (RC). Only the first `places` of all WQEs that are needed are kept. One that finds no room is read from its send
/// queue, and all after it until its queue pair has none left, so that they stay in order: what has been posted is
/// never lost. The reads take the link that the WQEs themselves come by, so that a NIC which has fallen behind stays
/// behind. (No publication says so; the WRITE windows of Fig. 13c on ConnectX-3 do: from 8 to 16 they go from 0.2 cache
/// lines read per WRITE to more than three.)
class MmioBuffer {
 public:
  explicit MmioBuffer(int places) : places_{places} {}

  /// A WQE of `queue_pair` comes in. False: it must be read from memory.
  [[nodiscard]] bool keeps(QueuePair& queue_pair) {
    if (++needed_ > places_) queue_pair.from_memory = true;
    return !queue_pair.from_memory;
  }
  /// A WQE of `plan` has been processed, kept or not.
  void processed(const OperationPlan& plan) {
    if (!plan.acknowledged) --needed_;
  }
  /// One that was processed has been acknowledged.
  void acknowledged() { --needed_; }

 private:
  int places_;
  int needed_ = 0;
};

}  // namespace doorbell::model
