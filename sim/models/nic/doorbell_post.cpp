#include "models/nic/doorbell_post.hpp"

#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {

Operation doorbell_operation(Verb verb, Bytes payload, int batch) {
  Operation operation;
  operation.transport = Transport::rc;
  operation.verb = verb;
  operation.payload = payload;
  operation.inlined = false;
  operation.method = PostMethod::doorbell;
  operation.batch = batch;
  return operation;
}

void ring_doorbell(QueuePair& pair, const OperationPlan& plan, int wqes, Time now) {
  HostDma& dma = pair.nic->dma();
  Time arrival = now;
  for (const Time service : plan.mmio_writes) arrival = dma.mmio_write(service) + dma.latency();
  pair.unit->accept(
      pair, {.arrival = arrival, .plan = &plan, .wqes = wqes, .fetched = false, .in_hand = 0, .started = false});
}

}  // namespace doorbell::model
