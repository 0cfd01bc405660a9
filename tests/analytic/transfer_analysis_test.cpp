#include "analytic/transfer_analysis.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using namespace std::chrono_literals;

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

TEST(TransferAnalysis, SaysWhoseSharesItAssumes) {
  model::TransferScenario scenario = disks();
  EXPECT_TRUE(analyze(scenario).assumed_shares.empty());
  scenario.streams.push_back({"others", scenario.streams.front().second});
  EXPECT_EQ(analyze(scenario).assumed_shares, (std::vector<std::string>{"reads", "others"}));
  EXPECT_TRUE(analyze(scenario).left_out.empty());
  scenario.measure = "reads";
  EXPECT_TRUE(analyze(scenario).assumed_shares.empty());
  EXPECT_EQ(analyze(scenario).left_out, (std::vector<std::string>{"what streams beside reads take of the resources"}));
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
