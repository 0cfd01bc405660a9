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
  ::testing::internal::CaptureStdout();
  std::fputs("once", stdout);
  (void)run_isolated([] {
    std::fflush(stdout);  // as a library may do
    return RunResult{};
  });
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "once");
}

// Bindings name every member, so that a structure that gains one does not compile here until the test compares it.

void expect_sent(const Utilisation& got, const Utilisation& sent) {
  const auto& [resource, busy, limit, held_for, of_most, remark, as_full, elastic, shares_work, reaches] = got;
  EXPECT_EQ(resource, sent.resource);
  EXPECT_EQ(busy, sent.busy);
  EXPECT_EQ(limit, sent.limit);
  ASSERT_EQ(held_for.has_value(), sent.held_for.has_value());
  if (held_for) {
    const auto& [held_resource, held_limit, share, held_busy, gain] = *held_for;
    EXPECT_EQ(held_resource, sent.held_for->resource);
    EXPECT_EQ(held_limit, sent.held_for->limit);
    EXPECT_EQ(share, sent.held_for->share);
    EXPECT_EQ(held_busy, sent.held_for->busy);
    EXPECT_EQ(gain, sent.held_for->gain);
  }
  EXPECT_EQ(of_most, sent.of_most);
  EXPECT_EQ(remark, sent.remark);
  EXPECT_EQ(as_full, sent.as_full);
  EXPECT_EQ(elastic, sent.elastic);
  EXPECT_EQ(shares_work, sent.shares_work);
  EXPECT_EQ(reaches, sent.reaches);
}

void expect_sent(const CounterReading& got, const CounterReading& sent) {
  const auto& [name, count, rate] = got;
  EXPECT_EQ(name, sent.name);
  EXPECT_EQ(count, sent.count);
  EXPECT_EQ(rate, sent.rate);
}

void expect_sent(const Level& got, const Level& sent) {
  const auto& [name, mean, position] = got;
  EXPECT_EQ(name, sent.name);
  EXPECT_EQ(mean, sent.value);
  EXPECT_EQ(position, sent.position);
}

void expect_sent(const LatencySummary& got, const LatencySummary& sent) {
  const auto& [mean, p50, p99, samples] = got;
  EXPECT_EQ(mean, sent.mean);
  EXPECT_EQ(p50, sent.p50);
  EXPECT_EQ(p99, sent.p99);
  EXPECT_EQ(samples, sent.samples);
}

void expect_sent(const KindSummary& got, const KindSummary& sent) {
  const auto& [kind, throughput, latency] = got;
  EXPECT_EQ(kind, sent.kind);
  EXPECT_EQ(throughput, sent.throughput);
  expect_sent(latency, sent.latency);
}

void expect_sent(const ProgramSummary& got, const ProgramSummary& sent) {
  const auto& [program, mean_batch, work_requests, payload] = got;
  EXPECT_EQ(program, sent.program);
  EXPECT_EQ(mean_batch, sent.mean_batch);
  EXPECT_EQ(work_requests, sent.work_requests);
  EXPECT_EQ(payload, sent.payload);
}

void expect_sent(const Bottleneck& got, const Bottleneck& sent) {
  const auto& [resource, limit, busy, saturated, next_resource, next_busy, sentence] = got;
  EXPECT_EQ(resource, sent.resource);
  EXPECT_EQ(limit, sent.limit);
  EXPECT_EQ(busy, sent.busy);
  EXPECT_EQ(saturated, sent.saturated);
  EXPECT_EQ(next_resource, sent.next_resource);
  EXPECT_EQ(next_busy, sent.next_busy);
  EXPECT_EQ(sentence, sent.sentence);
}

void expect_sent(const ServedRequest& got, const ServedRequest& sent) {
  const auto& [started, write, offset, size, latency] = got;
  EXPECT_EQ(started, sent.started);
  EXPECT_EQ(write, sent.write);
  EXPECT_EQ(offset, sent.offset);
  EXPECT_EQ(size, sent.size);
  EXPECT_EQ(latency, sent.latency);
}

template <class T> void expect_sent(const std::vector<T>& got, const std::vector<T>& sent) {
  ASSERT_EQ(got.size(), sent.size());
  for (std::size_t i = 0; i < got.size(); ++i) expect_sent(got[i], sent[i]);
}

TEST(IsolatedRun, BringsBackEveryMember) {
  // No member has its default, and no two of a type are equal: one that is lost or takes another's place is seen.
  RunResult sent;
  sent.throughput = {1.5};
  sent.throughput_ci95 = {0.25};
  sent.bandwidth = {3e8};
  sent.latency = {.mean = 1us, .p50 = 2us, .p99 = 3us, .samples = 4};
  sent.kinds = {{"reads", {14e6}, {.mean = 5us, .p50 = 6us, .p99 = 7us, .samples = 15}},
                {"writes", {16e6}, {.mean = 8us, .p50 = 10us, .p99 = 11us, .samples = 17}}};
  sent.utilisations = {{"a bus", 0.5, Limit::bus_bandwidth}, {"a core", 0.75, Limit::threads}};
  sent.utilisations.push_back({.resource = "a queue",
                               .busy = 0.9,
                               .limit = Limit::in_flight,
                               .held_for = HeldFor{"a card", Limit::device, 0.1, 0.2, 0.3},
                               .of_most = 0.4,
                               .remark = "a remark",
                               .as_full = "a table",
                               .elastic = true,
                               .reaches = {"one group", "another group"}});
  sent.utilisations.push_back({.resource = "a port", .busy = 0.95, .shares_work = true});
  sent.counters = {{"work", 7, {3.5}}, {"rest", 8, {4.5}}};
  sent.programs = {{"program", 2.5, {3e6}, {4e9}}, {"another", 5.5, {6e6}, {7e9}}};
  sent.levels = {{"in flight", 12.5}, {"in a queue", 13.5, 64}};
  sent.requests = {{21us, true, Bytes{22}, Bytes{23}, 24us}, {25us, false, Bytes{26}, Bytes{27}, 28us}};
  sent.bottleneck = {"a link", Limit::link_bandwidth, 0.875, true, "a disk", 0.625, "A sentence."};
  sent.warnings = {"first", ""};
  sent.simulated = 9us;
  sent.events = 10;
  sent.operations = 11;
  const RunResult got = run_isolated([&] { return sent; });
  const auto& [throughput, throughput_ci95, bandwidth, latency, kinds, utilisations, counters, programs, levels,
               requests, bottleneck, warnings, simulated, events, operations] = got;
  EXPECT_EQ(throughput, sent.throughput);
  EXPECT_EQ(throughput_ci95, sent.throughput_ci95);
  EXPECT_EQ(bandwidth, sent.bandwidth);
  expect_sent(latency, sent.latency);
  expect_sent(kinds, sent.kinds);
  expect_sent(utilisations, sent.utilisations);
  expect_sent(counters, sent.counters);
  expect_sent(programs, sent.programs);
  expect_sent(levels, sent.levels);
  expect_sent(requests, sent.requests);
  expect_sent(bottleneck, sent.bottleneck);
  EXPECT_EQ(warnings, sent.warnings);
  EXPECT_EQ(simulated, sent.simulated);
  EXPECT_EQ(events, sent.events);
  EXPECT_EQ(operations, sent.operations);
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
