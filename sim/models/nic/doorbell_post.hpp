// Posting by doorbell, as drivers in a kernel do: in rdma-core WQEs with inline data may go by MMIO, there none does.
#pragma once

#include <cstddef>

#include "core/quantity.hpp"
#include "models/nic/endpoint.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/nic/verb_path.hpp"
#include "models/programs/machine.hpp"

namespace doorbell::model {

/// An RC operation whose `payload` the NIC gathers, in lists of up to `batch`.
[[nodiscard]] Operation doorbell_operation(Verb verb, Bytes payload, int batch);

/// Makes `pair` the next queue pair of `machine`. Its ports are used in turn: number `source` of the owner's queue
/// pairs.
void open_queue_pair(QueuePair& pair, Machine& machine, Endpoint& owner, std::size_t source);

/// Rings at `now` for the last `wqes` WQEs of `pair`, which follow `plan`.
void ring_doorbell(QueuePair& pair, const OperationPlan& plan, int wqes, Time now);

}  // namespace doorbell::model
