// A host with round numbers that uses the memory of others.
#pragma once

#include <stdexcept>
#include <string_view>

#include "models/common/result.hpp"
#include "models/connect_ib.hpp"
#include "models/level.hpp"
#include "models/run.hpp"
#include "models/scenario.hpp"

namespace doorbell::model {

inline RemoteMemoryScenario remote_memory() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  RemoteMemoryScenario remote;
  remote.hardware = connect_ib();
  remote.hardware.cpu.variation = 0;
  remote.software.block = {.submit = 1us, .finish = 500ns, .reap = 500ns, .merge_check = 50ns};
  remote.software.driver = {
      .post = 100ns, .poll = 50ns, .interrupt = 1us, .interrupt_latency = 1us, .wakeup = 500ns, .context_switch = 1us};
  remote.software.memory = {
      .copy = 4000_MBps, .map = 100ns, .map_page = 10ns, .register_region = 50us, .register_page = 100ns, .fault = 1us};
  remote.software.lock = {.local = 20ns, .transfer = 50ns};
  remote.software.user_files = {.call = 1us, .request = 5us, .copy = 4000_MBps};
  remote.access.batching = Batching::single;
  remote.access.registration = Registration::in_place;
  remote.warmup = 1ms;
  remote.duration = 5ms;
  return remote;
}

/// Threads on a block device.
inline RemoteMemoryScenario on_blocks(int threads, int depth) {
  RemoteMemoryScenario remote = remote_memory();
  remote.block = BlockLoad{.threads = threads, .depth = depth};
  return remote;
}

/// A loop over verbs: one request at a time, by a thread that polls.
inline RemoteMemoryScenario one_at_a_time(Bytes size) {
  RemoteMemoryScenario remote = on_blocks(1, 1);
  remote.block->size = size;
  remote.block->in_handler = true;
  remote.access.completion.mode = CompletionMode::busy;
  return remote;
}

inline Scenario scenario_about(const RemoteMemoryScenario& remote, std::uint64_t seed = 1) {
  Scenario scenario;
  scenario.instead = remote;
  scenario.seed = seed;
  return scenario;
}

inline RunResult run_of(const RemoteMemoryScenario& remote, std::uint64_t seed = 1) {
  return run(scenario_about(remote, seed));
}

inline double per_operation(const RunResult& result, std::string_view counter) {
  for (const CounterReading& reading : result.counters) {
    if (reading.name == counter) return reading.rate.per_second / result.throughput.per_second;
  }
  throw std::invalid_argument("no such counter");
}

}  // namespace doorbell::model
