#include "models/nic/doorbell_post.hpp"

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

void open_queue_pair(QueuePair& pair, Machine& machine, Endpoint& owner, std::size_t source) {
  machine.open(pair, owner);
  pair.source = source;
  pair.port = static_cast<int>(source) % machine.profile().port.ports;
}

void ring_doorbell(QueuePair& pair, const OperationPlan& plan, int wqes, Time now) {
  HostDma& dma = pair.machine->nic().dma();
  Time arrival = now;
  for (const Time service : plan.mmio_writes) arrival = dma.mmio_write(service) + dma.latency();
  pair.unit->accept(
      pair, {.arrival = arrival, .plan = &plan, .wqes = wqes, .fetched = false, .in_hand = 0, .started = false});
}

}  // namespace doorbell::model
