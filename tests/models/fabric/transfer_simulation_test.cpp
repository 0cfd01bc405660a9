#include "models/fabric/transfer_simulation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "models/common/bottleneck.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TransferScenario two_hops() {
  TransferScenario transfers;
  transfers.resources = {{"disk", {.bandwidth = 100_MBps, .count = 4}}, {"port", {.bandwidth = 300_MBps}}};
  transfers.streams = {
      {"reads", {.count = 4, .size = 100_KiB, .outstanding = 2, .stages = {{.route = {"disk", "port"}}}}}};
  transfers.duration = 3s;  // so that a request more or less at its ends does not show
  return transfers;
}

RunResult run_of(const TransferScenario& transfers) {
  Scenario scenario;
  scenario.instead = transfers;
  return run(scenario);
}

TEST(Transfers, TheNarrowestResourceIsTheLimit) {
  TransferScenario transfers = two_hops();
  RunResult result = run_of(transfers);
  EXPECT_NEAR(result.bandwidth.bytes_per_second, 300e6, 3e6);
  EXPECT_EQ(result.bottleneck.resource, "port");
  transfers.streams[0].second.count = 2;  // two disks only
  result = run_of(transfers);
  EXPECT_NEAR(result.bandwidth.bytes_per_second, 200e6, 2e6);
  EXPECT_EQ(result.bottleneck.resource, "disk");
}

TEST(Transfers, OfSeveralThatAreFullTheOneLimitsThatTheMeasuredStreamFillsMost) {
  // On each disk two of the eight flows that share the port, 25 MB/s each, beside one that has the other half.
  TransferScenario transfers = two_hops();
  transfers.resources[1].second.bandwidth = 200_MBps;
  transfers.streams.push_back({"others", {.count = 4, .size = 100_KiB, .stages = {{.route = {"disk"}}}}});
  transfers.measure = "reads";
  const RunResult result = run_of(transfers);
  EXPECT_NEAR(result.bandwidth.bytes_per_second, 200e6, 2e6);
  for (const Utilisation& use : result.utilisations) EXPECT_GT(use.busy, 0.98) << use.resource;
  EXPECT_EQ(result.bottleneck.resource, "port");
}

/// Through a first resource of 1 GB/s and a second one of `second`.
TransferScenario one_after_the_other(Bandwidth second, int outstanding, int streams = 1) {
  TransferScenario transfers;
  transfers.resources = {{"first", {.bandwidth = {1e9}}}, {"second", {.bandwidth = second}}};
  transfers.streams = {{"requests",
                        {.count = streams,
                         .size = Bytes{1000000},
                         .outstanding = outstanding,
                         .stages = {{.route = {"first"}}, {.route = {"second"}}}}}};
  transfers.warmup = 100ms;
  transfers.duration = 1s;
  return transfers;
}

TEST(Transfers, RequestsInFlightFillOneStageWhileOthersAreInTheNext) {
  EXPECT_NEAR(run_of(one_after_the_other({2e9}, 1)).throughput.per_second, 1 / 1.5e-3, 5);
  for (const int outstanding : {2, 4, 16, 64}) {
    const double rate = run_of(one_after_the_other({2e9}, outstanding)).throughput.per_second;
    EXPECT_GT(rate, 940) << outstanding;
    EXPECT_LT(rate, 1060) << outstanding;
  }
  EXPECT_GT(run_of(one_after_the_other({2e9}, 1, 8)).throughput.per_second, 940) << "of streams of one each, too";
  EXPECT_GT(run_of(one_after_the_other({1e9}, 4)).throughput.per_second, 700) << "neither is busy all the time";
}

TEST(Transfers, StagesFollowOneAnother) {
  TransferScenario transfers = two_hops();
  transfers.streams[0].second = {.count = 1,
                                 .size = 100_KiB,
                                 .outstanding = 1,
                                 .stages = {{.route = {"disk"}, .latency = 1ms}, {.route = {"port"}}}};
  const double size = 100 * 1024;
  const RunResult result = run_of(transfers);
  EXPECT_NEAR(to_seconds(result.latency.mean), 1e-3 + size / 100e6 + size / 300e6, 1e-4);
  EXPECT_EQ(result.bottleneck.resource, "requests in flight");
}

TEST(Transfers, WhatOneRequestWaitsForMostOfTheTimeLimitsRatherThanItsWindow) {
  TransferScenario transfers = two_hops();
  transfers.streams[0].second = {
      .count = 1, .size = 100_KiB, .outstanding = 1, .stages = {{.route = {"disk", "port"}, .latency = 250us}}};
  const RunResult result = run_of(transfers);
  EXPECT_LT(busy(result, "disk"), saturated);
  EXPECT_EQ(result.bottleneck.resource, "disk") << result.bottleneck.sentence;
  // Twice as much of what is named helps more than two requests, and what is not waited for does not.
  const auto faster = [&](auto change) {
    TransferScenario changed = transfers;
    change(changed);
    return run_of(changed).throughput.per_second / result.throughput.per_second;
  };
  const double disks = faster([](TransferScenario& with) { with.resources[0].second.bandwidth = 200_MBps; });
  EXPECT_GT(disks, 1.5);
  EXPECT_GT(disks, 1.2 * faster([](TransferScenario& with) { with.streams[0].second.outstanding = 2; }));
  EXPECT_LT(faster([](TransferScenario& with) { with.resources[1].second.bandwidth = 600_MBps; }), 1.01);
}

TEST(Transfers, OnlyTheMeasuredStreamCounts) {
  TransferScenario transfers = two_hops();
  transfers.streams.push_back({"others", {.size = 100_KiB, .stages = {{.route = {"port"}}}}});
  const double all = run_of(transfers).bandwidth.bytes_per_second;
  transfers.measure = "reads";
  const RunResult result = run_of(transfers);
  EXPECT_NEAR(all, 300e6, 3e6);
  EXPECT_LT(result.bandwidth.bytes_per_second, 280e6);
  EXPECT_NEAR(result.levels[0].value + result.levels[1].value, 0.3, 0.003);
}

// Each run has a process of its own, out of which only the message comes.
TEST(Transfers, WhatTheMeasuredStreamDoesNotCrossIsNotItsLimit) {
  TransferScenario transfers = two_hops();
  transfers.resources.push_back({"core", {.bandwidth = 100_MBps}});
  transfers.streams.push_back({"others", {.size = 100_KiB, .stages = {{.route = {"core"}}}}});
  transfers.measure = "reads";
  const RunResult result = run_of(transfers);
  EXPECT_GT(std::ranges::find(result.utilisations, "core", &Utilisation::resource)->busy, 0.999);
  EXPECT_EQ(result.bottleneck.resource, "port");
}

TEST(Transfers, OfFullResourcesTheOneThatItHasMostOfLimits) {
  // The memory is full of what others do, but whoever wants a larger share of it gets it.
  TransferScenario transfers = two_hops();
  transfers.resources.insert(transfers.resources.begin(), {"memory", {.bandwidth = 1000_MBps}});
  transfers.streams[0].second.stages[0].route.emplace_back("memory");
  transfers.streams.push_back(
      {"others", {.count = 16, .size = 100_KiB, .outstanding = 4, .stages = {{.route = {"memory"}}}}});
  transfers.measure = "reads";
  transfers.streams[0].second.outstanding = 32;
  const RunResult result = run_of(transfers);
  EXPECT_NEAR(result.bandwidth.bytes_per_second, 300e6, 3e6);
  EXPECT_EQ(result.bottleneck.resource, "port");
}

TEST(Transfers, WhatFewRequestsCrossIsNotTheLimitHoweverBusyItIs) {
  // Hundreds of reads per second wait for nothing but their latency, while a backup fills an archive with one.
  TransferScenario transfers = two_hops();
  transfers.streams[0].second.stages[0].latency = 20ms;
  transfers.resources.push_back({"archive", {.bandwidth = 10_MBps}});
  transfers.streams.push_back(
      {"backup", {.size = Bytes{10'000'000}, .outstanding = 2, .stages = {{.route = {"archive"}}}}});
  RunResult result = run_of(transfers);
  EXPECT_EQ(result.utilisations.front().resource, "archive");
  EXPECT_GT(result.utilisations.front().busy, 0.99);
  EXPECT_EQ(result.bottleneck.resource, "requests in flight of reads");
  EXPECT_EQ(result.bottleneck.next_resource, "port") << "of those that the reads cross";
  const double before = result.throughput.per_second;
  TransferScenario wider = transfers;
  wider.streams[0].second.outstanding *= 2;
  EXPECT_GT(run_of(wider).throughput.per_second, before * 1.5) << "what is named is what helps";
  transfers.measure = "backup";
  EXPECT_EQ(run_of(transfers).bottleneck.resource, "archive");
}

TEST(Transfers, WhatOthersFillDoesNotLimitWhoIsHardlyEverThere) {
  // Reads of 4 KB wait 1 ms for their latency and then share a port that others fill.
  TransferScenario transfers = two_hops();
  transfers.streams[0].second = {
      .count = 4, .size = Bytes{4096}, .outstanding = 2, .stages = {{.route = {"port"}, .latency = 1ms}}};
  transfers.streams.push_back(
      {"others", {.count = 4, .size = 100_KiB, .outstanding = 1, .stages = {{.route = {"port"}}}}});
  transfers.measure = "reads";
  const RunResult result = run_of(transfers);
  EXPECT_GT(result.utilisations.front().busy, 0.99);
  EXPECT_EQ(result.bottleneck.resource, "requests in flight") << result.bottleneck.sentence;
  TransferScenario wider = transfers;
  wider.streams[0].second.outstanding *= 2;
  EXPECT_GT(run_of(wider).throughput.per_second, result.throughput.per_second * 1.7) << "what is named is what helps";
  wider = transfers;
  wider.resources[1].second.bandwidth = 600_MBps;
  EXPECT_LT(run_of(wider).throughput.per_second, result.throughput.per_second * 1.3);
}

TEST(Transfers, WhatOthersFillLimitsWhoWaitsForNothingElse) {
  // Two of five parts of the port.
  TransferScenario transfers = two_hops();
  transfers.streams[0].second = {.count = 2, .size = 100_KiB, .stages = {{.route = {"port"}}}};
  transfers.streams.push_back(
      {"others", {.count = 3, .size = 100_KiB, .outstanding = 1, .stages = {{.route = {"port"}}}}});
  transfers.measure = "reads";
  const RunResult result = run_of(transfers);
  EXPECT_EQ(result.bottleneck.resource, "port") << result.bottleneck.sentence;
  TransferScenario wider = transfers;
  wider.resources[1].second.bandwidth = 600_MBps;
  const double by_port = run_of(wider).throughput.per_second;
  wider = transfers;
  wider.streams[0].second.outstanding *= 2;
  EXPECT_GT(by_port, run_of(wider).throughput.per_second) << "what is named is what helps";
}

TEST(Transfers, OfTwoFullResourcesTheOneLimitsThatMoreRequestsCross) {
  // The second is as full, and first in the list; it has a tenth as many requests, of ten times the size.
  TransferScenario transfers = two_hops();
  transfers.resources.insert(transfers.resources.begin(), {"archive", {.bandwidth = 300_MBps}});
  transfers.streams.push_back(
      {"backup", {.size = Bytes{1'000'000}, .outstanding = 2, .stages = {{.route = {"archive"}}}}});
  EXPECT_EQ(run_of(transfers).bottleneck.resource, "port");
}

TEST(Transfers, SaysThatOneStreamUsesOneOfSeveral) {
  TransferScenario transfers = two_hops();
  transfers.streams[0].second.count = 1;
  RunResult result = run_of(transfers);
  EXPECT_EQ(result.bottleneck.resource, "disk");
  EXPECT_NE(result.bottleneck.sentence.find("Of 4 only 1 is in use"), std::string::npos) << result.bottleneck.sentence;
  transfers.resources[0].second.count = 2;
  const double fewer = run_of(transfers).throughput.per_second;
  EXPECT_DOUBLE_EQ(fewer, result.throughput.per_second);
  transfers.streams[0].second.count = 2;
  result = run_of(transfers);
  EXPECT_EQ(result.bottleneck.sentence.find("in use"), std::string::npos) << result.bottleneck.sentence;
}

TEST(Transfers, OneOfSeveralThatIsItsOwnLimitsRatherThanWhatOthersFill) {
  // One of four disks, all its own, and a port of which others have half.
  TransferScenario transfers = two_hops();
  transfers.streams[0].second.count = 1;
  transfers.streams[0].second.outstanding = 8;
  transfers.streams.push_back(
      {"others", {.count = 8, .size = 100_KiB, .outstanding = 1, .stages = {{.route = {"port"}}}}});
  transfers.measure = "reads";
  EXPECT_EQ(run_of(transfers).bottleneck.resource, "disk");
}

TEST(Transfers, WhatHasNotComeToTheLastStageFillsTheFirst) {
  // After a while each disk has 4 s to do before anything goes on to the port, which others fill all the time.
  TransferScenario transfers = two_hops();
  TransferStream& reads = transfers.streams[0].second;
  reads.size = Bytes{200'000'000};
  reads.stages = {{.route = {"disk"}, .latency = 50ms}, {.route = {"port"}}};
  transfers.streams.push_back({"others", {.count = 8, .size = 100_KiB, .stages = {{.route = {"port"}}}}});
  transfers.measure = "reads";
  transfers.warmup = 0s;
  const RunResult result = run_of(transfers);
  EXPECT_EQ(result.operations, 0U);
  EXPECT_EQ(result.utilisations.front().resource, "port");
  EXPECT_EQ(result.bottleneck.resource, "disk");
}

TEST(Transfers, WhatIsUnderWayFillsResourcesToo) {
  TransferScenario transfers = two_hops();
  transfers.streams.push_back({"copy", {.size = Bytes{1'000'000'000'000}, .stages = {{.route = {"port"}}}}});
  transfers.streams[0].second.count = 1;
  transfers.streams[0].second.outstanding = 1;
  transfers.measure = "reads";
  const RunResult result = run_of(transfers);
  const auto port = std::ranges::find(result.utilisations, "port", &Utilisation::resource);
  ASSERT_NE(port, result.utilisations.end());
  EXPECT_NEAR(port->busy, 1, 1e-6);
  ASSERT_EQ(result.warnings.size(), 1U);
  EXPECT_NE(result.warnings.front().find("no request of copy"), std::string::npos);
}

TEST(Transfers, NoMorePassesThanCanHoweverManyRequestsEndTogether) {
  // A thousand that share a disk end about every 11 ms: of whole ones a measurement can hold 14,000 or 13,000.
  TransferScenario transfers;
  transfers.resources = {{"disk", {.bandwidth = 6000_MBps}}};
  transfers.streams = {{"reads", {.count = 1000, .size = 64_KiB, .stages = {{.route = {"disk"}, .latency = 100us}}}}};
  transfers.warmup = 30ms;
  for (const Time duration : {Time{150ms}, Time{55ms}, Time{5ms}}) {
    transfers.duration = duration;
    const RunResult result = run_of(transfers);
    EXPECT_LE(result.bandwidth.bytes_per_second, 6000e6 * (1 + 1e-9));
    EXPECT_GT(result.bandwidth.bytes_per_second, 6000e6 * 0.98);
    EXPECT_DOUBLE_EQ(result.bandwidth.bytes_per_second, result.throughput.per_second * 65536);
  }
}

TEST(Transfers, NamesMustExist) {
  TransferScenario transfers = two_hops();
  transfers.streams[0].second.stages[0].route = {"bus"};
  EXPECT_THROW((void)run_of(transfers), std::invalid_argument);
  transfers.streams[0].second.stages.clear();
  EXPECT_THROW((void)run_of(transfers), std::invalid_argument);
}

TEST(Transfers, WhatOthersFillDoesNotLimitWhatGetsMoreOfItThanItCanUse) {
  // Four flows of others fill the bus all the time; a disk with two requests, which rests while both are commands, has
  // a sixth of it or more.
  TransferScenario transfers;
  transfers.resources = {{"disk", {.bandwidth = 80_MBps}}, {"bus", {.bandwidth = 500_MBps}}};
  transfers.streams = {
      {"reads", {.size = 64_KiB, .outstanding = 2, .stages = {{.route = {"disk", "bus"}, .latency = 500us}}}},
      {"others", {.size = 64_KiB, .outstanding = 4, .stages = {{.route = {"bus"}}}}}};
  transfers.measure = "reads";
  transfers.duration = 3s;
  const RunResult result = run_of(transfers);
  EXPECT_EQ(result.utilisations.front().resource, "bus");
  EXPECT_EQ(result.bottleneck.resource, "disk") << result.bottleneck.sentence;
  // What is named helps, and what is fuller does not.
  TransferScenario faster = transfers;
  faster.resources[0].second.bandwidth = 96_MBps;
  EXPECT_GT(run_of(faster).throughput.per_second, 1.08 * result.throughput.per_second);
  faster = transfers;
  faster.resources[1].second.bandwidth = 600_MBps;
  EXPECT_LT(run_of(faster).throughput.per_second, 1.03 * result.throughput.per_second);
}

TEST(Transfers, WhatAStreamFillsAloneLimitsHoweverManyOthersShareTheNext) {
  // Twenty flows on the bus have hardly anything of it, because they wait for devices of their own.
  TransferScenario transfers;
  transfers.resources = {{"disk", {.bandwidth = 350_MBps}},
                         {"bus", {.bandwidth = 500_MBps}},
                         {"slow", {.bandwidth = 4_MBps, .count = 20}}};
  transfers.streams = {
      {"reads", {.size = 64_KiB, .outstanding = 2, .stages = {{.route = {"disk", "bus"}, .latency = 10us}}}},
      {"others", {.count = 20, .size = 64_KiB, .stages = {{.route = {"slow", "bus"}}}}}};
  transfers.measure = "reads";
  transfers.duration = 1s;
  const RunResult result = run_of(transfers);
  EXPECT_GT(busy(result, "bus"), saturated);
  EXPECT_EQ(result.bottleneck.resource, "disk") << result.bottleneck.sentence;
}

TEST(Transfers, OfTwoStagesTheOneLimitsInWhichRequestsWait) {
  // Memory, which both stages cross, is full of what others do; nearly all requests wait for the port of the second.
  TransferScenario transfers = two_hops();
  transfers.resources.push_back({"memory", {.bandwidth = 1200_MBps}});
  transfers.streams[0].second.outstanding = 8;
  transfers.streams[0].second.stages = {{.route = {"disk", "memory"}, .latency = 2ms},
                                        {.route = {"memory", "port"}, .latency = 1ms}};
  transfers.streams.push_back({"others", {.count = 4, .size = 100_KiB, .stages = {{.route = {"memory"}}}}});
  transfers.measure = "reads";
  const RunResult result = run_of(transfers);
  EXPECT_EQ(result.bottleneck.resource, "port") << result.bottleneck.sentence;
}

}  // namespace
}  // namespace doorbell::model
