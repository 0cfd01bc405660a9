// Messages of several packets, and short ones beside them, between two machines.
#pragma once

#include <utility>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {

/// The path MTU.
inline constexpr std::int64_t packet_bytes = 4096;

/// A client that posts one step's operations and waits for them.
inline Program loop_of(const PostStep& step) {
  Program program = model::program(queue_pairs(Transport::rc), {step, await(1)});
  program.machine = "client";
  return program;
}

/// `measured` and `other` on one client of a Connect-IB server.
inline Scenario beside(Program measured, Program other) {
  Scenario scenario = scenario_of(connect_ib(), std::move(measured), sink());
  scenario.programs.emplace_back("other", std::move(other));
  scenario.measure.warmup = std::chrono::milliseconds{2};
  scenario.measure.duration = std::chrono::milliseconds{4};
  return scenario;
}

/// Packets per second of the messages of `step`, alone.
inline double packets_alone(const PostStep& step) {
  Scenario scenario = scenario_of(connect_ib(), loop_of(step), sink());
  scenario.measure.warmup = std::chrono::milliseconds{4};
  scenario.measure.duration = std::chrono::milliseconds{20};
  return run(scenario).throughput.per_second * static_cast<double>(step.payload.count / packet_bytes);
}

/// What two threads of a machine, one on each of its ports, move per second to or from another one, relative to what
/// they do alone, while a third one fills the first port with what a machine behind one lane gets or sends.
inline double beside_a_narrow_machine(const PostStep& step) {
  const bool reads = step.verb == Verb::read;
  const auto rate = [&](bool disturbed) {
    const auto mover = [&](const char* machine, const char* to, int threads) {
      PostStep there = step;
      there.to = to;
      Program program = model::program(queue_pairs(Transport::rc), {there, await(1)}, threads);
      program.machine = machine;
      return program;
    };
    const auto memory = [](const char* machine) {
      Program program = sink(2);
      program.machine = machine;
      return program;
    };
    HardwareProfile one_lane = connect_ib();
    one_lane.pcie.lanes = 1;
    Scenario scenario;
    scenario.machines = {{"server", {"test", connect_ib(), 1}}, {"wide", {"test", connect_ib(), 1}}};
    scenario.programs = {{"memory", memory(reads ? "server" : "wide")},
                         {"measured", mover(reads ? "wide" : "server", "memory", 2)}};
    if (disturbed) {
      scenario.machines.push_back({"narrow", {"test", one_lane, 1}});
      if (!reads) scenario.programs.emplace_back("narrow memory", memory("narrow"));
      const char* to = reads ? "memory" : "narrow memory";
      scenario.programs.emplace_back("other", mover(reads ? "narrow" : "server", to, 1));
    }
    scenario.measure = {
        .program = "measured", .warmup = std::chrono::milliseconds{2}, .duration = std::chrono::milliseconds{4}};
    return run(scenario).throughput.per_second;
  };
  return rate(true) / rate(false);
}

/// The longest wait for packets of other queue pairs, each of which takes `packet`: what is being read, what waits for
/// the port and for buffer, and what fills the receiver's buffer.
inline Time wait_for_packets(Time packet) {
  const HardwareProfile hardware = connect_ib();
  return packet * (3 * hardware.nic.tx_queue + hardware.port.receive_buffer.count / packet_bytes);
}

}  // namespace doorbell::model
