// An engine of arithmetic: a scenario file "N" has points of 1, 2 and 4 threads, each of which does N million a second.
#pragma once

#include <atomic>
#include <charconv>
#include <memory>
#include <stdexcept>

#include "figures/engine.hpp"

namespace doorbell::figures {

/// How often the fake was asked to simulate.
using RunCount = std::shared_ptr<std::atomic<int>>;

inline model::RunResult fake_run(const model::Scenario& scenario) {
  const int threads = scenario.programs.front().second.threads;
  const double each = static_cast<double>(scenario.fabric.switch_latency.count());
  model::RunResult run;
  run.throughput = {each * threads * 1e6};
  run.throughput_ci95 = {0.25e6};
  run.bandwidth = {each * threads * 1024 * 1024};
  run.latency.mean = std::chrono::microseconds{threads};
  run.latency.samples = 100;
  run.counters = {{"server/PCIeRdCur", 100, {3e6 * threads}}};
  run.programs = {{"worker", 1.5 * threads, {}, {}}};
  run.utilisations = {{"server/cores", 0.9}, {"server/nic", 0.5}};
  run.levels = {{"server/waiting", 0.25}, {"server/send of KB 64 (us)", 3, 64}, {"server/send of KB 128 (us)", 5, 128}};
  model::LatencySummary slow;
  slow.p50 = std::chrono::microseconds{7};
  slow.samples = 100;
  run.kinds = {{"writes", Rate{1e6 * threads}, slow}};
  run.bottleneck.resource = "server/cores";
  run.bottleneck.limit = model::Limit::cpu;
  run.bottleneck.next_resource = "server/nic";
  // The seed shows in the result, so that a lost seed shows too.
  run.throughput.per_second += static_cast<double>(scenario.seed);
  return run;
}

inline Engine fake_engine(const RunCount& runs = std::make_shared<std::atomic<int>>(0)) {
  Engine engine;
  engine.load = [](const std::filesystem::path& file, const Overrides& overrides, const std::filesystem::path&) {
    const std::string name = file.filename().string();
    int each = 0;
    std::from_chars(name.data(), name.data() + name.size(), each);
    if (each == 0) throw std::invalid_argument{"no such scenario"};
    std::vector<SweepPoint> points;
    for (const int threads : {1, 2, 4}) {
      SweepPoint point;
      point.coordinates = {{"/threads", std::to_string(threads)}, {"/payload", std::to_string(threads * 8) + " B"}};
      point.scenario.programs.emplace_back("worker", model::Program{});
      point.scenario.programs.front().second.threads = threads;
      point.scenario.fabric.switch_latency = Time{each};
      point.scenario.seed = 0;
      if (overrides.empty()) {
        points.push_back(std::move(point));
      } else if (overrides.front().second == std::to_string(threads)) {
        point.coordinates.clear();
        points.push_back(std::move(point));
      }
    }
    return points;
  };
  engine.run = [runs](const model::Scenario& scenario) {
    ++*runs;
    return fake_run(scenario);
  };
  engine.bound = [](const model::Scenario& scenario) -> std::optional<Rate> {
    return Rate{10e6 * scenario.programs.front().second.threads};
  };
  engine.profile = [](const std::filesystem::path&) {
    model::HardwareProfile hardware;
    hardware.pcie.lanes = 16;
    hardware.pcie.lane_bandwidth = {984.6e6};
    hardware.pcie.request_header = Bytes{26};
    hardware.pcie.completion_header = Bytes{22};
    hardware.pcie.read_completion_boundary = Bytes{128};
    hardware.pcie.max_payload = Bytes{256};
    hardware.pcie.max_read_request = Bytes{512};
    hardware.mmio.line = Bytes{64};
    hardware.port.ports = 1;
    hardware.port.bandwidth = {6.8e9};
    hardware.port.mtu = Bytes{4096};
    hardware.mmio.doorbell = Bytes{8};
    hardware.nic.wqe_slot = Bytes{64};
    hardware.nic.wqe_stride = Bytes{64};
    hardware.nic.ud_wqe_header = Bytes{68};
    return hardware;
  };
  return engine;
}

}  // namespace doorbell::figures
