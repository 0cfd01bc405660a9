#include "models/programs/request_slots.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// Eight threads on two machines, and a service that looks at slots for `per_slot` each.
Scenario service_written_to(PostStep step, int threads = 1, Time per_slot = 100ns, bool by_cqe = false) {
  CollectStep sweep = collect(Channel::memory, 8);
  sweep.per_slot = per_slot;
  std::vector<Step> loop{sweep, answer(8)};
  if (by_cqe) loop.insert(loop.begin(), collect(Channel::completion_queue, 8));
  return scenario_of(connect_ib(), program(queue_pairs(Transport::uc), {std::move(step), await(1)}, 4),
                     program(queue_pairs(Transport::ud), std::move(loop), threads), 2);
}

PostStep write_to(Destination destination) {
  PostStep step = post_window(Verb::write, 8, 1);
  step.destination = destination;
  return step;
}

std::size_t slots(const Scenario& scenario) { return slots_of("server", scenario.programs, scenario.machines).threads; }

Program reader(int threads) {
  PostStep read = post_window(Verb::read, 8, 1);
  read.arrivals = Arrivals{Rate{1}};
  return on("reader", program(queue_pairs(Transport::rc), {read, await(1)}, threads));
}

TEST(RequestSlots, AreThoseOfTheThreadsThatMayWrite) {
  EXPECT_EQ(slots(service_written_to(write_to(Destination::round_robin), 4)), 8U);
  EXPECT_EQ(slots(service_written_to(write_to(Destination::random), 4)), 8U);
  EXPECT_EQ(slots(service_written_to(write_to(Destination::fixed), 4)), 2U);
  EXPECT_EQ(slots(service_written_to(write_to(Destination::fixed), 3)), 3U);
}

TEST(RequestSlots, WhatIsNotSeenThereHasNone) {
  Scenario scenario = service_written_to(write_to(Destination::round_robin));
  scenario.machines.emplace_back("reader", MachineGroup{"test", connect_ib(), 3});
  scenario.programs.emplace_back("reader", reader(8));
  EXPECT_EQ(slots(scenario), 8U);
  PostStep immediate = write_to(Destination::round_robin);
  immediate.immediate = true;
  EXPECT_EQ(slots(service_written_to(immediate)), 8U);
  EXPECT_EQ(slots(service_written_to(immediate, 1, 100ns, true)), 0U) << "its CQE is seen";
  PostStep mixed = post_window(Verb::read, 8, 1);
  mixed.mix = {{.share = 0.1, .verb = Verb::write, .payload = Bytes{8}, .region = {}}};
  EXPECT_EQ(slots(service_written_to(mixed)), 8U);
}

TEST(RequestSlots, ThreadsThatWriteInTwoWaysMayWriteAnywhere) {
  Scenario scenario = service_written_to(write_to(Destination::fixed), 4);
  auto& loop = named(scenario.programs, "client").loop;
  loop.insert(loop.begin(), write_to(Destination::random));
  EXPECT_EQ(slots(scenario), 8U);
}

TEST(RequestSlots, OfARelayAreThoseOfThreadsThatActOnTheSameThreadOfEachMachine) {
  Scenario scenario = service_written_to(write_to(Destination::random), 2);
  scenario.machines.front().second.count = 3;
  PostStep relay = post(Verb::write, 8);
  relay.relay = Relay{};
  named(scenario.programs, "client").loop = {collect(Channel::completion_queue), relay};
  EXPECT_EQ(slots(scenario), 8U) << "they write to both threads of a machine in turn";
  relay.destination = Destination::fixed;
  named(scenario.programs, "client").loop.back() = relay;
  EXPECT_EQ(slots(scenario), 4U);
}

TEST(RequestSlots, WhoOnlyReadsDoesNotMakeASweepLonger) {
  const auto latency = [](int readers) {
    Scenario scenario = service_written_to(write_to(Destination::fixed));
    scenario.machines.emplace_back("reader", MachineGroup{"test", connect_ib(), 3});
    if (readers > 0) scenario.programs.emplace_back("reader", reader(readers));
    return run(scenario).latency.mean;
  };
  EXPECT_EQ(latency(0), latency(8));
}

TEST(RequestSlots, FixedAskersMakeThreadsOfOneProgramSweepLikePrograms) {
  // Four threads with two askers each, or one of its own on each of four machines.
  const auto latency = [](int machines) {
    Scenario scenario = service_written_to(write_to(Destination::fixed), 4 / machines, 1us);
    scenario.machines.front().second.count = machines;
    return to_nanoseconds(run(scenario).latency.mean);
  };
  EXPECT_NEAR(latency(1) / latency(4), 1, 0.05);
}

}  // namespace
}  // namespace doorbell::model
