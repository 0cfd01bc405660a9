// Closed form of programs that pass requests on before they answer.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analytic/analysis.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

const std::string relay = "programs.leader.loop.2.post.relay.";

model::Scenario replicated(const std::string& name, std::vector<std::string> sets) {
  sets.emplace_back("sweep=[]");
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/" + name + ".json";
  return scenario::load(file, {.sets = std::move(sets), .seed = {}}).front().scenario;
}

double demand_on(const model::Scenario& scenario, const std::string& resource) {
  const Analysis analysis = analyze(scenario);
  const Eigen::VectorXd totals = analysis.demands.totals();
  for (std::size_t i = 0; i < analysis.demands.resources.size(); ++i) {
    if (analysis.demands.resources[i].name == resource) return totals(static_cast<Eigen::Index>(i));
  }
  ADD_FAILURE() << "no " << resource;
  return 0;
}

TEST(RelayAnalysis, OneRequestTakesAsLongAsSimulated) {
  for (const std::string name : {"replicated_log", "replicated_log_rpc"}) {
    const model::Scenario scenario =
        replicated(name, {"machines.client.count=1", "programs.client.threads=1", "programs.leader.threads=1",
                          "programs.client.loop.0.post.window=1", relay + "copies=1"});
    const double rate = model::run(scenario).throughput.per_second;
    EXPECT_NEAR(to_seconds(analyze(scenario).unloaded_latency) * rate, 1, 0.005) << name;
  }
}

TEST(RelayAnalysis, CopiesAreUnderWayAtTheSameTime) {
  for (const std::string name : {"replicated_log", "replicated_log_rpc"}) {
    const double one = to_nanoseconds(analyze(replicated(name, {relay + "copies=1"})).unloaded_latency);
    const double two = to_nanoseconds(analyze(replicated(name, {relay + "copies=2"})).unloaded_latency);
    EXPECT_NEAR(one, two, 1e-3) << name;
  }
}

TEST(RelayAnalysis, NoSimulationBeatsTheBound) {
  for (const std::string name : {"replicated_log", "replicated_log_rpc"}) {
    for (const std::string threads : {"1", "4"}) {
      const model::Scenario scenario = replicated(
          name, {"programs.leader.threads=" + threads, "programs.client.loop.0.post.window=16", "measure.duration=3 ms",
                 "programs.leader.loop.3.post.batch=1"});  // lists hold what a pass has for one client
      const Analysis analysis = analyze(scenario);
      const model::RunResult result = model::run(scenario);
      EXPECT_EQ(result.bottleneck.resource, analysis.bottleneck) << name << threads;
      EXPECT_LE(result.throughput.millions(), analysis.throughput.millions() * 1.01) << name << threads;
      EXPECT_GE(result.throughput.millions(), analysis.throughput.millions() * 0.95) << name << threads;
    }
  }
}

TEST(RelayAnalysis, CopiesAreCountedAndOnlyWhatCarriesDataIsCopied) {
  const std::string bus = "follower/PCIe upstream";
  const double two = demand_on(replicated("replicated_log", {}), bus);
  EXPECT_NEAR(demand_on(replicated("replicated_log", {relay + "copies=1"}), bus) / two, 0.5, 1e-9);
  const std::string mix = "programs.client.loop.0.post.mix=";
  const std::string reads = R"([{"share": 0.75, "verb": "SEND", "payload": "16 B"}])";
  EXPECT_NEAR(demand_on(replicated("replicated_log", {mix + reads}), bus) / two, 1, 1e-9);
  EXPECT_NEAR(demand_on(replicated("replicated_log", {mix + reads, relay + "carrying=256 B"}), bus) / two, 0.25, 1e-9);
}

TEST(RelayAnalysis, LaterCompletionsCostTheLeaderAsMuch) {
  const std::string cores = "leader/cores of leader";
  EXPECT_DOUBLE_EQ(demand_on(replicated("replicated_log", {relay + "at_least=1"}), cores),
                   demand_on(replicated("replicated_log", {}), cores));
  EXPECT_GT(demand_on(replicated("replicated_log", {relay + "per_completion=120 ns"}), cores),
            demand_on(replicated("replicated_log", {}), cores) + 0.19e-6);
}

}  // namespace
}  // namespace doorbell::analytic
