#include "models/programs/related_programs.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "models/fixture.hpp"
#include "models/remote_server.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;
using testing::ElementsAre;

std::vector<std::string> names_of(const std::vector<const ProgramPlan*>& programs) {
  std::vector<std::string> names;
  for (const ProgramPlan* plan : programs) names.push_back(plan->name);
  return names;
}

PostStep read_of(const std::string& program) {
  PostStep step = post_window(Verb::read, 8, 1);
  step.to = program;
  return step;
}

/// "client" READs from "server", as does "second"; "apart" READs from "lent".
Scenario two_groups() {
  const Program reader = program(queue_pairs(Transport::rc), {read_of("server"), await(1)});
  Scenario scenario = scenario_of(connect_ib(), reader, sink());
  for (const char* machine : {"other", "lender"})
    scenario.machines.emplace_back(machine, named(scenario.machines, "client"));
  scenario.programs.emplace_back("second", on("client", reader));
  scenario.programs.emplace_back("apart",
                                 on("other", program(queue_pairs(Transport::rc), {read_of("lent"), await(1)})));
  scenario.programs.emplace_back("lent", on("lender", sink()));
  return scenario;
}

TEST(RelatedPrograms, AreThoseThatWorkForOneAnother) {
  const Scenario scenario = two_groups();
  Simulation simulation{scenario};
  const ProgramPlan& client = simulation.program("client");
  const ProgramPlan& server = simulation.program("server");
  EXPECT_EQ(posts_to(client, server).size(), 1U);
  EXPECT_TRUE(asks(client, server));
  EXPECT_FALSE(asks(server, client));
  EXPECT_THAT(names_of(related_to(client, simulation)), ElementsAre("client")) << "READs ask no thread";
  EXPECT_THAT(names_of(asked_for(client, simulation)), ElementsAre("client", "server"));
  EXPECT_THAT(names_of(asked_for(server, simulation)), ElementsAre("server"));
  EXPECT_THAT(names_of(related_to(simulation.program("lent"), simulation)), ElementsAre("lent"));
}

TEST(RelatedPrograms, AreFoundInBothDirections) {
  Scenario scenario = two_groups();
  named(scenario.programs, "server") =
      on("server", program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), answer(8)}));
  const auto send = [&](const std::string& name) {
    PostStep request = post(Verb::send, 8);
    request.to = "server";
    named(scenario.programs, name) = on("client", program(queue_pairs(Transport::ud), {request, await(1)}));
  };
  send("client");
  {
    Simulation simulation{scenario};
    EXPECT_THAT(names_of(related_to(simulation.program("client"), simulation)), ElementsAre("client", "server"));
    EXPECT_THAT(names_of(related_to(simulation.program("second"), simulation)), ElementsAre("second"));
  }
  send("second");
  Simulation simulation{scenario};
  EXPECT_THAT(names_of(related_to(simulation.program("client"), simulation)),
              ElementsAre("client", "server", "second"));
}

TEST(RelatedPrograms, LocksOfAtomicsLimitOnlyWhoSendsAtomics) {
  const auto limited = [](const std::string& measured) {
    PostStep add = post_window(Verb::fetch_add, 8, 16);
    add.region = Region{.count = 1, .stride = 8_B};
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {add, await(1)}, 4), sink());
    scenario.programs.emplace_back(
        "reader", on("client", program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 1), await(1)})));
    scenario.measure.program = measured;
    return run(scenario).bottleneck.resource;
  };
  EXPECT_EQ(limited("client"), "server/atomic locks");
  EXPECT_EQ(limited("reader"), "client/window of reader");
}

TEST(RelatedPrograms, SendWhatTheyPostAndWhatComesBack) {
  const auto both_ways = [](Transport transport, Program server) {
    PostStep send = post(Verb::send, 8);
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(transport), {send}), std::move(server));
    scenario.machines.emplace_back("bystander", named(scenario.machines, "client"));
    scenario.programs.emplace_back("bystander", on("bystander", sink()));
    Simulation simulation{scenario};
    const ProgramPlan& client = simulation.program("client");
    EXPECT_TRUE(sends_to(client, simulation.program("server")));
    EXPECT_FALSE(sends_to(client, client));
    const MachineSet& bystander = simulation.machine_set("bystander");
    EXPECT_FALSE(any_sends(simulation.machine_set("client"), bystander, simulation));
    EXPECT_FALSE(any_sends(bystander, simulation.machine_set("client"), simulation));
    const bool back = any_sends(simulation.machine_set("server"), simulation.machine_set("client"), simulation);
    EXPECT_EQ(back, sends_to(simulation.program("server"), client));
    return back;
  };
  EXPECT_FALSE(both_ways(Transport::ud, sink()));
  EXPECT_TRUE(both_ways(Transport::rc, sink())) << "ACKs";
  EXPECT_TRUE(
      both_ways(Transport::ud, program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), answer(8)})));
}

TEST(RelatedPrograms, UseTheMachinesOnWhichTheyRun) {
  const Scenario scenario = two_groups();
  Simulation simulation{scenario};
  const auto used = [&](const std::string& program) {
    std::vector<std::string> machines;
    const auto programs = related_to(simulation.program(program), simulation);
    for (const MachineSet& set : simulation.machines()) {
      if (any_uses(programs, set, simulation)) machines.push_back(set.name);
    }
    return machines;
  };
  EXPECT_THAT(used("client"), ElementsAre("server", "client"));
  EXPECT_THAT(used("apart"), ElementsAre("other", "lender"));
}

TEST(RelatedPrograms, UseTheMemoryThatOthersLendToTheirMachines) {
  AccessStep access;
  access.device = AccessedDevice::remote;
  access.size = 4_KiB;
  Scenario scenario = remote_server(1, 1, access);
  scenario.machines.emplace_back("bystander", named(scenario.machines, "client"));
  Simulation simulation{scenario};
  const auto programs = related_to(simulation.program("server"), simulation);
  for (const MachineSet& set : simulation.machines())
    EXPECT_EQ(any_uses(programs, set, simulation), set.name != "bystander") << set.name;
  const MachineSet& borrower = simulation.machine_set("server");
  for (const MachineSet& set : simulation.machines()) {
    const bool lends = set.name == borrower.group->remote_device->peers;
    EXPECT_TRUE(!lends || any_sends(borrower, set, simulation));
    EXPECT_TRUE(!lends || any_sends(set, borrower, simulation));
    EXPECT_FALSE(set.name == "bystander" && any_sends(borrower, set, simulation));
  }
}

TEST(RelatedPrograms, MachinesAndServersOfOthersDoNotLimit) {
  const Program reader = program(queue_pairs(Transport::rc), {post_window(Verb::read, 8, 1), await(1)});
  Scenario alone = scenario_of(connect_ib(), reader, sink());
  Scenario scenario = alone;
  for (const char* machine : {"other client", "other server"})
    scenario.machines.emplace_back(machine, scenario.machines.front().second);
  PostStep flood = post_window(Verb::write, 4096, 64);
  flood.to = "other sink";
  scenario.programs.emplace_back("flood", on("other client", program(queue_pairs(Transport::rc), {flood, await(1)})));
  scenario.programs.emplace_back("other sink", on("other server", sink()));
  const RunResult result = run(scenario);
  EXPECT_EQ(result.utilisations.front().resource.substr(0, 6), "other ");
  EXPECT_EQ(result.bottleneck.resource, "client/window of client");
  EXPECT_DOUBLE_EQ(result.throughput.per_second, run(alone).throughput.per_second);
  scenario.measure.program = "flood";
  EXPECT_EQ(run(scenario).bottleneck.resource.substr(0, 6), "other ");
}

}  // namespace
}  // namespace doorbell::model
