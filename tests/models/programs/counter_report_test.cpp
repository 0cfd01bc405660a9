#include "models/programs/counter_report.hpp"

#include <gtest/gtest.h>

#include "models/counter.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

TEST(CounterReport, SumsOverTheMachinesOfAGroup) {
  PostStep step = post(Verb::send, 8, 4);
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::ud, 3), {step}), sink());
  for (auto& [name, group] : scenario.machines) {
    if (name == "server") group.count = 2;
  }
  const RunResult result = run(scenario);
  // Payload and CQE of each SEND, on whichever server.
  const double expected = 2 * result.throughput.per_second;
  EXPECT_NEAR(counter(result, "server/PCIeItoM").rate.per_second, expected, expected * 0.02);
  EXPECT_EQ(counter(result, "client/PCIeRdCur beyond expected").count, 0U);  // no WQE is displaced
  EXPECT_EQ(result.counters.size(), 6U);
}

}  // namespace
}  // namespace doorbell::model
