#include "core/processor_sharing.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/process.hpp"
#include "core/random.hpp"

namespace doorbell::core {
namespace {

using namespace std::chrono_literals;

Process job(Calendar& calendar, ProcessorSharing& server, Time work, std::vector<Time>& ends) {
  co_await server.use(work);
  ends.push_back(calendar.now());
}

TEST(ProcessorSharing, EqualJobsShareOneServer) {
  Calendar calendar;
  ProcessorSharing server{calendar, {1.0}};
  std::vector<Time> ends;
  start(calendar, job(calendar, server, 100ns, ends));
  start(calendar, job(calendar, server, 100ns, ends), 50ns);
  calendar.run();
  // Alone for 50 ns, together until the first has its other 50, then alone again.
  EXPECT_EQ(ends, (std::vector<Time>{150ns, 200ns}));
}

TEST(ProcessorSharing, JobsOnServersOfTheirOwnDoNotDisturbEachOther) {
  Calendar calendar;
  ProcessorSharing server{calendar, {1.0, 1.0}};
  std::vector<Time> ends;
  start(calendar, job(calendar, server, 100ns, ends));
  start(calendar, job(calendar, server, 70ns, ends));
  calendar.run();
  EXPECT_EQ(ends, (std::vector<Time>{70ns, 100ns}));
}

TEST(ProcessorSharing, ALoopThatPollsTakesItsShare) {
  Calendar calendar;
  ProcessorSharing server{calendar, {1.0}};
  std::vector<Time> ends;
  server.spin(1);
  start(calendar, job(calendar, server, 100ns, ends));
  calendar.run_until(1us);
  EXPECT_EQ(ends, (std::vector<Time>{200ns}));
  server.spin(-1);
  EXPECT_EQ(server.population().level(), 0);
}

TEST(ProcessorSharing, NoWorkTakesNoTime) {
  Calendar calendar;
  ProcessorSharing server{calendar, {1.0}};
  std::vector<Time> ends;
  start(calendar, job(calendar, server, 0ns, ends), 5ns);
  calendar.run();
  EXPECT_EQ(ends, (std::vector<Time>{5ns}));
}

Process source(Calendar& calendar, ProcessorSharing& server, RandomStream& random, Time between, Time mean,
               std::vector<Time>& ends) {
  for (;;) {
    co_await delay(calendar, random.exponential(between));
    start(calendar, job(calendar, server, random.exponential(mean), ends));
  }
}

// M/M/1-PS has the population of M/M/1: load / (1 - load) on average.
TEST(ProcessorSharing, HasThePopulationThatTheoryGives) {
  Calendar calendar;
  ProcessorSharing server{calendar, {1.0}};
  RandomStream random{7, "processor sharing"};
  std::vector<Time> ends;
  start(calendar, source(calendar, server, random, 1us, 600ns, ends));
  calendar.run_until(200ms);
  EXPECT_NEAR(server.population().mean(calendar.now()), 0.6 / 0.4, 0.06);
}

TEST(ProcessorSharing, TellsTheWorkGivenOfTheMostThereCouldBe) {
  // Two threads of one core: together they do a quarter more than one.
  Calendar calendar;
  ProcessorSharing server{calendar, {1.0, 0.625}};
  std::vector<Time> ends;
  start(calendar, job(calendar, server, 100ns, ends));
  calendar.run_until(200ns);
  EXPECT_NEAR(server.given_of_most(), 0.5 * 0.8, 1e-9) << "half of the time";
  server.spin(1);
  calendar.run_until(250ns);
  server.reset_statistics();
  calendar.run_until(350ns);
  EXPECT_NEAR(server.given_of_most(), 0.8, 1e-9);
  EXPECT_NEAR(server.population().mean(calendar.now()), 1, 1e-9);
  server.spin(2);
  calendar.run_until(450ns);
  EXPECT_NEAR(server.given_of_most(), 0.9, 1e-9);
}

}  // namespace
}  // namespace doorbell::core
