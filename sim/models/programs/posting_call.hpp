// A posting call of a thread in the making: over which queue pair, to whom, and what its WQEs ask for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/quantity.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/programs/program_plan.hpp"
#include "models/programs/relay_state.hpp"

namespace doorbell::model {

class Thread;

struct PostingCall {
  QueuePair* queue_pair = nullptr;
  Thread* peer = nullptr;  ///< To whom the queue pair is connected, where that is not left to the step.
  const StepPlans* plans = nullptr;
  const OperationPlan* plan = nullptr;  ///< Of its last WQE, which tells the NIC of all.
  int wqes = 0;
  bool goes_on = false;             ///< With operations of which parts have been done.
  RelayPeer* relay_peer = nullptr;  ///< Whose requests it relays.
  Time began{0};                    ///< From here on the latency of what it posts counts.
};

/// What a WQE will ask for.
struct DrawnOperation {
  const OperationPlan* plan = nullptr;
  const std::optional<Region>* region = nullptr;
  std::size_t number = 0;  ///< Of the region in its step.
};

/// Of the rotation over a set of queue pairs. Each set has its own: the calls of a loop come in a fixed order, and with
/// one rotation for all a set would always have the same of its queue pairs.
struct PostingTurns {
  std::uint64_t calls = 0;
  std::vector<std::uint64_t> to_peer;  ///< By its number, where queue pairs lead to one machine or thread.
};

/// To whom a step posts. For the same reason each has its own.
struct PostingTargets {
  std::uint64_t next = 0;
};

}  // namespace doorbell::model
