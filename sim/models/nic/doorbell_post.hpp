// Posting by doorbell, as drivers in a kernel do: in rdma-core WQEs with inline data may go by MMIO, there none does.
#pragma once

#include "core/quantity.hpp"
#include "models/nic/queue_pair.hpp"
#include "models/nic/verb_path.hpp"

namespace doorbell::model {

/// An RC operation whose `payload` the NIC gathers, in lists of up to `batch`.
[[nodiscard]] Operation doorbell_operation(Verb verb, Bytes payload, int batch);

/// Rings at `now` for the last `wqes` WQEs of `pair`, which follow `plan`.
void ring_doorbell(QueuePair& pair, const OperationPlan& plan, int wqes, Time now);

}  // namespace doorbell::model
