// Streams of transfers at random, which share more or less of what they cross: no run is above its closed form.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "analytic/chance.hpp"
#include "analytic/transfer_analysis.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using namespace std::chrono_literals;
using doorbell::testing::Chance;
using model::TransferScenario;
using model::TransferStage;
using model::TransferStream;

constexpr double rounding = 1.02;

TransferScenario streams_at_random(Chance& chance) {
  const std::vector<double> gigabytes{1, 2, 5, 10, 20};
  const std::vector<int> counts{1, 1, 2, 3, 4, 7, 16};
  const std::vector<int> windows{1, 2, 8};
  const std::vector<Bytes> sizes{4_KiB, 64_KiB, 1024_KiB};
  const std::vector<Time> latencies{0us, 10us, 100us};
  TransferScenario transfers;
  for (std::size_t i = chance.below(3) + 2; i-- > 0;) {
    const Bandwidth bandwidth{chance.of(gigabytes) * 1e9};
    transfers.resources.push_back({"r" + std::to_string(i), {bandwidth, chance.of(counts)}});
  }
  for (std::size_t i = chance.below(4) + 1; i-- > 0;) {
    TransferStream stream;
    stream.count = chance.of(counts);
    stream.size = chance.of(sizes);
    stream.outstanding = chance.of(windows);
    stream.stages.resize(chance.below(2) + 1);
    for (TransferStage& stage : stream.stages) {
      stage.latency = chance.of(latencies);
      stage.route.resize(chance.below(3) + 1);
      for (std::string& name : stage.route) name = chance.of(transfers.resources).first;  // some of them twice
    }
    transfers.streams.push_back({"s" + std::to_string(i), stream});
  }
  if (chance.once_in(3)) transfers.measure = transfers.streams.front().first;
  return transfers;
}

std::string text_of(const TransferScenario& transfers) {
  std::string text = "measure \"" + transfers.measure + "\"";
  for (const auto& [name, resource] : transfers.resources) {
    const double gigabytes = resource.bandwidth.bytes_per_second / 1e9;
    text += "; " + name + ": " + std::to_string(resource.count) + " of " + std::to_string(gigabytes) + " GB/s";
  }
  for (const auto& [name, stream] : transfers.streams) {
    text += "; " + name + ": " + std::to_string(stream.count) + " with " + std::to_string(stream.outstanding) +
            " requests of " + std::to_string(stream.size.count) + " B";
    for (const TransferStage& stage : stream.stages) {
      text += ", after " + std::to_string(to_seconds(stage.latency) * 1e6) + " us over";
      for (const std::string& resource : stage.route) text += " " + resource;
    }
  }
  return text;
}

model::RunResult run_of(const TransferScenario& transfers) {
  model::Scenario scenario;
  scenario.instead = transfers;
  return model::run(scenario);
}

bool is_above(const model::RunResult& run, const Bounds& bounds) {
  return run.throughput.per_second > bounds.throughput.per_second * rounding ||
         run.bandwidth.bytes_per_second > bounds.bandwidth.bytes_per_second * rounding;
}

/// What was under way when the measurement began ends in it, too: in a long one that is a hundredth of all.
Time long_run(const TransferScenario& transfers, const Bounds& bounds) {
  double requests = 0;
  double bytes = 0;
  for (const auto& [name, stream] : transfers.streams) {
    const double in_flight = static_cast<double>(stream.count) * stream.outstanding;
    requests += in_flight;
    bytes += in_flight * static_cast<double>(stream.size.count);
  }
  return from_seconds(100 *
                      std::max(requests / bounds.throughput.per_second, bytes / bounds.bandwidth.bytes_per_second));
}

TEST(TransferFuzz, NoRunIsAboveTheClosedForm) {
  Chance chance{2029};
  for (int i = doorbell::testing::number_of("DOORBELL_FUZZ_RUNS", 2000) / 20; i-- > 0 && !HasFailure();) {
    TransferScenario transfers = streams_at_random(chance);
    SCOPED_TRACE(text_of(transfers));
    const Bounds bounds = analyze(transfers);
    transfers.warmup = 5ms;
    transfers.duration = 10ms;
    model::RunResult run = run_of(transfers);
    if (is_above(run, bounds)) {
      transfers.duration = long_run(transfers, bounds);
      run = run_of(transfers);
    }
    EXPECT_LE(run.throughput.per_second, bounds.throughput.per_second * rounding) << bounds.bottleneck;
    EXPECT_LE(run.bandwidth.bytes_per_second, bounds.bandwidth.bytes_per_second * rounding) << bounds.bottleneck;
  }
}

}  // namespace
}  // namespace doorbell::analytic
