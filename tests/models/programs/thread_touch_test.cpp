// Programs whose memory does not hold all pages.
#include <gtest/gtest.h>

#include "models/counter.hpp"
#include "models/programs/thread.hpp"
#include "models/remote_server.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// A server that touches one of 4096 pages for each request; `resident` of them fit.
Scenario limited(double resident, int window = 4, int threads = 2, TouchStep step = {}) {
  Scenario scenario = remote_server(window, threads, step);
  ProgramMemory& memory = named(scenario.programs, "server").memory.emplace();
  memory.resident = resident;
  memory.pages = PageChoice{.touches = 1, .pages = 4096};
  scenario.measure.warmup = 5ms;
  scenario.measure.duration = 10ms;
  return scenario;
}

double faults(const RunResult& result) { return per_operation(result, "server/page faults of server"); }

TEST(ThreadTouch, PagesThatAreThereCostNothing) {
  const RunResult all = run(limited(1));
  EXPECT_EQ(faults(all), 0);
  Scenario without = limited(1);
  named(without.programs, "server").memory.reset();
  std::vector<Step>& loop = named(without.programs, "server").loop;
  loop.erase(loop.begin() + 1);
  const RunResult other = run(without);
  EXPECT_EQ(all.throughput.per_second, other.throughput.per_second);
  EXPECT_EQ(all.latency.p99, other.latency.p99);
}

TEST(ThreadTouch, UniformTouchesFaultAsOftenAsAPageIsAway) {
  for (const double resident : {0.25, 0.5, 0.75}) {
    const RunResult result = run(limited(resident));
    EXPECT_NEAR(faults(result), 1 - resident, 0.03) << resident;
    EXPECT_NEAR(per_operation(result, "server/RDMA reads"), faults(result), 0.01);
    EXPECT_EQ(counter(result, "server/RDMA writes").count, 0U);  // nothing is modified
  }
}

TEST(ThreadTouch, AThreadThatWaitsServesNobody) {
  // One request at a time by one thread: each fault adds its wait.
  Scenario scenario = limited(0.5, 1, 1);
  for (auto& [name, program] : scenario.programs) program.threads = 1;
  const RunResult half = run(scenario);
  named(scenario.programs, "server").memory->resident = 1;
  const RunResult whole = run(scenario);
  const double added = to_nanoseconds(half.latency.mean - whole.latency.mean) / faults(half);
  // Fault, block layer, posting and waking up around a READ of two round trips at the least.
  EXPECT_GT(added, 1000 + 1000 + 100 + 500 + 1000 + 2000);
  EXPECT_LT(added, 20'000);
  // Other threads go on meanwhile.
  EXPECT_GT(run(limited(0.5, 4, 8)).throughput.per_second, 3 * run(limited(0.5, 4, 1)).throughput.per_second);
  EXPECT_EQ(run(limited(0.5, 64, 2)).bottleneck.resource, "server/threads of server");
}

TEST(ThreadTouch, WhatAThreadDoesForItsPagesIsNoWait) {
  const auto waits = [](Time fault) {
    Scenario scenario = limited(0.5, 1, 1);
    named(scenario.machines, "server").software->memory.fault = fault;
    Simulation simulation{scenario};
    simulation.calendar().run_until(20ms);
    const ProgramPlan& server = simulation.program("server");
    const auto faulted = static_cast<double>(server.memories.front()->faults());
    return to_nanoseconds(server.statistics.without_page) / faulted;
  };
  EXPECT_GT(waits(1us), 2000);
  EXPECT_NEAR(waits(9us), waits(1us), 20);
}

TEST(ThreadTouch, WhatIsModifiedIsWrittenBeforeItLeaves) {
  Scenario scenario = limited(0.5);
  named(scenario.programs, "server").memory->pages->dirty = 1;
  named(scenario.programs, "server").memory->reclaim = 1;
  const RunResult result = run(scenario);
  EXPECT_NEAR(per_operation(result, "server/RDMA writes"), faults(result), 0.02);
}

TEST(ThreadTouch, OperationsArePerPassAndPerItem) {
  const double one = faults(run(limited(0.5, 1, 1)));
  EXPECT_NEAR(faults(run(limited(0.5, 1, 1, {.per_pass = 0, .per_item = 3}))) / one, 3, 0.1);
  Scenario scenario = limited(0.5, 1, 1, {.per_pass = 2, .per_item = 0});
  for (auto& [name, program] : scenario.programs) program.threads = 1;  // a request in each pass
  EXPECT_NEAR(faults(run(scenario)) / one, 2, 0.1);
}

TEST(ThreadTouch, MachinesHaveMemoriesOfTheirOwn) {
  Scenario scenario = limited(0.5);
  named(scenario.machines, "server").count = 2;
  EXPECT_NEAR(faults(run(connected(scenario))), 0.5, 0.03);
}

TEST(ThreadTouch, StoresAreFilledFirst) {
  Scenario scenario = limited(0.5);
  ProgramMemory& memory = *named(scenario.programs, "server").memory;
  memory.pages.reset();
  memory.records = RecordChoice{.records = 16384, .size = 1_KiB, .skew = 0.99, .updates = 0.1};
  const RunResult result = run(scenario);
  EXPECT_GT(faults(result), 0.02);
  EXPECT_LT(faults(result), 0.5);  // what is popular stays
  EXPECT_GT(counter(result, "server/RDMA writes").count, 0U);
}

}  // namespace
}  // namespace doorbell::model
