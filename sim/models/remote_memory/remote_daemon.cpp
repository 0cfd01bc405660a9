#include "models/remote_memory/remote_daemon.hpp"

#include <algorithm>
#include <string>

#include "models/nic/doorbell_post.hpp"

namespace doorbell::model {

RemoteDaemon::RemoteDaemon(core::Calendar& calendar, MessagePool& pool, const DeviceSetup& setup, Machine& machine,
                           Machine& client_machine, Endpoint& client, std::size_t channels, std::uint64_t seed,
                           int number, int pinned)
    : calendar_{calendar},
      pool_{pool},
      setup_{setup},
      client_machine_{client_machine},
      client_{client},
      cpu_{calendar, setup.peer.cpu, setup.software, seed, "peer " + std::to_string(number), pinned} {
  // Its completions are those of its own machine.
  const DeviceSetup own{setup.peer, setup.host, setup.software, setup.access};
  const CompletionHandling handling = handling_of_daemon(setup.access.completion);
  for (int i = 0; i < setup.software.daemon.threads; ++i) {
    threads_.push_back(std::make_unique<CompletionQueue>(calendar, cpu_, own, handling, *this));
  }
  for (std::size_t i = 0; i < channels; ++i) {
    queue_pairs_.push_back(std::make_unique<QueuePair>());
    machine.open(*queue_pairs_.back(), *this, i);
  }
}

void RemoteDaemon::start() {
  for (auto& thread : threads_) thread->start();
}

void RemoteDaemon::measure() {
  cpu_.measure();
  for (auto& thread : threads_) thread->measure();
}

double RemoteDaemon::thread_utilisation(Time measured) const { return busiest_utilisation(threads_, measured); }

const OperationPlan& RemoteDaemon::plan_of(Bytes payload) {
  const auto [place, is_new] = plans_.try_emplace(payload.count);
  if (is_new) {
    place->second = make_plan(doorbell_operation(Verb::send, payload, 1), setup_.peer, setup_.host);
  }
  return place->second;
}

void RemoteDaemon::deliver(Message& message) {
  const std::size_t thread = static_cast<std::size_t>(message.queue_pair->source) % threads_.size();
  threads_[thread]->push(message.visible, reinterpret_cast<std::uintptr_t>(&message));
}

core::Task<> RemoteDaemon::consume(std::uint64_t completion) {
  Message& request = *reinterpret_cast<Message*>(completion);
  const Bytes data = std::max(request.plan->operation.payload, request.answer_size);
  const OperationPlan& plan = plan_of(request.answer_size);
  const HostSoftware& software = setup_.software;
  co_await cpu_.work(software.daemon.work + transfer_time(data, software.memory.copy) * setup_.access.server_copies +
                     software.driver.post + plan.core_per_call + plan.core_per_wqe);
  if (software.daemon.delay > Time{0}) {
    core::start(calendar_, answer_later(request, plan));
  } else {
    answer(request, plan);
  }
}

core::Process RemoteDaemon::answer_later(Message& request, const OperationPlan& plan) {
  co_await core::delay(calendar_, setup_.software.daemon.delay);
  answer(request, plan);
}

void RemoteDaemon::answer(Message& request, const OperationPlan& plan) {
  QueuePair& pair = *queue_pairs_[request.queue_pair->source];
  Message* answer = pool_.take();
  answer->plan = &plan;
  answer->queue_pair = &pair;
  answer->responder = &client_machine_.nic();
  answer->responder_port = static_cast<std::uint8_t>(request.queue_pair->port);
  answer->destination = &client_;
  answer->flight = request.flight;
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
