#include "analytic/remote_memory_software.hpp"

#include <algorithm>

#include "core/random.hpp"
#include "models/nic/doorbell_post.hpp"
#include "models/nic/operation_plan.hpp"

namespace doorbell::analytic {

using namespace model;

RemoteMemorySoftware::RemoteMemorySoftware(const RemoteMemoryScenario& scenario)
    : scenario_{scenario},
      access_{scenario.access},
      software_{scenario.software},
      traffic_{device_traffic(scenario)},
      data_{placement_of(scenario.access), scenario.software.memory} {
  constexpr Bytes any{4096};  // gathered by the NIC, whatever it is
  const OperationPlan plan = make_plan(doorbell_operation(Verb::write, any, 1), scenario.hardware, scenario.hardware);
  per_call_ = software_.driver.post + plan.core_per_call;
  per_wqe_ = plan.core_per_wqe;
}

Seconds RemoteMemorySoftware::of_load() const {
  const DriverParameters& driver = software_.driver;
  if (scenario_.block) {
    if (handlers_post()) return Seconds{0};
    return Seconds{software_.block.submit + software_.block.reap} * traffic_.requests();
  }
  if (const Application* application = application_of(scenario_)) {
    return Seconds{application->compute} + Seconds{software_.block.submit} * traffic_.requests() +
           Seconds{software_.memory.fault + driver.context_switch} * traffic_.faults;
  }
  const UserFilesParameters& files = software_.user_files;
  return Seconds{files.call + transfer_time(scenario_.files->record, files.copy)} +
         Seconds{files.request + driver.context_switch} * user_file_requests();
}

double RemoteMemorySoftware::user_file_requests() const {
  return static_cast<double>(ceil_div(scenario_.files->record, scenario_.files->largest_request));
}

bool RemoteMemorySoftware::queues() const { return access_.batching != Batching::single || access_.window > Bytes{0}; }

Seconds RemoteMemorySoftware::posting(const Requests& requests, bool write) const {
  if (requests.requests <= 0) return Seconds{0};
  const Seconds checks = Seconds{software_.block.merge_check} * (queues() ? 2 * requests.requests : 0);
  const double prepared = requests.requests / requests.merged * requests.remote;
  const Seconds data = Seconds{data_.before(requests.wqe_size(), write)} * prepared;
  return checks + data + Seconds{software_.lock.local + per_call_} * requests.calls() +
         Seconds{per_wqe_} * requests.wqes();
}

Seconds RemoteMemorySoftware::posting() const {
  return posting(traffic_.reads, false) + posting(traffic_.writes, true);
}

Seconds RemoteMemorySoftware::locked() const {
  return Seconds{per_call_} * traffic_.calls() + Seconds{per_wqe_} * traffic_.wqes();
}

Seconds RemoteMemorySoftware::interrupt() const {
  const DriverParameters& driver = software_.driver;
  const bool user = access_.space == AddressSpace::user;
  return Seconds{driver.interrupt + (user ? time_to_wake(driver) : Time{0})};
}

Seconds RemoteMemorySoftware::taking_completion(const CompletionHandling& handling) const {
  const bool one_by_one = polls_for_ever() || handling.mode == CompletionMode::event;
  const Seconds poll = software_.driver.poll + software_.lock.transfer * (handlers_of_queue(handling) - 1);
  return interrupt() * interrupts_per_completion() + poll / (one_by_one ? 1 : handling.budget) +
         Seconds{scenario_.hardware.cpu.poll_cqe};
}

double RemoteMemorySoftware::interrupts_per_completion() const {
  switch (access_.completion.mode) {
    case CompletionMode::event: return 1;
    case CompletionMode::event_batch: return 1.0 / access_.completion.budget;
    case CompletionMode::busy:
    case CompletionMode::adaptive:
    case CompletionMode::timer: break;
  }
  return 0;
}

Seconds RemoteMemorySoftware::until_handlers_run() const {
  return Seconds{software_.driver.interrupt_latency} * (interrupts_per_completion() * traffic_.wqes());
}

bool RemoteMemorySoftware::threads_sleep() const {
  if (!scenario_.block || handlers_post() || scenario_.block->depth > 1) return false;
  // In the merge queue a thread may find requests of others, and post those while its own is answered.
  return !queues() || (scenario_.block->threads == 1 && scenario_.beside.empty());
}

Seconds RemoteMemorySoftware::handling(const Requests& requests, bool write) const {
  if (requests.requests <= 0) return Seconds{0};
  const Seconds data{write ? Time{0} : data_.after_read(requests.wqe_size())};
  return (taking_completion(access_.completion) + data) * requests.wqes() +
         Seconds{software_.block.finish} * (requests.requests * requests.replicas);
}

Seconds RemoteMemorySoftware::handling() const {
  // Who waits for one certain request sleeps until it is done.
  const double woken = scenario_.block                        ? 0
                       : application_of(scenario_) != nullptr ? traffic_.faults
                                                              : user_file_requests();
  return handling(traffic_.reads, false) + handling(traffic_.writes, true) + Seconds{software_.driver.wakeup} * woken;
}

Seconds RemoteMemorySoftware::handling_disk() const {
  double requests = 0;
  for (const Requests* one : {&traffic_.reads, &traffic_.writes}) requests += one->requests * one->to_disk;
  return Seconds{software_.block.finish} * requests;
}

Seconds RemoteMemorySoftware::answering() const {
  const Seconds taking = taking_completion(handling_of_daemon(access_.completion));
  Seconds time{0};
  for (const Requests* requests : {&traffic_.reads, &traffic_.writes}) {
    time += (taking + answering_one(requests->wqe_size()) + Seconds{per_wqe_}) * requests->wqes();
  }
  return time;
}

Seconds RemoteMemorySoftware::answering_one(Bytes size) const {
  const Bytes data = size + two_sided_header;
  return Seconds{software_.daemon.work + transfer_time(data, software_.memory.copy) * access_.server_copies +
                 per_call_};
}

Seconds RemoteMemorySoftware::entering(bool write, Bytes size) const {
  const Time queue = queues() ? software_.block.merge_check * 2 : Time{0};
  return Seconds{queue + data_.before(size, write) + software_.lock.local + software_.driver.post};
}

Seconds RemoteMemorySoftware::ending(bool write, Bytes size) const {
  return Seconds{software_.block.finish + (write ? Time{0} : data_.after_read(size))};
}

Seconds RemoteMemorySoftware::ending_more(bool write, Bytes size) const {
  const Seconds copied{write ? Time{0} : data_.after_read(size)};
  return Seconds{scenario_.hardware.cpu.poll_cqe} + Seconds{software_.block.finish} + copied;
}

Seconds RemoteMemorySoftware::patience() const {
  const CompletionHandling& handling = access_.completion;
  switch (handling.mode) {
    case CompletionMode::busy: return Seconds::max();
    case CompletionMode::timer: return Seconds{handling.timer};
    case CompletionMode::adaptive: return Seconds{software_.driver.poll * handling.max_retry};
    case CompletionMode::event:
    case CompletionMode::event_batch: break;
  }
  return Seconds{0};
}

bool RemoteMemorySoftware::still_polls(Seconds later) const {
  if (access_.completion.mode != CompletionMode::adaptive) return patience() > Seconds{0} && patience() >= later;
  const int polls = std::max(1, access_.completion.max_retry);
  const double most = 1 + core::RandomStream::farthest_from_one(scenario_.hardware.cpu.variation, polls);
  return patience() * most >= later;
}

int RemoteMemorySoftware::handlers() const {
  return completion_queues(access_) * handlers_of_queue(access_.completion);
}

int RemoteMemorySoftware::hardware_threads() const { return model::hardware_threads(scenario_.hardware.cpu); }

double RemoteMemorySoftware::slowdown(int threads) const {
  const int running = threads + (polls_for_ever() ? handlers() : 0);
  const double turns = std::max(1.0, static_cast<double>(running) / hardware_threads());
  return clock_stretch(scenario_.hardware.cpu, std::min(running, hardware_threads())) * turns;
}

}  // namespace doorbell::analytic
