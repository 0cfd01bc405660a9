#include "models/programs/nic_tables.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

/// Three machines of four threads with five queue pairs each READ from one server.
Scenario readers(Transport transport) {
  PostStep step = post_window(transport == Transport::rc ? Verb::read : Verb::send, 8, 4);
  step.region = region(10, 1 << 20);
  step.region->page = Bytes{4096};
  return scenario_of(connect_ib(), program(queue_pairs(transport, 5), {step, await(1)}, 4), sink(), 3);
}

TEST(NicTables, BothEndsOfAConnectionHaveAContext) {
  const auto contexts = contexts_by_machine(readers(Transport::rc));
  EXPECT_EQ(contexts.at("client"), 20);
  EXPECT_EQ(contexts.at("server"), 60 + 1) << "and the sink's own";
}

TEST(NicTables, DatagramsNeedNoContextsOfTheirSenders) {
  EXPECT_EQ(contexts_by_machine(readers(Transport::ud)).at("server"), 1);
}

TEST(NicTables, NobodyNeedsContextsForWhatIsNotAcknowledged) {
  EXPECT_EQ(contexts_by_machine(readers(Transport::uc)).at("client"), 20);
  EXPECT_EQ(contexts_by_machine(readers(Transport::uc)).at("server"), 1);
}

TEST(NicTables, QueuePairsOnAllPortsCountOnEach) {
  Scenario scenario = readers(Transport::rc);
  scenario.programs.back().second.queue_pairs.front().second.ports = PortUse::all;
  hardware_of(scenario, "client").port.ports = 2;
  EXPECT_EQ(contexts_by_machine(scenario).at("client"), 40);
}

TEST(NicTables, TheLargestRegionCounts) {
  Scenario scenario = readers(Transport::rc);
  EXPECT_EQ(translations_by_machine(scenario).at("server"), 2560);
  auto& step = std::get<PostStep>(scenario.programs.back().second.loop.front());
  step.mix = {{.share = 0.5, .verb = Verb::read, .payload = Bytes{8}, .region = region(3000, 4096)}};
  step.mix.front().region->page = Bytes{4096};
  EXPECT_EQ(translations_by_machine(scenario).at("server"), 3000);
  EXPECT_FALSE(translations_by_machine(scenario).contains("client"));
}

}  // namespace
}  // namespace doorbell::model
