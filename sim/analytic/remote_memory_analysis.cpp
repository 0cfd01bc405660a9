#include "analytic/remote_memory_analysis.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "analytic/demand.hpp"
#include "analytic/device_traffic.hpp"
#include "analytic/page_faults.hpp"
#include "analytic/reads_in_flight.hpp"
#include "analytic/remote_memory_programs.hpp"
#include "analytic/remote_memory_software.hpp"
#include "analytic/remote_operation.hpp"
#include "analytic/remote_request.hpp"
#include "analytic/window_bound.hpp"
#include "core/random.hpp"
#include "models/common/resource_name.hpp"
#include "models/remote_loads/machines_beside.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

/// Rows of what the load's own threads do.
namespace of_load {
constexpr const char* threads = "host/threads of the load";
constexpr const char* operations = "host/operations of the load";
}  // namespace of_load

/// A handler that works for it does not poll, and then its thread sleeps.
double slowdown_alone(const RemoteMemorySoftware& software) {
  return software.slowdown(software.polls_for_ever() ? 0 : 1);
}

/// One operation that meets no other. `awake`: handlers are still polling when its completions come.
Seconds alone(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, bool awake, DiskUse disk) {
  const Latency latency = operation_alone(software, RemoteRequest{scenario, software, awake, disk});
  return latency.software * slowdown_alone(software) + latency.hardware;
}

/// Whether requests may find the window full.
bool may_wait(const RemoteMemoryScenario& scenario) {
  const std::optional<BlockLoad>& block = scenario.block;
  if (scenario.access.window == Bytes{0}) return false;
  if (!block || !scenario.beside.empty()) return true;
  return block->size.count * block->depth * block->threads > scenario.access.window.count;
}

/// What an operation of a block load surely spends on waking its thread.
struct Waking {
  Seconds handler{0};
  Seconds thread{0};
};

Waking waking_of(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software) {
  if (!software.threads_sleep()) return {};
  return {Seconds{scenario.software.driver.wakeup}, Seconds{scenario.software.driver.context_switch}};
}

void bound_software(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, Bounds& bounds) {
  const RemoteAccess& access = scenario.access;
  const Waking waking = waking_of(scenario, software);
  const Seconds load = software.of_load() + waking.thread;
  const Seconds posting = software.posting();
  const Seconds handling = software.handling() + waking.handler;

  const int threads = load_threads(scenario);
  // Handlers post what has waited for a window.
  const bool posts = !may_wait(scenario) && !software.handlers_post();
  bounds.add(of_load::threads, (load + (posts ? posting : Seconds{0})) * software.slowdown(threads), threads,
             Limit::threads);
  const int all = software.hardware_threads();
  bounds.add(resource_name(host_machine, part::cpu),
             (load + posting + handling + software.handling_disk()) * clock_stretch(scenario.hardware.cpu, all), all,
             Limit::cpu);

  const int handlers = software.handlers();
  // Whoever posts is one of these, unless others fill the window or the disk makes room in it.
  if (!posts && !software.handlers_post() && scenario.beside.empty() && !uses_disk(access)) {
    const int together = threads + handlers;
    bounds.add("host/threads of the load and completion handlers",
               (load + posting + handling) * software.slowdown(software.polls_for_ever() ? threads : together),
               together, Limit::threads);
  }
  const double slower = software.slowdown(software.polls_for_ever() ? 0 : std::min(handlers, all));
  bounds.add("host/completion handlers",
             (handling + (software.handlers_post() ? posting : Seconds{0})) * slower + software.until_handlers_run(),
             handlers, Limit::completion_handler);
  if (access.protocol == Protocol::two_sided) {
    const int threads_of_each = std::min(scenario.software.daemon.threads, access.queue_pairs);
    bounds.add("peer/daemons", software.answering() + software.until_handlers_run(),
               answering_peers(access) * threads_of_each, Limit::threads);
  }
  bounds.add("host/locks of queue pairs", software.locked(), access.peers * access.queue_pairs, Limit::cpu);
  if (!software.queues()) return;
  const double most = std::max(software.traffic().reads.requests, software.traffic().writes.requests);
  bounds.add("host/merge queue", Seconds{scenario.software.lock.transfer} * (2 * most), 1, Limit::cpu);
}

void bound_hardware(const RemoteMemoryScenario& scenario, const DeviceTraffic& traffic, Bounds& bounds) {
  if (traffic.wqes() <= 0) return;
  const Scenario programs = as_programs(scenario);
  const Flow flow{programs};
  const DemandMatrix demands = demand_matrix(flow);
  const Eigen::VectorXd totals = demands.totals();
  for (std::size_t i = 0; i < demands.resources.size(); ++i) {
    const ResourceRow& row = demands.resources[i];
    const bool of_programs = std::ranges::any_of(flow.programs(), [&row](const ProgramFlow& program) {
      return row.name == model::cores_of(program.program->machine, program.name);
    });
    if (of_programs) continue;  // and not of this software
    bounds.add(row.name, Seconds{totals(static_cast<Eigen::Index>(i))} * traffic.wqes(), row.servers, row.limit);
  }
  const double pairs = static_cast<double>(answering_peers(scenario.access)) * scenario.access.queue_pairs;
  const int most = most_in_flight(scenario.hardware.nic, scenario.hardware.nic);
  for (const ReadsInFlight& reads : reads_in_flight(flow))
    bounds.add("host/READs in flight of the device", reads.held * traffic.wqes(), pairs * most, std::nullopt);
}

/// Whether a handler may still look for the next completion when that comes as soon as it can: times of software vary
/// about their mean, and an application may compute for next to no time.
bool stays_awake(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software) {
  const DeviceTraffic& traffic = software.traffic();
  if (software.polls_for_ever() || traffic.requests() <= 0) return false;
  const double variation = scenario.hardware.cpu.variation;
  const double least = application_of(scenario) != nullptr ? 0 : 1 - core::RandomStream::farthest_from_one(variation);
  const Seconds soonest =
      RemoteRequest{scenario, software, true}.shortest_way() + software.of_load() * least / traffic.requests();
  return software.still_polls(soonest);
}

/// Share of operations that follow one another every `period`, while the handler polls, for which it still does so when
/// they end. A timer runs on whatever comes.
double share_awake(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, Seconds period) {
  const double requests = software.traffic().requests();
  if (requests <= 0) return 0;
  const Seconds patience = software.patience();
  if (scenario.access.completion.mode == CompletionMode::timer) {
    const double found = std::floor(patience * requests / period);
    return found / (found + 1);
  }
  return patience >= RemoteRequest{scenario, software, true}.shortest_way() + software.of_load() / requests ? 1 : 0;
}

void bound_in_flight(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, Bounds& bounds) {
  // Before the thread issues the next request it takes this one.
  const Waking waking = waking_of(scenario, software);
  const bool takes = scenario.block && !software.handlers_post();
  const Seconds taking = (waking.handler + waking.thread + Seconds{takes ? scenario.software.block.reap : Time{0}}) *
                         slowdown_alone(software);
  const Seconds polling = alone(scenario, software, true, DiskUse::alone);
  const double awake_share = share_awake(scenario, software, polling + taking);
  Seconds unloaded = polling * awake_share + alone(scenario, software, false, DiskUse::alone) * (1 - awake_share);
  // Who asks for one after the other waits for what is not yet read ahead.
  if (uses_disk(scenario.access)) unloaded = std::max(unloaded, disk_service(scenario, software.traffic()));
  bounds.unloaded_latency = from_seconds(unloaded.count());
  const double depth = scenario.block ? scenario.block->depth : 1;
  const double most = load_threads(scenario) * depth;
  // With several operations completions may find the handler at work.
  const bool awake = most > 1 || stays_awake(scenario, software);
  const Seconds shortest = alone(scenario, software, awake, DiskUse::shortest);
  bounds.add(of_load::operations, shortest + taking, most, std::nullopt);
  if (!scenario.block || scenario.access.window == Bytes{0}) return;
  const InWindow window = in_window(scenario, software, most);
  bounds.add("host/window", window.each.software * slowdown_alone(software) + window.each.hardware, window.requests,
             std::nullopt);
}

/// Walking threads that find all their pages resident only compute, beside those that miss every one. What the rows so
/// far allow is for these alone.
void add_walkers_that_fit(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, Bounds& bounds) {
  const std::optional<PagingLoad>& paging = scenario.paging;
  const double fit = paging ? walkers_that_fit(*paging, *paging, paging->threads) : 0;
  if (fit <= 0) return;
  const double missing = 1 - fit / paging->threads;
  const double found = fit / (to_seconds(paging->compute) * software.slowdown(static_cast<int>(fit)));
  for (Bound& bound : bounds.bounds) {
    const bool of_threads = bound.resource == of_load::threads || bound.resource == of_load::operations;
    bound.limit.per_second = bound.limit.per_second * (of_threads ? missing : 1) + found;
    bound.demand = from_seconds(bound.servers / bound.limit.per_second);
  }
  bounds.left_out.emplace_back(
      "which of the walking threads get ahead, whose parts then stay resident: the bound takes as many as fit");
}

void tell_left_out(const RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software, Bounds& bounds) {
  const CompletionMode mode = scenario.access.completion.mode;
  if (mode != CompletionMode::busy && mode != CompletionMode::event) {
    bounds.left_out.emplace_back("interrupts of the host: how often its completion handlers find nothing to do");
  }
  if (scenario.block && !software.handlers_post() && !software.threads_sleep()) {
    bounds.left_out.emplace_back("waking the threads of the load: how often all they wait for is still under way");
  }
  const std::optional<BlockLoad>& block = scenario.block;
  if (block && block->depth > 1 && block->order == AccessOrder::sequential && scenario.access.peers > 1 &&
      block->size * block->depth < scenario.access.stripe) {
    bounds.left_out.emplace_back(
        "that requests in order are at one peer at a time: queue pairs to the others, and who takes their completions, "
        "are idle meanwhile");
  }
  const std::optional<PagingLoad>& paging = scenario.paging;
  const bool leave_places = paging ? paging->order == AccessOrder::random && paging->dirty > 0 : bool{scenario.records};
  if (leave_places && application_of(scenario)->readahead > 1 && software.traffic().faults > 0)
    bounds.left_out.emplace_back("how densely pages lie on the device: how many more than the missing one are read");
  if (uses_disk(scenario.access) && scenario.hardware.disk->mechanics.write_cache > Bytes{0})
    bounds.left_out.emplace_back(
        "writing what the write cache of the host's disk holds: how much that is, and in which order");
  if (!scenario.block && scenario.access.window > Bytes{0})
    bounds.left_out.emplace_back("the window of the device: how many requests of the load meet in it");
}

}  // namespace

Bounds analyze(const RemoteMemoryScenario& scenario) {
  const RemoteMemorySoftware software{scenario};
  Bounds bounds;
  bound_software(scenario, software, bounds);
  bound_hardware(scenario, software.traffic(), bounds);
  if (uses_disk(scenario.access))
    bounds.add("host/disk", disk_service(scenario, software.traffic()), 1, Limit::disk_heads);
  bound_in_flight(scenario, software, bounds);
  add_walkers_that_fit(scenario, software, bounds);
  bounds.settle();
  tell_left_out(scenario, software, bounds);
  if (application_of(scenario) != nullptr) return bounds;
  const Bytes moved = scenario.block ? scenario.block->size : scenario.files->record;
  bounds.bandwidth = {bounds.throughput.per_second * static_cast<double>(moved.count)};
  return bounds;
}

}  // namespace doorbell::analytic
