#include "analytic/device_access.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "analytic/analysis.hpp"
#include "analytic/bound_of.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using testing::bound_of;

/// The server of pages, with these parameters of its device and step.
model::Scenario pages(std::vector<std::string> sets) {
  sets.insert(sets.begin(), {"sweep=[]", "machines.client.count=1", "programs.server.queue_pairs.answers.count=8",
                             "measure.duration=4 ms"});
  return scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/rdmabox/page_server.json",
                        {.sets = std::move(sets), .seed = {}})
      .front()
      .scenario;
}

const std::string of_device = "machines.server.remote_device.";
const std::string of_step = "programs.server.loop.1.access.";

TEST(DeviceAccess, OneRequestAtATimeTakesWhatItSays) {
  for (const char* mode : {"busy", "event", "adaptive"}) {
    for (const char* operation : {"read", "write"}) {
      for (const char* registration : {"copy", "map"}) {
        const model::Scenario scenario = pages(
            {"programs.client.threads=1", "programs.client.loop.0.post.window=1", of_device + "completion.mode=" + mode,
             of_device + "registration=" + registration, of_step + "operation=" + operation});
        const Time expected = analyze(scenario).unloaded_latency;
        EXPECT_NEAR(to_seconds(model::run(scenario).latency.mean) / to_seconds(expected), 1, 0.015)
            << mode << ' ' << operation << ' ' << registration;
      }
    }
  }
}

TEST(DeviceAccess, NoRunBeatsWhatItAsks) {
  for (const char* batching : {"single", "hybrid"}) {
    for (const char* window : {"0 B", "16 KiB", "7 MiB"}) {
      for (const char* threads : {"1", "8"}) {
        const model::Scenario scenario =
            pages({of_device + "batching=" + batching, of_device + "window=" + window,
                   std::string{"programs.server.threads="} + threads, "programs.client.loop.0.post.window=64"});
        const model::RunResult run = model::run(scenario);
        EXPECT_LE(run.throughput.per_second - run.throughput_ci95.per_second, analyze(scenario).throughput.per_second)
            << batching << ' ' << window << ' ' << threads;
      }
    }
  }
}

TEST(DeviceAccess, OnlyPeersThatAnswerAreCounted) {
  const auto lenders = [](const std::string& unreachable) {
    const model::Scenario scenario = pages({of_device + "replicas=2", of_device + "unreachable=" + unreachable});
    const Bounds bounds = analyze(scenario);
    const model::RunResult run = model::run(scenario);
    EXPECT_LE(run.throughput.per_second - run.throughput_ci95.per_second, bounds.throughput.per_second);
    return bound_of(bounds, "lender/PCIe downstream").servers;
  };
  EXPECT_EQ(lenders("0"), 3);
  EXPECT_EQ(lenders("1"), 2);
}

TEST(DeviceAccess, OneThreadIsBoundByItsSoftware) {
  const model::Scenario scenario =
      pages({"programs.server.threads=1", "programs.client.loop.0.post.window=16", of_device + "batching=single",
             of_device + "window=0 B", "measure.duration=40 ms"});
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(analysis.bottleneck, "server/cores of server");
  EXPECT_NEAR(model::run(scenario).throughput.per_second / analysis.throughput.per_second, 1, 0.03);
}

TEST(DeviceAccess, BoundsWhatAWindowLetsThrough) {
  const Analysis small = analyze(pages({of_device + "window=4 KiB", of_device + "batching=single"}));
  EXPECT_EQ(small.bottleneck, "server/window");
  EXPECT_EQ(bound_of(small, "server/window").servers, 1);
  const Analysis large = analyze(pages({of_device + "window=40 KiB", of_device + "batching=single"}));
  EXPECT_EQ(bound_of(large, "server/window").servers, 10);
}

TEST(DeviceAccess, EveryReplicaIsPosted) {
  const Analysis one = analyze(pages({of_step + "operation=write"}));
  const Analysis three = analyze(pages({of_step + "operation=write", of_device + "replicas=3"}));
  const double ratio = to_seconds(bound_of(three, "lender/ports receive").demand) /
                       to_seconds(bound_of(one, "lender/ports receive").demand);
  EXPECT_NEAR(ratio, 3, 0.01);
}

/// The key-value server, whose memory holds half of its pages.
model::Scenario half(std::vector<std::string> sets) {
  sets.insert(sets.begin(), {"sweep=[]", "measure.warmup=40 ms", "measure.duration=40 ms",
                             "programs.server.memory.records.scale=2000"});
  return scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/rdmabox/memory_limit.json",
                        {.sets = std::move(sets), .seed = {}})
      .front()
      .scenario;
}

TEST(DeviceAccess, FaultsAddToARequest) {
  for (const char* resident : {"0.25", "0.5", "1"}) {
    model::Scenario scenario =
        half({"measure.duration=400 ms", "machines.client.count=1", "programs.client.threads=1",
              "programs.client.loop.0.post.window=1", std::string{"programs.server.memory.resident="} + resident});
    for (auto& [name, program] : scenario.programs) {
      if (!program.memory) continue;
      program.memory->records.reset();
      program.memory->pages = model::PageChoice{.pages = 1000, .dirty = 0.3};
      program.memory->reclaim = 1;
    }
    const Time expected = analyze(scenario).unloaded_latency;
    EXPECT_NEAR(to_seconds(model::run(scenario).latency.mean) / to_seconds(expected), 1, 0.02) << resident;
  }
}

TEST(DeviceAccess, WalkersOfWhichOneMayGetAheadAreNotTakenToMissPages) {
  const auto walking = [](double resident) {
    model::Scenario scenario = half({});
    for (auto& [name, program] : scenario.programs) {
      if (!program.memory) continue;
      program.threads = 2;
      program.memory->records.reset();
      program.memory->pages = model::PageChoice{.pages = 1000, .order = model::AccessOrder::sequential};
      program.memory->resident = resident;
    }
    return analyze(scenario);
  };
  const auto speaks_of_them = [](const Analysis& analysis) {
    return std::ranges::any_of(analysis.left_out,
                               [](const std::string& what) { return what.starts_with("pages that server misses"); });
  };
  const Analysis all = walking(1);
  EXPECT_FALSE(speaks_of_them(all));
  EXPECT_DOUBLE_EQ(walking(0.5).throughput.per_second, all.throughput.per_second);
  EXPECT_TRUE(speaks_of_them(walking(0.5)));
  EXPECT_LT(walking(0.4).throughput.per_second, all.throughput.per_second);
  EXPECT_FALSE(speaks_of_them(walking(0.4)));
}

TEST(DeviceAccess, ThreadsThatWaitForPagesBound) {
  for (const char* resident : {"0.25", "0.5"}) {
    const model::Scenario scenario = half({std::string{"programs.server.memory.resident="} + resident});
    const Analysis analysis = analyze(scenario);
    EXPECT_EQ(analysis.bottleneck, "server/threads of server");
    const model::RunResult run = model::run(scenario);
    EXPECT_LE(run.throughput.per_second, analysis.throughput.per_second);
    const double reads = to_seconds(bound_of(analysis, "lender/ports transmit").demand);
    EXPECT_GT(reads, 0);
  }
  EXPECT_NE(analyze(half({"programs.server.memory.resident=1"})).bottleneck, "server/threads of server");
}

}  // namespace
}  // namespace doorbell::analytic
