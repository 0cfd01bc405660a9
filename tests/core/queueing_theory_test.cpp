// Simulated queues against textbook results, within the confidence intervals that the simulation itself reports.
#include "core/batch_means.hpp"
#include "core/fifo_server.hpp"
#include "core/latency_histogram.hpp"
#include "core/multi_server.hpp"
#include "core/process.hpp"
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

constexpr Time mean_service = 100_ns;
constexpr int warmup = 20'000;
constexpr int jobs = 400'000;

struct Measured {
  BatchMeans response{warmup};  ///< ns
  LatencyHistogram histogram;
  double utilisation = 0;
};

/// Poisson arrivals at `load` times the capacity of `servers` servers.
Measured open_queue(std::uint64_t seed, double load, std::size_t servers,
                    const std::function<Time(RandomStream&)>& service) {
  RandomStream arrivals(seed, "arrivals");
  RandomStream services(seed, "services");
  MultiServer station(servers);
  Measured measured;
  const Time gap = from_seconds(to_seconds(mean_service) / load / static_cast<double>(servers));
  Time now{0};
  for (int i = 0; i < warmup + jobs; ++i) {
    now += arrivals.exponential(gap);
    const Time response = station.reserve(now, service(services)) - now;
    measured.response.add(response);
    if (i >= warmup) measured.histogram.add(response);
    if (i == warmup) station.measure(now);
  }
  measured.utilisation = station.utilisation(now);
  return measured;
}

Time exponential_service(RandomStream& random) { return random.exponential(mean_service); }
Time fixed_service(RandomStream&) { return mean_service; }

void expect_agreement(const Measured& measured, double response, double width) {
  const ConfidenceInterval interval = measured.response.interval();
  EXPECT_TRUE(interval.contains(response)) << interval.mean << " +- " << interval.half_width << " against " << response;
  EXPECT_TRUE(measured.response.narrow_enough(width)) << interval.half_width / interval.mean;
}

TEST(QueueingTheory, MM1) {
  for (const double load : {0.3, 0.6, 0.8}) {
    const Measured measured = open_queue(2, load, 1, exponential_service);
    expect_agreement(measured, 100 / (1 - load), 0.05);
    EXPECT_NEAR(measured.utilisation, load, 0.01);
    // The response time is exponential, too: its 99th percentile is ln 100 times the mean.
    const double p99 = to_nanoseconds(measured.histogram.percentile(0.99));
    EXPECT_NEAR(p99 / (std::log(100) * 100 / (1 - load)), 1, 0.06);
  }
}

TEST(QueueingTheory, MD1) {
  for (const double load : {0.3, 0.6, 0.8}) {
    // Pollaczek and Khinchine.
    expect_agreement(open_queue(2, load, 1, fixed_service), 100 * (1 + load / (2 * (1 - load))), 0.05);
  }
}

TEST(QueueingTheory, MMc) {
  for (const std::size_t servers : {2U, 8U}) {
    for (const double load : {0.5, 0.8}) {
      const auto c = static_cast<double>(servers);
      // Erlang's B by its recursion, then C.
      double b = 1;
      for (double k = 1; k <= c; ++k) b = c * load * b / (k + c * load * b);
      const double waiting = b / (1 - load * (1 - b));
      const Measured measured = open_queue(2, load, servers, exponential_service);
      expect_agreement(measured, 100 * (1 + waiting / (c * (1 - load))), 0.05);
      EXPECT_NEAR(measured.utilisation, load, 0.01);
    }
  }
}

// The intervals are honest: over many runs they miss about one time in twenty, neither never nor often.
TEST(QueueingTheory, IntervalsOfMM1MissAboutOneInTwenty) {
  int covered = 0;
  constexpr int runs = 60;
  for (std::uint64_t seed = 100; seed < 100 + runs; ++seed) {
    RandomStream arrivals(seed, "arrivals");
    RandomStream services(seed, "services");
    FifoServer server;
    BatchMeans response(2000);
    Time now{0};
    for (int i = 0; i < 60'000; ++i) {
      now += arrivals.exponential(2 * mean_service);
      response.add(server.reserve(now, services.exponential(mean_service)) - now);
    }
    covered += response.interval().contains(200);
  }
  EXPECT_GE(covered, 52);
}

struct Tandem {
  Calendar calendar;
  QueuedFifoServer first{calendar};
  QueuedFifoServer second{calendar};
  BatchMeans cycle{20'000};
  std::uint64_t cycles = 0;
};

Process customer(Tandem& tandem, RandomStream random, Time think) {
  for (;;) {
    const Time begin = tandem.calendar.now();
    co_await tandem.first.use(random.exponential(100_ns));
    co_await tandem.second.use(random.exponential(70_ns));
    tandem.cycle.add(tandem.calendar.now() - begin);
    ++tandem.cycles;
    co_await delay(tandem.calendar, random.exponential(think));
  }
}

TEST(QueueingTheory, ClosedTandemAgainstExactMeanValueAnalysis) {
  constexpr Time think = 300_ns;
  for (const int customers : {1, 3, 8}) {
    const double demand[] = {100, 70};
    double queue[] = {0, 0};
    double cycle = 0;
    double throughput = 0;
    for (int n = 1; n <= customers; ++n) {
      cycle = 0;
      double response[2];
      for (int k = 0; k < 2; ++k) cycle += response[k] = demand[k] * (1 + queue[k]);
      throughput = n / (cycle + to_nanoseconds(think));
      for (int k = 0; k < 2; ++k) queue[k] = throughput * response[k];
    }
    Tandem tandem;
    for (int i = 0; i < customers; ++i) {
      start(tandem.calendar, customer(tandem, RandomStream(static_cast<std::uint64_t>(i), "customer"), think));
    }
    tandem.calendar.run_until(10'000_us);
    tandem.first.measure(tandem.calendar.now());
    tandem.second.measure(tandem.calendar.now());
    const std::uint64_t before = tandem.cycles;
    tandem.calendar.run_until(60'000_us);
    const ConfidenceInterval interval = tandem.cycle.interval();
    EXPECT_TRUE(interval.contains(cycle)) << interval.mean << " +- " << interval.half_width << " against " << cycle;
    EXPECT_TRUE(tandem.cycle.narrow_enough(0.02));
    const double measured = static_cast<double>(tandem.cycles - before) / 50e6;
    EXPECT_NEAR(measured / throughput, 1, 0.02);
    EXPECT_NEAR(tandem.first.utilisation(), throughput * demand[0], 0.01);
    EXPECT_NEAR(tandem.second.utilisation(), throughput * demand[1], 0.01);
    EXPECT_NEAR(tandem.first.population().mean(tandem.calendar.now()) / queue[0], 1, 0.04) << "Little's law";
  }
}

// A component's draws do not change when another is added: the same customers meet the same services.
TEST(RandomIndependence, AddingAComponentLeavesTheOthersAlone) {
  const auto run = [](bool with_observer) {
    Tandem tandem;
    start(tandem.calendar, customer(tandem, RandomStream(1, "customer"), 300_ns));
    const auto observe = [](Calendar& calendar, RandomStream random) -> Process {
      for (;;) co_await delay(calendar, random.exponential(50_ns));
    };
    if (with_observer) start(tandem.calendar, observe(tandem.calendar, RandomStream(1, "observer")));
    tandem.calendar.run_until(20'000_us);
    return tandem.cycle.mean();
  };
  EXPECT_EQ(run(false), run(true));
}

}  // namespace
}  // namespace doorbell::core
