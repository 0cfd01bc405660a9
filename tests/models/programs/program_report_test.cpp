#include "models/programs/program_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/nvme_host.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(ProgramReport, SaysWhenAProgramHasNotSettledThoughItsLatenciesAreShorterThanTheWarmUp) {
  // 8192 READs wait for a NIC that takes one per 100 ns. Those of the first 0.4 ms waited for less, because it takes
  // some time to post them all.
  HardwareProfile slow = connect_ib();
  slow.nic.rx_message = 100ns;
  Scenario scenario =
      scenario_of(slow, program(queue_pairs(Transport::rc, 64), {post_window(Verb::read, 8, 8192), await(1)}), sink());
  scenario.measure.warmup = 400us;
  scenario.measure.duration = 100us;
  const RunResult early = run(scenario);
  EXPECT_LT(early.latency.mean, scenario.measure.warmup);
  ASSERT_FALSE(early.warnings.empty());
  EXPECT_THAT(early.warnings.front(), testing::HasSubstr("client has not settled: its rate and latency account for"));
  // A slow server that is measured tells no latencies, but its client has them.
  Scenario calls =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 64), await(1)}),
                  program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), compute(2us), answer(8)}));
  calls.measure.program = "server";
  calls.measure.warmup = 30us;
  EXPECT_THAT(run(calls).warnings, testing::Contains(testing::HasSubstr("client has not settled")));
  calls.measure.warmup = 1ms;
  EXPECT_THAT(run(calls).warnings, testing::IsEmpty());
}

TEST(ProgramReport, TellsOfThreadsToWhichNothingComesBack) {
  // Both threads of the client have calls in flight and answer calls of others, who ask the first of them only.
  PostStep ask = post_window(Verb::send, 8, 4);
  ask.to = "client";
  ask.destination = Destination::fixed;
  Scenario scenario =
      scenario_of(connect_ib(),
                  program(queue_pairs(Transport::ud),
                          {post_window(Verb::send, 8, 4), collect(Channel::completion_queue), answer(8), await(1)}, 2),
                  program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), answer(8)}, 2));
  Program asking = program(queue_pairs(Transport::ud), {ask, await(1)});
  asking.machine = "server";
  scenario.programs.emplace_back("asking", asking);
  EXPECT_THAT(run(scenario).warnings,
              testing::ElementsAre(testing::HasSubstr("4 of them of threads to which nothing came back")));
}

TEST(ProgramReport, SaysWhenTheBuffersOfDrivesStillFillUp) {
  AccessStep write;
  write.size = Bytes{4096};
  write.operation = AccessKind::write;
  write.write_amplification = 4;
  const Program server =
      program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 32), write, answer(8, 8)}, 2);
  Scenario scenario = scenario_of(
      connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 16), await(1)}, 4), server);
  scenario.machines.front().second.drives = DriveGroup{round_drive(), 1};
  scenario.machines.front().second.drives->hardware.flash.write_buffer = Bytes{64 << 20};
  scenario.measure.warmup = 1ms;
  scenario.measure.duration = 2ms;
  const RunResult early = run(scenario);
  EXPECT_THAT(early.warnings, testing::ElementsAre(testing::HasSubstr("write buffers in server kept")));
  scenario.measure.warmup = 30ms;
  scenario.measure.duration = 40ms;
  const RunResult late = run(scenario);
  EXPECT_THAT(late.warnings, testing::IsEmpty());
  EXPECT_LT(late.throughput.per_second, 0.9 * early.throughput.per_second);
}

TEST(ProgramReport, SaysWhatWasLostInTheWarmUp) {
  // Sixteen requests wait for eight RECVs; those lost are never answered, and so nothing is asked or lost any more.
  QueuePairs recvs = queue_pairs(Transport::ud);
  recvs.depth = 8;
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 16), await(0)}),
                  program(recvs, {collect(Channel::completion_queue), compute(5us), replenish(), answer(8)}));
  scenario.measure.warmup = 200us;
  const RunResult result = run(scenario);
  ASSERT_EQ(result.warnings.size(), 2U);
  EXPECT_NE(result.warnings.front().find("no operation"), std::string::npos);
  EXPECT_NE(result.warnings.back().find("no RECV was posted"), std::string::npos);
  EXPECT_NE(result.warnings.back().find("of them in the warm-up"), std::string::npos);
}

TEST(ProgramReport, SpeaksOfWindowsOnlyWhereThereAreSome) {
  // Each receiver has one RECV, and answers that nobody asked for come in pairs.
  QueuePairs recvs = queue_pairs(Transport::ud);
  recvs.depth = 1;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 8, 16)}),
                                  program(recvs, {collect(Channel::completion_queue), compute(5us), replenish()}));
  scenario.measure.program = "server";
  const RunResult flood = run(scenario);
  ASSERT_THAT(flood.warnings, testing::Contains(testing::HasSubstr("no RECV was posted")));
  EXPECT_THAT(flood.warnings, testing::Each(testing::Not(testing::HasSubstr("windows"))));
}

TEST(ProgramReport, TellsOfAStepInWhoseWindowOthersLeaveNoRoom) {
  // After the first pass each pass refills what few operations it has awaited, and so 8 are always in flight.
  Scenario scenario = scenario_of(
      connect_ib(),
      program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 8), post_window(Verb::write, 8, 64), await(1)}),
      sink());
  const RunResult starved = run(scenario);
  EXPECT_THAT(starved.warnings,
              testing::Contains("/programs/client/loop/0 posted nothing while measuring: operations of other steps "
                                "leave no room in its window of 8"));
  scenario.programs.back().second.loop.back() = await(0);
  EXPECT_THAT(run(scenario).warnings, testing::IsEmpty());
}

TEST(ProgramReport, BatchesAreReportedPerProgram) {
  const Scenario calls =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 8), await(1)}, 4),
                  program(queue_pairs(Transport::ud, 3), {collect(Channel::completion_queue, 8), answer(8, 8)}, 2), 2);
  const RunResult result = run(calls);
  ASSERT_EQ(result.programs.size(), 2U);
  EXPECT_EQ(result.programs[0].program, "server");
  EXPECT_EQ(result.programs[1].program, "client");
  EXPECT_NEAR(result.programs[1].mean_batch, 1, 0.02);
  EXPECT_LE(result.programs[0].mean_batch, 8);
}

TEST(ProgramReport, ACallPostsAsManyAsItsBatchEvenWhereMuchIsUnderWayWhenMeasuringEnds) {
  for (const int batch : {1, 16}) {
    Scenario scenario = scenario_of(
        connect_ib(), program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 512, batch), await(batch)}),
        sink());
    scenario.measure.warmup = 5us;
    scenario.measure.duration = 20us;
    const RunResult result = run(scenario);
    ASSERT_FALSE(result.programs.empty());
    EXPECT_EQ(result.programs.front().mean_batch, batch);
  }
}

TEST(ProgramReport, TellsOfProgramsThatPostedNothingWhileMeasuring) {
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 1), await(1)}), sink());
  scenario.measure.warmup = 20us;
  scenario.measure.duration = 10ns;
  const RunResult result = run(scenario);
  ASSERT_EQ(result.programs.size(), 1U) << "the other one never posts";
  EXPECT_EQ(result.programs[0].program, "client");
  EXPECT_EQ(result.programs[0].mean_batch, 0);
  EXPECT_EQ(result.programs[0].work_requests.per_second, 0);
}

TEST(ProgramReport, TellsWhatEveryProgramPostedAndCarried) {
  // Requests of 8 B, answers of 32 B, one for each.
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, 16), await(0)}),
                  program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), replenish(), answer(32)}));
  const RunResult result = run(scenario);
  ASSERT_EQ(result.programs.size(), 2U);
  for (const ProgramSummary& done : result.programs) {
    EXPECT_NEAR(done.work_requests.per_second / result.throughput.per_second, 1, 0.01) << done.program;
    const double bytes = done.program == "server" ? 32 : 8;
    EXPECT_NEAR(done.payload.bytes_per_second / done.work_requests.per_second, bytes, 1e-9) << done.program;
  }
}

}  // namespace
}  // namespace doorbell::model
