#include "models/remote_memory/remote_daemon.hpp"

#include <algorithm>
#include <string>

#include "models/nic/doorbell_post.hpp"

namespace doorbell::model {

RemoteDaemon::RemoteDaemon(core::Calendar& calendar, MessagePool& pool, const RemoteMemoryScenario& scenario,
                           Machine& machine, Machine& client_machine, Endpoint& client, std::size_t channels,
                           std::uint64_t seed, int number)
    : calendar_{calendar},
      pool_{pool},
      scenario_{scenario},
      client_machine_{client_machine},
      client_{client},
      cpu_{calendar, scenario.hardware.cpu, seed, "peer " + std::to_string(number)},
      requests_{calendar, cpu_, scenario, scenario.access.completion, *this} {
  for (std::size_t i = 0; i < channels; ++i) {
    queue_pairs_.push_back(std::make_unique<QueuePair>());
    open_queue_pair(*queue_pairs_.back(), machine, *this, i);
  }
}

const OperationPlan& RemoteDaemon::plan_of(Bytes payload) {
  const auto [place, is_new] = plans_.try_emplace(payload.count);
  if (is_new) {
    place->second = make_plan(doorbell_operation(Verb::send, payload, 1), scenario_.hardware, scenario_.hardware);
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
  Message* answer = pool_.take();
  answer->plan = &plan;
  answer->queue_pair = &pair;
  answer->responder = &client_machine_;
  answer->destination = &client_;
  answer->wqe = pair.posted++;
  answer->address = request.address;
  pair.append(answer);
  ring_doorbell(pair, plan, 1, calendar_.now());
  pool_.give_back(&request);
}

core::Task<> RemoteDaemon::round_over() { co_return; }

void RemoteDaemon::transmitted(const Message&, Time) {}
void RemoteDaemon::completed(Message& message) { pool_.give_back(&message); }
void RemoteDaemon::completion_written(QueuePair& queue_pair) {
  while (!queue_pair.completions.empty()) (void)queue_pair.completions.pop();
}

}  // namespace doorbell::model
