// Small scenarios for tests of the models: clients of one kind post to one server, on machines with round numbers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "models/common/result.hpp"
#include "models/connect_ib.hpp"
#include "models/counter.hpp"
#include "models/level.hpp"
#include "models/nic/verb_path.hpp"
#include "models/programs/connected_peers.hpp"
#include "models/programs/posted_operation.hpp"
#include "models/programs/simulation.hpp"
#include "models/scenario.hpp"

namespace doorbell::model {

/// A machine whose cores notice at once what has become visible, so that latencies are sums of what the hardware takes.
inline HardwareProfile attentive_machine() {
  HardwareProfile hardware = connect_ib();
  hardware.cpu.poll_empty = Time{0};
  return hardware;
}

/// The same, and software takes the same time whenever it runs.
inline HardwareProfile steady_machine() {
  HardwareProfile hardware = attentive_machine();
  hardware.cpu.variation = 0;
  return hardware;
}

inline QueuePairs queue_pairs(Transport transport, int count = 1) {
  QueuePairs pairs;
  pairs.transport = transport;
  pairs.count = count;
  return pairs;
}

/// A program on one set of queue pairs, which the steps below name.
inline Program program(const QueuePairs& pairs, std::vector<Step> loop, int threads = 1) {
  Program result;
  result.threads = threads;
  result.queue_pairs = {{"pairs", pairs}};
  result.loop = std::move(loop);
  return result;
}

/// Without steps: what is sent there is received and forgotten.
inline Program sink(int threads = 1, PortUse ports = PortUse::own) {
  Program result = program(queue_pairs(Transport::ud), {}, threads);
  result.queue_pairs.front().second.ports = ports;
  return result;
}

/// The program on other machines than those that scenario_of gives it.
inline Program on(std::string machine, Program program) {
  program.machine = std::move(machine);
  return program;
}

inline PostStep post(Verb verb, std::int64_t payload, int batch = 1) {
  PostStep step;
  step.verb = verb;
  step.payload = Bytes{payload};
  step.batch = batch;
  step.queue_pairs = "pairs";
  step.to = "server";
  return step;
}

inline PostStep post_window(Verb verb, std::int64_t payload, int window, int batch = 1) {
  PostStep step = post(verb, payload, batch);
  step.window = window;
  return step;
}

/// Answers what was collected.
inline PostStep answer(std::int64_t payload, int batch = 1) {
  PostStep step = post(Verb::send, payload, batch);
  step.to.clear();
  step.destination = Destination::origin;
  return step;
}

inline Region region(std::int64_t count, std::int64_t stride, AddressPattern pattern = AddressPattern::sequential) {
  Region result;
  result.count = count;
  result.stride = Bytes{stride};
  result.pattern = pattern;
  return result;
}

inline PostStep post_atomic(std::int64_t counters, std::int64_t stride, int batch = 1) {
  PostStep step = post(Verb::fetch_add, 8, batch);
  step.region = region(counters, stride);
  return step;
}

inline CollectStep collect(Channel via, int at_most = 1) {
  CollectStep step;
  step.via = via;
  step.at_most = at_most;
  return step;
}

inline AwaitStep await(int at_least) {
  AwaitStep step;
  step.at_least = at_least;
  return step;
}

inline ComputeStep compute(Time per_pass, Time per_item = Time{0}) {
  ComputeStep step;
  step.per_pass = per_pass;
  step.per_item = per_item;
  return step;
}

inline ReplenishStep replenish() {
  ReplenishStep step;
  step.queue_pairs = "pairs";
  return step;
}

inline IncrementStep increment(bool per_item) {
  IncrementStep step;
  step.line = "counter";
  step.per_item = per_item;
  return step;
}

template <class T> T& named(Named<T>& all, std::string_view name) {
  for (auto& [key, value] : all) {
    if (key == name) return value;
  }
  throw std::invalid_argument("no such name in the test's scenario");
}

/// The scenario, in which every connected set has at least a queue pair for each of its peers.
inline Scenario connected(Scenario scenario) {
  for (auto& [name, program] : scenario.programs) {
    for (const Step& step : program.loop) {
      const auto* post = std::get_if<PostStep>(&step);
      if (post == nullptr || find(program.queue_pairs, post->queue_pairs) == nullptr) continue;
      QueuePairs& set = named(program.queue_pairs, post->queue_pairs);
      int peers = 1;
      if (post->destination == Destination::origin) {
        peers = static_cast<int>(askers_of(name, scenario.programs, scenario.machines).threads);
      } else if (needs_connections(*post, set) && find(scenario.programs, post->to) != nullptr) {
        peers = peers_asked(*post, scenario.programs, scenario.machines);
      }
      if (set.transport != Transport::ud) set.count = std::max(set.count, peers);
    }
  }
  return scenario;
}

/// `clients` machines run `client`, one runs `server`, and what the client achieves is measured. Connected sets get as
/// many queue pairs as they need.
inline Scenario scenario_of(const HardwareProfile& hardware, Program client, Program server, int clients = 1) {
  client.machine = "client";
  server.machine = "server";
  Scenario scenario;
  scenario.machines = {{"server", {"test", hardware, 1}}, {"client", {"test", hardware, clients}}};
  scenario.programs = {{"server", std::move(server)}, {"client", std::move(client)}};
  scenario.measure.program = "client";
  scenario.measure.warmup = std::chrono::microseconds{20};
  scenario.measure.duration = std::chrono::microseconds{100};
  return connected(std::move(scenario));
}

inline HardwareProfile& hardware_of(Scenario& scenario, std::string_view machine) {
  return named(scenario.machines, machine).hardware;
}

/// The plan-time operation of a step, for comparisons with its verb path.
inline VerbPath path_of(const PostStep& step, const QueuePairs& pairs, const HardwareProfile& hardware) {
  return make_path(operation_of(step, pairs, step.batch, hardware, {hardware, sink()}), hardware, hardware);
}

inline double busy(const RunResult& result, std::string_view resource) {
  for (const Utilisation& utilisation : result.utilisations) {
    if (utilisation.resource == resource) return utilisation.busy;
  }
  ADD_FAILURE() << "no utilisation of " << resource;
  return -1;
}

/// Runs event by event until `count()` changes, and returns when that is.
template <class Count> Time run_to_change(Simulation& simulation, Count count) {
  const auto before = count();
  while (count() == before) {
    if (!simulation.calendar().step()) throw std::logic_error("nothing more happens in the test's scenario");
  }
  return simulation.calendar().now();
}

/// Runs until `end`, and counts the CQEs of the first queue pair of each thread of `name` that come after one of a
/// later WQE. Steps must leave them there until they need room: CQEs of awaited operations are polled as they come.
inline int overtaken_cqes(Simulation& simulation, const std::string& name, Time end) {
  const auto& threads = simulation.program(name).threads;
  std::vector<std::uint64_t> last(threads.size(), 0);
  int found = 0;
  int seen = 0;
  while (simulation.calendar().now() < end) {
    if (!simulation.calendar().step()) throw std::logic_error("nothing more happens in the test's scenario");
    for (std::size_t i = 0; i < threads.size(); ++i) {
      const auto& cqes = threads[i]->queue_pairs()[0][0]->completions;
      if (cqes.empty()) continue;
      const std::uint64_t newest = cqes[cqes.size() - 1].wqe;
      if (newest < last[i]) ++found;
      if (newest != last[i]) ++seen;
      last[i] = newest;
    }
  }
  constexpr int enough = 40;
  EXPECT_GT(seen, enough) << "too few CQEs were in the queues to tell";
  return found;
}

inline ProgramStatistics& statistics(Simulation& simulation, const std::string& name) {
  return simulation.program(name).statistics;
}

/// Operations per second if one takes `time`.
inline double rate_of(Time time) { return 1 / to_seconds(time); }

}  // namespace doorbell::model
