#include "models/isolated_run.hpp"

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(IsolatedRun, WhatTheParentPrintsIsPrintedOnce) {
  testing::internal::CaptureStdout();
  std::fputs("once", stdout);
  (void)run_isolated([] {
    std::fflush(stdout);  // as a library may do
    return RunResult{};
  });
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "once");
}

TEST(IsolatedRun, BringsBackEveryMember) {
  RunResult sent;
  sent.throughput = {1.5};
  sent.throughput_ci95 = {0.25};
  sent.bandwidth = {3e8};
  sent.latency = {.mean = 1us, .p50 = 2us, .p99 = 3us, .samples = 4};
  sent.utilisations = {{"a bus", 0.5, Limit::bus_bandwidth}, {"a core", 0.25, Limit::cpu}};
  sent.counters = {{"work", 7, {3.5}}};
  sent.programs = {{"program", 2.5, {3e6}, {4e9}}};
  sent.bottleneck = {"a bus", Limit::bus_bandwidth, 0.5, "a core", 0.25, "A sentence."};
  sent.warnings = {"first", ""};
  sent.simulated = 9us;
  sent.events = 10;
  sent.operations = 11;
  const RunResult got = run_isolated([&] { return sent; });
  EXPECT_EQ(got.throughput, sent.throughput);
  EXPECT_EQ(got.throughput_ci95, sent.throughput_ci95);
  EXPECT_EQ(got.bandwidth, sent.bandwidth);
  EXPECT_EQ(got.latency.mean, sent.latency.mean);
  EXPECT_EQ(got.latency.p50, sent.latency.p50);
  EXPECT_EQ(got.latency.p99, sent.latency.p99);
  EXPECT_EQ(got.latency.samples, sent.latency.samples);
  ASSERT_EQ(got.utilisations.size(), 2U);
  EXPECT_EQ(got.utilisations[0].resource, "a bus");
  EXPECT_EQ(got.utilisations[1].busy, 0.25);
  EXPECT_EQ(got.utilisations[0].limit, Limit::bus_bandwidth);
  ASSERT_EQ(got.counters.size(), 1U);
  EXPECT_EQ(got.counters[0].name, "work");
  EXPECT_EQ(got.counters[0].count, 7U);
  EXPECT_EQ(got.counters[0].rate, Rate{3.5});
  ASSERT_EQ(got.programs.size(), 1U);
  EXPECT_EQ(got.programs[0].mean_batch, 2.5);
  EXPECT_EQ(got.programs[0].work_requests, Rate{3e6});
  EXPECT_EQ(got.programs[0].payload, Bandwidth{4e9});
  EXPECT_EQ(got.bottleneck.sentence, "A sentence.");
  EXPECT_EQ(got.bottleneck.next_resource, "a core");
  EXPECT_EQ(got.warnings, sent.warnings);
  EXPECT_EQ(got.simulated, 9us);
  EXPECT_EQ(got.events, 10U);
  EXPECT_EQ(got.operations, 11U);
}

TEST(IsolatedRun, RunsElsewhere) {
  const auto here = static_cast<std::uint64_t>(::getpid());
  const RunResult result = run_isolated([] {
    RunResult own;
    own.events = static_cast<std::uint64_t>(::getpid());
    return own;
  });
  EXPECT_NE(result.events, here);
}

TEST(IsolatedRun, PassesFailuresOn) {
  const auto failing = []() -> RunResult { throw std::logic_error("no such bus"); };
  EXPECT_THAT([&] { static_cast<void>(run_isolated(failing)); },
              ::testing::ThrowsMessage<std::runtime_error>("no such bus"));
  const auto refusing = []() -> RunResult { throw std::invalid_argument("no load"); };
  EXPECT_THAT([&] { static_cast<void>(run_isolated(refusing)); },
              ::testing::ThrowsMessage<std::invalid_argument>("no load"));
  EXPECT_THROW(static_cast<void>(run_isolated([]() -> RunResult { ::_exit(3); })), std::runtime_error);
}

TEST(IsolatedRun, LongResultsFitThePipe) {
  const RunResult result = run_isolated([] {
    RunResult own;
    own.warnings.assign(1000, std::string(1000, 'w'));
    return own;
  });
  ASSERT_EQ(result.warnings.size(), 1000U);
  EXPECT_EQ(result.warnings.back(), std::string(1000, 'w'));
}

TEST(IsolatedRun, SeveralGoOnAtATimeAndEachResultComesOnce) {
  std::vector<std::uint64_t> got(20);
  run_isolated(
      got.size(), 3,
      [](std::size_t i) {
        RunResult own;
        own.events = i * i;
        own.warnings.assign(100, std::string(1000, 'w'));  // more than a pipe holds
        return own;
      },
      [&](std::size_t i, const RunResult& result) { got[i] += result.events + result.warnings.size(); });
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], i * i + 100);
}

TEST(IsolatedRun, OneWaitsForAnotherOnlyWhereJobsRunOut) {
  // The first ends after the second, which it waits for.
  std::array<int, 2> word{};
  ASSERT_EQ(::pipe(word.data()), 0);
  std::vector<std::size_t> order;
  run_isolated(
      2, 2,
      [&](std::size_t i) {
        char said = 'w';
        RunResult own;
        own.events = static_cast<std::uint64_t>(i == 0 ? ::read(word[0], &said, 1) : ::write(word[1], &said, 1));
        return own;
      },
      [&](std::size_t i, const RunResult& result) {
        EXPECT_EQ(result.events, 1U);
        order.push_back(i);
      });
  EXPECT_EQ(order.size(), 2U);
  ::close(word[0]);
  ::close(word[1]);
}

TEST(IsolatedRun, TheFirstFailureInOrderIsPassedOnAndTheOthersEnd) {
  int ended = 0;
  const auto work = [](std::size_t i) -> RunResult {
    if (i == 1) {
      ::usleep(20000);  // the second failure comes first
      throw std::runtime_error("one");
    }
    if (i == 2) throw std::runtime_error("two");
    return {};
  };
  EXPECT_THAT([&] { run_isolated(4, 4, work, [&](std::size_t, const RunResult&) { ++ended; }); },
              ::testing::ThrowsMessage<std::runtime_error>("one"));
  EXPECT_EQ(ended, 2);
}

/// Leaves the process so many more descriptors.
class FewDescriptors {
 public:
  explicit FewDescriptors(rlim_t more) {
    const int next = ::dup(STDIN_FILENO);
    ::close(next);
    ::getrlimit(RLIMIT_NOFILE, &before_);
    const rlimit few{static_cast<rlim_t>(next) + more, before_.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }
  ~FewDescriptors() { ::setrlimit(RLIMIT_NOFILE, &before_); }
  FewDescriptors(const FewDescriptors&) = delete;
  FewDescriptors& operator=(const FewDescriptors&) = delete;

 private:
  rlimit before_{};
};

TEST(IsolatedRun, FewerGoOnAtATimeWhereTheSystemGrantsNoMore) {
  int ended = 0;
  {
    const FewDescriptors room_for_pipes_of_three{4};
    run_isolated(
        9, 9, [](std::size_t) { return RunResult{}; }, [&](std::size_t, const RunResult&) { ++ended; });
  }
  EXPECT_EQ(ended, 9);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
}

TEST(IsolatedRun, FailsWhereTheSystemGrantsNotEvenOne) {
  std::exception_ptr failure;
  {
    const FewDescriptors room_for_half_a_pipe{1};
    try {
      (void)run_isolated([] { return RunResult{}; });
    } catch (...) {
      failure = std::current_exception();  // looked at below: sanitizers need a pipe for that
    }
  }
  EXPECT_THAT(
      [&] {
        if (failure) std::rethrow_exception(failure);
      },
      ::testing::ThrowsMessage<std::runtime_error>("no pipe for an isolated run"));
}

}  // namespace
}  // namespace doorbell::model
