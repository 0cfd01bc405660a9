#include "analytic/transfer_analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <vector>

#include "analytic/bound_of.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using namespace std::chrono_literals;
using testing::bound_of;

/// Four disks of 1 GB/s behind a link of 3 GB/s.
model::TransferScenario disks() {
  model::TransferScenario scenario;
  scenario.resources = {{"disk", {1000_MBps, 4}}, {"link", {3000_MBps, 1}}};
  scenario.streams = {
      {"reads", {.count = 4, .size = 100'000_B, .outstanding = 1, .stages = {{{"disk", "link"}, 0us}}}}};
  return scenario;
}

TEST(TransferAnalysis, EqualResourcesCountAsOftenAsTheyAreUsed) {
  model::TransferScenario scenario = disks();
  Bounds bounds = analyze(scenario);
  EXPECT_EQ(bounds.bottleneck, "link");
  EXPECT_DOUBLE_EQ(bounds.bandwidth.bytes_per_second, 3e9);
  scenario.streams.front().second.count = 2;  // of four disks two are used
  bounds = analyze(scenario);
  EXPECT_EQ(bounds.bottleneck, "disk");
  EXPECT_DOUBLE_EQ(bounds.bandwidth.bytes_per_second, 2e9);
}

TEST(TransferAnalysis, AStageThatCrossesALinkAgainOwesItTwice) {
  model::TransferScenario scenario = disks();
  scenario.streams.front().second.stages.push_back({{"link"}, 0us});
  EXPECT_DOUBLE_EQ(analyze(scenario).bandwidth.bytes_per_second, 1.5e9);
}

TEST(TransferAnalysis, ARouteThatCrossesALinkAgainTakesTwiceAsLong) {
  model::TransferScenario scenario = disks();
  scenario.streams.front().second.stages = {{{"link"}, 0us}};
  const Time once = analyze(scenario).unloaded_latency;
  scenario.streams.front().second.stages = {{{"link", "link"}, 0us}};
  EXPECT_NEAR(to_seconds(analyze(scenario).unloaded_latency) / to_seconds(once), 2, 1e-6);
}

/// Many small reads beside a few large requests on a way of their own, which is narrow.
model::TransferScenario reads_beside_a_backup() {
  model::TransferScenario scenario = disks();
  scenario.streams.front().second.stages.front().latency = 900us;  // 4 k/s, of 1 ms each
  scenario.resources.push_back({"archive", {10_MBps, 1}});
  scenario.streams.push_back(
      {"backup", {.count = 1, .size = 1'000'000_B, .outstanding = 4, .stages = {{{"archive"}, 0us}}}});
  return scenario;
}

TEST(TransferAnalysis, StreamsThatShareNothingEachReachTheirOwnBound) {
  const Bounds bounds = analyze(reads_beside_a_backup());
  EXPECT_NEAR(bounds.throughput.per_second, 4000 + 10, 1e-6);
  EXPECT_NEAR(bounds.bandwidth.bytes_per_second, 400e6 + 10e6, 1);
  EXPECT_TRUE(bounds.sizes_differ);
  // The archive is full as well, but few of the requests are due to it.
  EXPECT_EQ(bounds.bottleneck, "requests in flight of reads");
  EXPECT_NEAR(bound_of(bounds, "archive").limit.per_second, 4010, 1e-6);
  EXPECT_EQ(bounds.next, "link") << "with more reads in flight";
  EXPECT_NEAR(bounds.gap, (30'000 + 10) / 4010.0, 1e-9);
}

TEST(TransferAnalysis, OfWhatStreamsShareTheMixWithMostRequestsIsTaken) {
  model::TransferScenario scenario = disks();
  scenario.streams.front().second.outstanding = 8;
  // Of the link's 3 GB/s, 1 GB/s is all that one disk allows to requests of half the size.
  scenario.streams.push_back(
      {"small", {.count = 1, .size = 50'000_B, .outstanding = 8, .stages = {{{"disk", "link"}, 0us}}}});
  const Bounds bounds = analyze(scenario);
  EXPECT_NEAR(bounds.throughput.per_second, 20'000 + 20'000, 1e-6);
  EXPECT_NEAR(bounds.bandwidth.bytes_per_second, 3e9, 1);
  EXPECT_EQ(bounds.bottleneck, "link");
  EXPECT_EQ(std::ranges::count(bounds.bounds, "disk", &Bound::resource), 1);
  EXPECT_EQ(bound_of(bounds, "disk").servers, 1) << "the first has to carry all that the single stream sends";
}

TEST(TransferAnalysis, EqualStreamsAreAsGoodAsOneOfTwiceTheCount) {
  model::TransferScenario scenario = disks();
  scenario.streams.push_back({"others", scenario.streams.front().second});
  const Bounds two = analyze(scenario);
  scenario = disks();
  scenario.streams.front().second.count = 8;
  const Bounds one = analyze(scenario);
  EXPECT_EQ(two.bottleneck, one.bottleneck);
  EXPECT_DOUBLE_EQ(two.throughput.per_second, one.throughput.per_second);
  EXPECT_DOUBLE_EQ(two.bandwidth.bytes_per_second, one.bandwidth.bytes_per_second);
  EXPECT_FALSE(two.sizes_differ);
}

TEST(TransferAnalysis, SaysWhatItDoesNotKnowOfSeveralStreams) {
  model::TransferScenario scenario = disks();
  EXPECT_TRUE(analyze(scenario).left_out.empty());
  scenario.streams.push_back({"others", scenario.streams.front().second});
  Bounds bounds = analyze(scenario);
  EXPECT_TRUE(bounds.assumed_shares.empty()) << "no run may pass the bound";
  ASSERT_EQ(bounds.left_out.size(), 1U);
  EXPECT_NE(bounds.left_out.front().find("which shares the streams get"), std::string::npos);
  scenario.measure = "reads";
  bounds = analyze(scenario);
  EXPECT_EQ(bounds.left_out, (std::vector<std::string>{"what streams beside reads take of the resources"}));
}

TEST(TransferAnalysis, LatencyLimitsWhatFewRequestsMove) {
  model::TransferScenario scenario = disks();
  scenario.streams.front().second.stages.front().latency = 900us;
  const Bounds bounds = analyze(scenario);
  EXPECT_EQ(bounds.bottleneck, "requests in flight");
  EXPECT_EQ(bounds.unloaded_latency, 1000us);
  EXPECT_DOUBLE_EQ(bounds.throughput.per_second, 4000);
}

TEST(TransferAnalysis, ARouteThatNamesNothingIsRefused) {
  model::TransferScenario scenario = disks();
  scenario.streams.front().second.stages.front().route.push_back("moon");
  EXPECT_THROW(static_cast<void>(analyze(scenario)), std::invalid_argument);
}

TEST(TransferAnalysis, NoSimulationBeatsIt) {
  for (const char* name : {"nvme_memory", "nvme_peer_to_peer"}) {
    const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/" + name + ".json";
    const model::Scenario scenario = scenario::load(file).front().scenario;
    const double share = model::run(scenario).throughput.per_second /
                         analyze(std::get<model::TransferScenario>(scenario.instead)).throughput.per_second;
    EXPECT_LE(share, 1.01) << name;
    EXPECT_GE(share, 0.9) << name;
  }
}

}  // namespace
}  // namespace doorbell::analytic
