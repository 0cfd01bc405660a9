#include "models/program_plan.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// `loop` on RC, and a server that answers what it finds in its completion queue.
RunResult with_server(std::vector<Step> loop, Channel via = Channel::completion_queue) {
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), std::move(loop)),
                                  program(queue_pairs(Transport::rc), {collect(via, 8), answer(8, 8)}));
  scenario.measure.duration = 400us;
  return run(scenario);
}

PostStep read_window(int window) {
  PostStep step = post_window(Verb::read, 8, window);
  step.region = region(16, 64);
  return step;
}

TEST(ProgramPlan, ReadsFromAMachineWhoseProgramAnswersCompleteByThemselves) {
  const double alone =
      run(scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {read_window(4), await(0)}), sink()))
          .throughput.per_second;
  EXPECT_NEAR(with_server({read_window(4), await(0)}).throughput.per_second, alone, alone * 0.02);
}

TEST(ProgramPlan, ReadsAndRequestsCanBeAwaitedTogether) {
  const RunResult result = with_server({read_window(2), post_window(Verb::send, 8, 6), await(0)});
  EXPECT_GT(result.throughput.per_second, 1e6);
  // The server writes a request and its answer's completion; the client's NIC READs responses.
  EXPECT_GT(counter(result, "server/PCIeRdCur").count, 0U);
}

TEST(ProgramPlan, AMixOfReadsAndRequestsCompletesBothWays) {
  PostStep step = post_window(Verb::send, 8, 8);
  step.mix = {{.share = 0.5, .verb = Verb::read, .payload = 8_B, .region = region(16, 64)}};
  const double mixed = with_server({step, await(0)}).throughput.per_second;
  const double requests = with_server({post_window(Verb::send, 8, 8), await(0)}).throughput.per_second;
  EXPECT_GT(mixed, requests / 2);
}

TEST(ProgramPlan, WritesWithImmediateDataAreSeenInTheCompletionQueue) {
  PostStep step = post_window(Verb::write, 8, 8);
  step.immediate = true;
  const double seen = with_server({step, await(0)}).throughput.per_second;
  const double sent = with_server({post_window(Verb::send, 8, 8), await(0)}).throughput.per_second;
  EXPECT_NEAR(seen, sent, sent * 0.1);
  EXPECT_GT(with_server({step, await(0)}, Channel::memory).throughput.per_second, seen * 0.5);
}

TEST(ProgramPlan, StepsThatSignalDifferentlyCanShareQueuePairs) {
  PostStep seldom = post_window(Verb::send, 8, 4);
  seldom.signal_every = 4;
  PostStep often = post(Verb::send, 8);
  for (const int every : {1, 2, 16, 64}) {
    often.signal_every = every;
    EXPECT_GT(with_server({seldom, often, await(0)}).throughput.per_second, 1e6) << every;
    EXPECT_GT(with_server({often, seldom, await(0)}).throughput.per_second, 1e6) << every;
  }
}

TEST(ProgramPlan, WhatIsSentReliablyAndNotAwaitedCounts) {
  const RunResult result = with_server({post(Verb::send, 8)});
  const double requests = static_cast<double>(counter(result, "server/PCIeItoM").count);
  EXPECT_GT(result.throughput.per_second, 1e6);
  EXPECT_GT(result.latency.samples, 0U);
  EXPECT_GT(requests, 0);
}

}  // namespace
}  // namespace doorbell::model
