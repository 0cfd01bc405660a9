#include "models/remote_memory/host_cpu.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <deque>
#include <vector>

#include "core/process.hpp"
#include "models/remote_memory/host_software.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

CpuParameters cores(int cores, int threads, double gain) {
  CpuParameters cpu;
  cpu.cores = cores;
  cpu.threads_per_core = threads;
  cpu.smt_gain = gain;
  cpu.turbo = {Rate{2e9}};
  return cpu;
}

core::Process worker(core::Calendar& calendar, HostCpu& cpu, Time work, Time& end) {
  co_await cpu.work(work);
  end = calendar.now();
}

Time last_of(const CpuParameters& parameters, int workers, int pollers, int pinned = 0) {
  core::Calendar calendar;
  HostCpu cpu{calendar, parameters, HostSoftware{}, 1, "host", pinned};
  cpu.spin(pollers);
  Time end{0};
  for (int i = 0; i < workers; ++i) core::start(calendar, worker(calendar, cpu, 1us, end));
  calendar.run_until(1ms);
  return end;
}

TEST(HostCpu, ThreadsHaveCoresOfTheirOwnWhileThereAreEnough) {
  EXPECT_EQ(last_of(cores(4, 1, 1), 4, 0), 1us);
  EXPECT_EQ(last_of(cores(4, 1, 1), 8, 0), 2us);
}

TEST(HostCpu, HardwareThreadsShareTheirCore) {
  // Two threads on one core do 1.25 times the work of one.
  EXPECT_NEAR(to_nanoseconds(last_of(cores(1, 2, 1.25), 2, 0)), 2000 / 1.25, 1);
}

TEST(HostCpu, PollingTakesCoresAway) {
  EXPECT_EQ(last_of(cores(4, 1, 1), 4, 4), 2us);
  EXPECT_EQ(last_of(cores(4, 1, 1), 2, 2), 1us);
}

TEST(HostCpu, IsPolledOutByAsManyLoopsAsHardwareThreads) {
  struct Idle : core::TimeSlices::Loop {
    void turn_begins() override {}
  };
  core::Calendar calendar;
  HostSoftware software;
  software.scheduler.latency = 6ms;
  software.scheduler.tick = 4ms;
  HostCpu cpu{calendar, cores(2, 1, 1), software, 1, "host", 0};
  Idle first;
  Idle second;
  cpu.slices().begin(first);
  EXPECT_FALSE(cpu.is_polled_out());
  cpu.slices().begin(second);
  EXPECT_TRUE(cpu.is_polled_out());
}

TEST(HostCpu, WhatProgramsKeepIsNotThere) {
  EXPECT_EQ(last_of(cores(4, 1, 1), 2, 0, 2), 1us);
  EXPECT_EQ(last_of(cores(4, 1, 1), 4, 0, 2), 2us);
  EXPECT_EQ(last_of(cores(4, 1, 1), 4, 0, 3), 4us);
  // It is active: the other hardware thread of a core is slower.
  EXPECT_NEAR(to_nanoseconds(last_of(cores(1, 2, 1.25), 1, 0, 1)), 2000 / 1.25, 1);
  CpuParameters turbo = cores(2, 1, 1);
  turbo.turbo = {Rate{3e9}, Rate{2e9}};
  EXPECT_NEAR(to_nanoseconds(last_of(turbo, 1, 0, 1)), 1500, 1);
}

class SilentLoop final : public core::TimeSlices::Loop {
 private:
  void turn_begins() override {}
};

/// Turns of twice as many loops as there are hardware threads, within 720 ms.
std::uint64_t turns(int threads) {
  HostSoftware software;
  software.scheduler = {.latency = 6ms, .granularity = 1ms, .wakeup_granularity = 1ms, .tick = 1ms};
  core::Calendar calendar;
  HostCpu cpu{calendar, cores(threads, 1, 1), software, 1, "host"};
  std::deque<SilentLoop> loops(2 * static_cast<std::size_t>(threads));
  for (SilentLoop& loop : loops) cpu.slices().begin(loop);
  calendar.run_until(72ms);
  cpu.measure();
  calendar.run_until(792ms);
  return cpu.context_switches();
}

TEST(HostCpu, SlicesAreTheLongerTheMoreCpusThereAre) {
  // Half of the latency, which is 6, 12, 18 and 24 ms.
  EXPECT_EQ(turns(1), 720U / 3);
  EXPECT_EQ(turns(2), 2 * 720U / 6);
  EXPECT_EQ(turns(4), 4 * 720U / 9);
  EXPECT_EQ(turns(8), 8 * 720U / 12);
  EXPECT_EQ(turns(16), 16 * 720U / 12);
}

TEST(HostCpu, TimesVaryAboutTheirMean) {
  CpuParameters parameters = cores(1, 1, 1);
  parameters.variation = 0.5;
  core::Calendar calendar;
  HostCpu cpu{calendar, parameters, HostSoftware{}, 1, "host"};
  std::vector<double> times;
  struct Loop {
    static core::Process run(core::Calendar& calendar, HostCpu& cpu, std::vector<double>& times) {
      for (int i = 0; i < 10'000; ++i) {
        const Time begin = calendar.now();
        co_await cpu.work(1us);
        times.push_back(to_nanoseconds(calendar.now() - begin));
      }
    }
  };
  core::start(calendar, Loop::run(calendar, cpu, times));
  calendar.run();
  ASSERT_EQ(times.size(), 10'000U);
  double sum = 0;
  double squares = 0;
  for (const double time : times) {
    sum += time;
    squares += time * time;
  }
  const double mean = sum / 10'000;
  EXPECT_NEAR(mean, 1000, 20);
  EXPECT_NEAR(std::sqrt(squares / 10'000 - mean * mean) / mean, 0.5, 0.02);
  EXPECT_NEAR(cpu.runnable(calendar.now()), 1, 1e-6);
}

}  // namespace
}  // namespace doorbell::model
