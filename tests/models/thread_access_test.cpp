// Programs whose requests go to drives before they are answered.
#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/nvme_host.hpp"
#include "models/run.hpp"
#include "models/thread.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

AccessStep access(double write_share = 0) {
  AccessStep step;
  step.size = 4_KiB;
  step.write_share = write_share;
  return step;
}

PostStep answer_with_data() {
  PostStep step = answer(4096, 8);
  step.inlined = false;
  return step;
}

/// Clients that keep `window` requests in flight, and a server of `threads` with `drives` drives.
Scenario target(int window, int threads, int drives, const AccessStep& step = access()) {
  const QueuePairs connected = queue_pairs(Transport::rc);
  QueuePairs answers = queue_pairs(Transport::rc, 4);
  answers.depth = 512;
  Scenario scenario =
      scenario_of(attentive_machine(), program(connected, {post_window(Verb::send, 32, window), await(1)}, 4),
                  program(answers, {collect(Channel::completion_queue, 32), step, answer_with_data()}, threads));
  for (auto& [name, group] : scenario.machines) {
    if (name == "server") group.drives = DriveGroup{round_drive(), drives};
  }
  scenario.measure.warmup = 500us;
  scenario.measure.duration = 4ms;
  return scenario;
}

double level(const RunResult& result, const std::string& name) {
  for (const Level& item : result.levels) {
    if (item.name == name) return item.mean;
  }
  ADD_FAILURE() << "no level " << name;
  return 0;
}
std::uint64_t count(const RunResult& result, const std::string& name) {
  for (const CounterReading& item : result.counters) {
    if (item.name == name) return item.count;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST(ThreadAccess, ARequestIsAnsweredWhenItsDataAreThere) {
  const RunResult with = run(target(1, 1, 1));
  Scenario scenario = target(1, 1, 1);
  for (auto& [name, program] : scenario.programs) {
    if (name == "server") program.loop.erase(program.loop.begin() + 1);
  }
  const RunResult without = run(scenario);
  // Four requests in flight meet at the controller now and then.
  const Time more = with.latency.mean - without.latency.mean;
  EXPECT_GE(to_nanoseconds(more), level(with, "server/command of a drive (us)") * 1e3);
  EXPECT_LE(to_nanoseconds(more), level(with, "server/command of a drive (us)") * 1e3 + 500);
}

TEST(ThreadAccess, DrivesLimitAsTheirControllersDo) {
  for (const int drives : {1, 2}) {
    const RunResult result = run(target(128, 2, drives));
    EXPECT_NEAR(result.throughput.per_second / (drives * 1e6), 1, 0.02) << drives;
    EXPECT_EQ(result.bottleneck.resource, "server/drives: controllers") << drives;
    EXPECT_EQ(result.bottleneck.limit, Limit::drive) << drives;
  }
}

TEST(ThreadAccess, EveryRequestIsOneCommand) {
  const RunResult result = run(target(16, 2, 4, access(0.25)));
  const double reads = static_cast<double>(count(result, "server/reads of drives"));
  const double writes = static_cast<double>(count(result, "server/writes to drives"));
  const double requests = result.throughput.per_second * to_seconds(result.simulated);
  EXPECT_NEAR((reads + writes) / requests, 1, 0.02);
  EXPECT_NEAR(writes / (reads + writes), 0.25, 0.03);
}

TEST(ThreadAccess, MoreAmplificationMeansFewerWrites) {
  AccessStep step = access(1);
  step.size = 16_KiB;
  const auto rate = [&](double amplification) {
    step.write_amplification = amplification;
    Scenario scenario = target(64, 2, 1, step);
    scenario.measure.warmup = 20ms;  // until the buffer is full
    scenario.measure.duration = 20ms;
    return run(scenario).throughput.per_second;
  };
  EXPECT_NEAR(rate(1) / (64 / 500e-6), 1, 0.03);
  EXPECT_NEAR(rate(4) / (16 / 500e-6), 1, 0.03);
}

TEST(ThreadAccess, IsTheSameForTheSameSeed) {
  const Scenario scenario = target(16, 2, 4, access(0.5));
  const RunResult one = run(scenario);
  const RunResult other = run(scenario);
  EXPECT_EQ(one.events, other.events);
  EXPECT_EQ(one.latency.mean, other.latency.mean);
}

TEST(ThreadAccess, NeedsDrives) {
  Scenario scenario = target(1, 1, 1);
  for (auto& [name, group] : scenario.machines) group.drives.reset();
  EXPECT_THROW(Simulation{scenario}, std::invalid_argument);
}

}  // namespace
}  // namespace doorbell::model
