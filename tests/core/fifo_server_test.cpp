#include "core/fifo_server.hpp"

#include "core/process.hpp"
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

TEST(FifoServer, ServesAtOnceWhenIdleAndInTurnWhenBusy) {
  FifoServer server;
  EXPECT_EQ(server.reserve(10_ns, 5_ns), 15_ns);
  EXPECT_EQ(server.busy_until(), 15_ns);
  EXPECT_EQ(server.reserve(12_ns, 5_ns), 20_ns);
  EXPECT_EQ(server.reserve(20_ns, 1_ns), 21_ns) << "an arrival at the departure does not wait";
  EXPECT_EQ(server.reserve(30_ns, 1_ns), 31_ns);
  EXPECT_EQ(server.jobs(), 4U);
  EXPECT_EQ(server.busy_time(31_ns), 12_ns);
}

TEST(FifoServer, WarmUpIsRemovedFromBusyTimeAndJobs) {
  FifoServer server;
  server.measure(100_ns, 200_ns);
  server.reserve(90_ns, 20_ns);
  server.reserve(150_ns, 10_ns);
  server.reserve(195_ns, 10_ns);
  EXPECT_EQ(server.busy_time(205_ns), 25_ns);
  EXPECT_DOUBLE_EQ(server.utilisation(300_ns), 0.25);
  server.measure(200_ns);
  EXPECT_EQ(server.jobs(), 0U);
  EXPECT_EQ(server.busy_time(205_ns), 5_ns);
}

struct Job {
  Time arrival;
  Time service;
};

std::vector<Job> some_jobs(std::uint64_t seed, std::size_t count) {
  RandomStream random(seed, "jobs");
  std::vector<Job> jobs;
  Time now{0};
  for (std::size_t i = 0; i < count; ++i) {
    // A coarse grid, so that arrivals often coincide with departures and with one another.
    now += Time{static_cast<std::int64_t>(random.below(5)) * 1000};
    jobs.push_back({now, Time{static_cast<std::int64_t>(random.below(5)) * 1000}});
  }
  return jobs;
}

Process submit(Calendar& calendar, QueuedFifoServer& server, Job job, Time& departure) {
  co_await until(calendar, job.arrival);
  co_await server.use(job.service);
  departure = calendar.now();
}

TEST(FifoServer, ReservedAndQueuedFormsAgreeToThePicosecond) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const std::vector<Job> jobs = some_jobs(seed, 3000);
    FifoServer reserved;
    Calendar calendar;
    QueuedFifoServer queued(calendar);
    std::vector<Time> departures(jobs.size());
    for (std::size_t i = 0; i < jobs.size(); ++i) start(calendar, submit(calendar, queued, jobs[i], departures[i]));
    calendar.run();
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      ASSERT_EQ(departures[i], reserved.reserve(jobs[i].arrival, jobs[i].service)) << "seed " << seed << " job " << i;
    }
    EXPECT_EQ(queued.busy_time(), reserved.busy_time(calendar.now()));
    EXPECT_EQ(queued.jobs(), reserved.jobs());
  }
}

TEST(FifoServer, ReservingOutOfOrderDiffers) {
  // The condition under which the reserved form is exact is a real one.
  FifoServer server;
  server.reserve(20_ns, 5_ns);
  EXPECT_EQ(server.reserve(10_ns, 5_ns), 30_ns);
}

TEST(QueuedFifoServer, DepartsNotOnePicosecondEarly) {
  Calendar calendar;
  QueuedFifoServer server(calendar);
  Time first{0};
  Time second{0};
  start(calendar, submit(calendar, server, {1_ns, 10_ns}, first));
  start(calendar, submit(calendar, server, {2_ns, 10_ns}, second));
  calendar.run_until(11_ns - 1_ps);
  EXPECT_EQ(first, 0_ns);
  EXPECT_EQ(server.population().level(), 2);
  calendar.run_until(11_ns);
  EXPECT_EQ(first, 11_ns);
  calendar.run();
  EXPECT_EQ(second, 21_ns);
  EXPECT_EQ(server.population().level(), 0);
}

TEST(QueuedFifoServer, CallsBack) {
  Calendar calendar;
  QueuedFifoServer server(calendar);
  std::vector<std::uint64_t> seen;
  const Handler record = [](void* log, std::uint64_t value) {
    static_cast<std::vector<std::uint64_t>*>(log)->push_back(value);
  };
  QueuedFifoServer::Job first{{record, &seen, 1, Priority{}, nullptr}, 3_ns};
  QueuedFifoServer::Job second{{record, &seen, 2, Priority{}, nullptr}, 4_ns};
  server.submit(first);
  server.submit(second);
  calendar.run();
  EXPECT_EQ(seen, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(calendar.now(), 7_ns);
}

TEST(QueuedFifoServer, IsFreeAfterAJobThatItRefuses) {
  Calendar calendar;
  QueuedFifoServer server(calendar);
  bool refused = false;
  Time departure{0};
  const auto wrong = [](QueuedFifoServer& asked, bool& caught) -> Process {
    try {
      co_await asked.use(Time{-1});
    } catch (const std::logic_error&) {
      caught = true;
    }
  };
  start(calendar, wrong(server, refused));
  start(calendar, submit(calendar, server, {5_ns, 3_ns}, departure));
  calendar.run();
  EXPECT_TRUE(refused);
  EXPECT_EQ(departure, 8_ns);
  EXPECT_EQ(server.jobs(), 1U);
  EXPECT_EQ(server.population().level(), 0);
}

}  // namespace
}  // namespace doorbell::core
