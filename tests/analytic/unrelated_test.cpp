#include "analytic/unrelated.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analytic/analysis.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::model;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

PostStep read_from(const std::string& program, int window) {
  PostStep step = post_window(Verb::read, 8, window);
  step.to = program;
  return step;
}

/// "client" reads from "server"; "flood", of so many threads on the same machine, from "store" on another one.
Scenario two_readers(int threads) {
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {read_from("server", 16), await(1)}, 2), sink());
  scenario.machines.emplace_back("others", MachineGroup{"test", connect_ib(), 2});
  scenario.programs.emplace_back("store", on("others", sink()));
  scenario.programs.emplace_back(
      "flood", on("client", program(queue_pairs(Transport::rc, 4), {read_from("store", 32), await(1)}, threads)));
  scenario.measure.warmup = std::chrono::microseconds{100};
  scenario.measure.duration = std::chrono::microseconds{500};
  return scenario;
}

const auto about_flood = HasSubstr("what flood takes of the NIC, ports and PCI Express of client");

TEST(Unrelated, AreThoseThatShareNoWorkWithTheMeasuredOne) {
  Scenario scenario = two_readers(8);
  EXPECT_THAT(related_to_measured(scenario), ElementsAre("client"));
  auto& flood = std::get<PostStep>(named(scenario.programs, "flood").loop.front());
  flood.to = "server";
  EXPECT_THAT(related_to_measured(scenario), ElementsAre("client")) << "both only read";
  named(scenario.programs, "server").loop = {collect(Channel::completion_queue), answer(8)};
  flood.verb = Verb::send;
  EXPECT_THAT(related_to_measured(scenario), ElementsAre("client")) << "one of them still only reads";
  std::get<PostStep>(named(scenario.programs, "client").loop.front()).verb = Verb::send;
  EXPECT_THAT(related_to_measured(scenario), ElementsAre("client", "flood", "server"));
  scenario.measure.program = "server";
  EXPECT_THAT(related_to_measured(scenario), ElementsAre("client", "flood", "server"));
}

TEST(Unrelated, NoRunPassesTheBoundOfWhoReadsWhereOthersWaitForALock) {
  Scenario scenario = two_readers(4);
  PostStep add = post_window(Verb::fetch_add, 8, 32);
  add.region = Region{.count = 1, .stride = Bytes{8}};
  named(scenario.programs, "flood").loop.front() = add;
  EXPECT_LE(run(scenario).throughput.per_second, 1.01 * analyze(scenario).throughput.per_second);
}

TEST(Unrelated, TheBoundIsThatOfTheMeasuredProgramAloneWhateverOthersDo) {
  const Analysis few = analyze(two_readers(1));
  const Analysis many = analyze(two_readers(8));
  EXPECT_TRUE(many.assumed_shares.empty());
  EXPECT_THAT(many.left_out, Contains(about_flood));
  for (const Bound& bound : many.bounds) EXPECT_THAT(bound.resource, Not(HasSubstr("flood")));
  // More threads on the machine lower its clock, and nothing else.
  EXPECT_LE(many.throughput.per_second, few.throughput.per_second);
  EXPECT_GT(many.throughput.per_second, 0.8 * few.throughput.per_second);
}

TEST(Unrelated, NoRunPassesTheBound) {
  for (const int threads : {1, 4, 8}) {
    for (const char* measured : {"client", "flood"}) {
      Scenario scenario = two_readers(threads);
      scenario.measure.program = measured;
      EXPECT_LE(run(scenario).throughput.per_second, 1.01 * analyze(scenario).throughput.per_second)
          << measured << " beside " << threads;
    }
  }
}

TEST(Unrelated, SayNothingOfThoseThatShareNoMachine) {
  Scenario scenario = two_readers(8);
  scenario.machines.emplace_back("apart", named(scenario.machines, "client"));
  named(scenario.programs, "flood").machine = "apart";
  EXPECT_THAT(analyze(scenario).left_out, Not(Contains(about_flood)));
  EXPECT_THAT(analyze(scenario).left_out, Not(Contains(HasSubstr("what flood takes"))));
}

}  // namespace
}  // namespace doorbell::analytic
