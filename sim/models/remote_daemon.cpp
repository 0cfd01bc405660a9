#include "models/remote_daemon.hpp"

#include <algorithm>
#include <string>

namespace doorbell::model {

RemoteDaemon::RemoteDaemon(core::Calendar& calendar, MessagePool& pool, const RemoteMemoryScenario& scenario,
                           Machine& machine, Machine& client_machine, Endpoint& client, std::size_t channels,
                           std::uint64_t seed, int number)
    : calendar_{calendar},
      pool_{pool},
      scenario_{scenario},
      machine_{machine},
      client_machine_{client_machine},
      client_{client},
      cpu_{calendar, scenario.hardware.cpu, seed, "peer " + std::to_string(number)},
      requests_{calendar, cpu_, scenario, *this} {
  for (std::size_t i = 0; i < channels; ++i) {
    auto pair = std::make_unique<QueuePair>();
    pair->id = machine.take_queue_pair_number();
    pair->machine = &machine;
    pair->unit = &machine.nic().unit_of(pair->id);
    pair->owner = this;
    pair->source = i;
    pair->port = static_cast<int>(i) % machine.profile().port.ports;
    queue_pairs_.push_back(std::move(pair));
  }
}

const OperationPlan& RemoteDaemon::plan_of(Bytes payload) {
  const auto [place, is_new] = plans_.try_emplace(payload.count);
  if (is_new) {
    Operation operation;
    operation.transport = Transport::rc;
    operation.verb = Verb::send;
    operation.payload = payload;
    operation.inlined = false;
    operation.method = PostMethod::doorbell;
    place->second = make_plan(operation, scenario_.hardware, scenario_.hardware);
  }
  return place->second;
}

void RemoteDaemon::deliver(Message& message) {
  requests_.push(message.visible, reinterpret_cast<std::uintptr_t>(&message));
}

core::Task<> RemoteDaemon::consume(std::uint64_t completion) {
  Message& request = *reinterpret_cast<Message*>(completion);
  const Bytes data = std::max(request.plan->operation.payload, request.answer_size);
  const OperationPlan& plan = plan_of(request.answer_size);
  const HostSoftware& software = scenario_.software;
  co_await cpu_.work(transfer_time(data, software.memory.copy) * scenario_.access.server_copies + software.driver.post +
                     plan.core_per_call + plan.core_per_wqe);
  QueuePair& pair = *queue_pairs_[request.queue_pair->source];
  Time arrival = calendar_.now();
  for (const Time service : plan.mmio_writes) {
    arrival = machine_.nic().dma().mmio_write(service) + machine_.nic().dma().latency();
  }
  Message* answer = pool_.take();
  answer->plan = &plan;
  answer->queue_pair = &pair;
  answer->responder = &client_machine_;
  answer->destination = &client_;
  answer->wqe = pair.posted++;
  answer->address = request.address;
  pair.append(answer);
  pair.unit->accept(pair,
                    {.arrival = arrival, .plan = &plan, .wqes = 1, .fetched = false, .in_hand = 0, .started = false});
  pool_.give_back(&request);
}

core::Task<> RemoteDaemon::round_over() { co_return; }

void RemoteDaemon::transmitted(const Message&, Time) {}
void RemoteDaemon::completed(Message& message) { pool_.give_back(&message); }
void RemoteDaemon::completion_written(QueuePair& queue_pair) {
  while (!queue_pair.completions.empty()) (void)queue_pair.completions.pop();
}

}  // namespace doorbell::model
