// A server with a device on remote memory, and clients.
#pragma once

#include <utility>

#include "models/fixture.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {

/// Clients that keep `window` requests of 32 B in flight, and a server that does `step` for each before it answers; its
/// device is on two other machines.
inline Scenario remote_server(int window, int threads, Step step) {
  using namespace std::chrono_literals;
  const RemoteMemoryScenario remote = remote_memory();
  QueuePairs answers = queue_pairs(Transport::rc, 4);
  answers.depth = 512;
  Scenario scenario = scenario_of(
      remote.hardware, program(queue_pairs(Transport::rc), {post_window(Verb::send, 32, window), await(1)}, 4),
      program(answers, {collect(Channel::completion_queue, 32), std::move(step), answer(32, 8)}, threads));
  MachineGroup& server = named(scenario.machines, "server");
  server.software = remote.software;
  server.remote_device = RemoteDeviceGroup{.peers = "lender", .access = remote.access};
  server.remote_device->access.peers = 2;
  scenario.machines.emplace_back("lender", MachineGroup{"lender", remote.hardware, 2});
  scenario.measure.warmup = 1ms;
  scenario.measure.duration = 4ms;
  return scenario;
}

inline RemoteAccess& access_of(Scenario& scenario) { return named(scenario.machines, "server").remote_device->access; }

}  // namespace doorbell::model
