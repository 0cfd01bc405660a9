#include "models/programs/unit_waits.hpp"

#include <gtest/gtest.h>

#include <string>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Threads that send datagrams as fast as they can, to machines so far away that their buffers hold them up.
Scenario far_away(int pairs, Bytes buffer, int receivers = 1, Time latency = 50us) {
  PostStep step = post(Verb::send, 32);
  step.to = "client";
  Scenario scenario =
      scenario_of(connect_ib(), sink(), program(queue_pairs(Transport::ud, pairs), {step}, 3), receivers);
  scenario.measure.program = "server";
  hardware_of(scenario, "client").port.receive_buffer = buffer;
  scenario.fabric.switch_latency = latency;
  scenario.measure.warmup = 1ms;
  scenario.measure.duration = 4ms;
  return scenario;
}

double sends_per_second(const Scenario& scenario) { return run(scenario).throughput.per_second; }

TEST(UnitWaits, UnitsThatWaitForRoomAtTheReceiverDoNotLimit) {
  const RunResult result = run(far_away(1, 64_KiB));
  EXPECT_EQ(result.bottleneck.resource, "client/receive buffers") << result.bottleneck.sentence;
  EXPECT_EQ(result.bottleneck.limit, Limit::receive_buffer);
  const double now = result.throughput.per_second;
  EXPECT_GT(sends_per_second(far_away(1, 1024_KiB)), 1.4 * now);
  EXPECT_LT(sends_per_second(far_away(8, 64_KiB)), 1.02 * now) << "more queue pairs";
}

/// What waits for room at one of them keeps back what others have room for, so that none of the buffers is always full.
TEST(UnitWaits, BuffersOfSeveralReceiversLimitThoughNoneIsFullAllTheTime) {
  const Scenario scenario = far_away(1, 64_KiB, 2, 100us);
  const RunResult result = run(scenario);
  EXPECT_EQ(result.bottleneck.resource, "client/receive buffers") << result.bottleneck.sentence;
  EXPECT_LT(result.bottleneck.busy, 0.85);
  EXPECT_NE(result.bottleneck.sentence.find("server/NIC processing units, waits included: held"), std::string::npos)
      << result.bottleneck.sentence;
  const double now = result.throughput.per_second;
  EXPECT_GT(sends_per_second(far_away(1, 1024_KiB, 2, 100us)), 1.4 * now);
  EXPECT_LT(sends_per_second(far_away(8, 64_KiB, 2, 100us)), 1.02 * now) << "more queue pairs";
}

TEST(UnitWaits, UnitsLimitWhereBuffersHaveRoom) {
  const RunResult result = run(far_away(1, 64_KiB, 1, 1us));
  EXPECT_EQ(result.bottleneck.sentence.find("receive buffers"), std::string::npos) << result.bottleneck.sentence;
  EXPECT_LT(sends_per_second(far_away(1, 1024_KiB, 1, 1us)), 1.02 * result.throughput.per_second) << "a larger one";
}

}  // namespace
}  // namespace doorbell::model
