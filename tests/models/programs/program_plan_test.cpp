#include "models/programs/program_plan.hpp"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

// What an operation of 8 B takes of the memory of those it reaches, in cache lines.
constexpr double lines_of_read = 1;
constexpr double lines_of_recv = 0.25;  // eight RECV WQEs of 16 B are read at a time
constexpr double lines_per_answer = 2;  // payload and CQE

/// `loop` on RC, and a server that answers what it finds in its completion queue.
RunResult with_server(std::vector<Step> loop, Channel via = Channel::completion_queue) {
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), std::move(loop)),
                                  program(queue_pairs(Transport::rc), {collect(via, 8), answer(8, 8)}));
  scenario.measure.duration = 10ms;
  return run(scenario);
}

/// Work requests of a program in the time measured, for each operation of the one that is measured.
double work_requests_per_operation(const RunResult& result, std::string_view name) {
  for (const ProgramSummary& item : result.programs) {
    if (item.program == name) return item.work_requests.per_second / result.throughput.per_second;
  }
  ADD_FAILURE() << "no program " << name;
  return 0;
}

double lines_per_operation(const RunResult& result, std::string_view name) {
  return counter(result, name).rate.per_second / result.throughput.per_second;
}

/// Whatever is not a READ is answered; returns the share of READs.
double expect_conservation(const RunResult& result) {
  const double answers = work_requests_per_operation(result, "server");
  EXPECT_NEAR(work_requests_per_operation(result, "client"), 1, 0.005);
  EXPECT_NEAR(lines_per_operation(result, "server/PCIeRdCur"), (1 - answers) * lines_of_read + answers * lines_of_recv,
              0.005);
  EXPECT_NEAR(lines_per_operation(result, "server/PCIeItoM"), answers * lines_per_answer, 0.05);
  EXPECT_NEAR(lines_per_operation(result, "client/PCIeRdCur"), answers * lines_of_recv, 0.005);
  return 1 - answers;
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
  // Two READs, then requests until six operations are outstanding, then all are awaited.
  const RunResult result = with_server({read_window(2), post_window(Verb::send, 8, 6), await(0)});
  EXPECT_NEAR(expect_conservation(result), 2.0 / 6, 0.005);
}

TEST(ProgramPlan, AMixOfReadsAndRequestsCompletesBothWays) {
  PostStep step = post_window(Verb::send, 8, 8);
  step.mix = {{.share = 0.5, .verb = Verb::read, .payload = 8_B, .region = region(16, 64)}};
  EXPECT_NEAR(expect_conservation(with_server({step, await(0)})), 0.5, 0.01);
}

TEST(ProgramPlan, WritesWithImmediateDataAreSeenInTheCompletionQueue) {
  PostStep step = post_window(Verb::write, 8, 8);
  step.immediate = true;
  for (const Channel via : {Channel::completion_queue, Channel::memory}) {
    const RunResult seen = with_server({step, await(0)}, via);
    const double sent = with_server({post_window(Verb::send, 8, 8), await(0)}).throughput.per_second;
    EXPECT_NEAR(seen.throughput.per_second, sent, sent * 0.01);
    EXPECT_NEAR(work_requests_per_operation(seen, "server"), 1, 0.005);
    EXPECT_NEAR(lines_per_operation(seen, "server/PCIeItoM"), lines_per_answer, 0.05);
    EXPECT_NEAR(lines_per_operation(seen, "server/PCIeRdCur"), lines_of_recv, 0.005);
  }
}

TEST(ProgramPlan, StepsThatSignalDifferentlyCanShareQueuePairs) {
  PostStep seldom = post_window(Verb::send, 8, 4);
  seldom.signal_every = 4;
  PostStep often = post(Verb::send, 8);
  const auto signaled = [](const std::vector<Step>& loop) {
    const RunResult result = with_server(loop);
    EXPECT_NEAR(expect_conservation(result), 0, 0.005);
    return lines_per_operation(result, "client/PCIeItoM") - lines_per_answer;
  };
  // A step signals a WQE that is so many beyond the last signaled one, whichever step posted that.
  struct Case {
    int every;
    double seldom_first;  // of four and one
    double often_first;   // of one and three
  };
  for (const auto& [every, seldom_first, often_first] :
       {Case{1, 2.0 / 5, 1.0 / 4}, {2, 3.0 / 10, 1.0 / 4}, {16, 1.0 / 5, 1.0 / 4}, {64, 1.0 / 5, 1.0 / 4}}) {
    often.signal_every = every;
    EXPECT_NEAR(signaled({seldom, often, await(0)}), seldom_first, 0.005) << every;
    EXPECT_NEAR(signaled({often, seldom, await(0)}), often_first, 0.005) << every;
  }
}

TEST(ProgramPlan, CqesArePolledByRoundsOrAsOperationsFinish) {
  PostStep write = post_window(Verb::write, 8, 64);
  const auto rate = [&](int signal_every, PollCqes poll) {
    write.signal_every = signal_every;
    write.poll = poll;
    return run(scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {write, await(1)}), sink()))
        .throughput.per_second;
  };
  const double all = rate(1, PollCqes::when_awaited);
  EXPECT_DOUBLE_EQ(rate(1, PollCqes::by_rounds), all);
  // By rounds, no more than one round is under way.
  EXPECT_LT(rate(2, PollCqes::by_rounds), all / 2);
  // Of 64 operations as many as a round but one may have finished without anybody knowing.
  double before = all;
  for (const int signal_every : {2, 4, 16, 64}) {
    const double told = rate(signal_every, PollCqes::when_awaited);
    EXPECT_GT(told, all * (64 - (signal_every - 1)) / 64 * 0.9) << signal_every;
    EXPECT_LT(told, before * 1.01) << signal_every;
    before = told;
  }
  EXPECT_LT(before, all * 0.85) << "the window empties and is filled again";
}

TEST(ProgramPlan, WhatIsSentReliablyAndNotAwaitedCounts) {
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {post(Verb::send, 8)}),
                                  program(queue_pairs(Transport::rc), {collect(Channel::completion_queue, 8)}));
  scenario.measure.duration = 400us;
  const RunResult result = run(scenario);
  EXPECT_NEAR(work_requests_per_operation(result, "client"), 1, 0.005);
  EXPECT_NEAR(lines_per_operation(result, "server/PCIeItoM"), lines_per_answer, 0.05);
  EXPECT_NEAR(static_cast<double>(result.latency.samples), result.throughput.per_second * 400e-6, 1);
}

TEST(ProgramPlan, WhatIsAnsweredAndNotAwaitedCountsOnce) {
  const RunResult result = with_server({post(Verb::send, 8)});
  EXPECT_NEAR(work_requests_per_operation(result, "client"), 1, 0.005);
}

}  // namespace
}  // namespace doorbell::model
