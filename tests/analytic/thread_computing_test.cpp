// What a thread computes beside its operations.
#include "analytic/thread_computing.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "models/fixture.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;

/// A client of so many threads, each of which halves the clock of one, with these steps around a SEND, and a sink.
model::Scenario client(std::vector<model::Step> loop, int threads = 1) {
  model::HardwareProfile hardware = model::connect_ib();
  hardware.cpu.turbo = {Rate{4e9}, Rate{2e9}};
  return model::scenario_of(hardware,
                            model::program(model::queue_pairs(model::Transport::ud), std::move(loop), threads),
                            model::program(model::queue_pairs(model::Transport::ud),
                                           {model::collect(model::Channel::completion_queue), model::answer(8)}));
}

const ProgramFlow& asking(const Flow& flow) {
  return *std::ranges::find_if(flow.programs(), [](const ProgramFlow& program) { return program.name == "client"; });
}

Computing around_the_post(const model::Scenario& scenario) {
  const Flow flow{scenario};
  return computing_around(asking(flow), asking(flow).posts.front());
}

const model::Step sending = model::post_window(model::Verb::send, 8, 1);
const model::Step awaiting = model::await(1);

TEST(ThreadComputing, ComesBeforeOrAfterTheEndOfAnOperation) {
  const Computing computing = around_the_post(client({sending, model::compute(10us), awaiting, model::compute(3us)}));
  EXPECT_EQ(computing.under_way, 10us);
  EXPECT_EQ(computing.after, 3us);
}

TEST(ThreadComputing, OfThePassBeforeComesAfterTheOperation) {
  const Computing computing = around_the_post(client({model::compute(20us), awaiting, sending}));
  EXPECT_EQ(computing.under_way, 20us);
  EXPECT_EQ(computing.after, 0us);
}

TEST(ThreadComputing, PerItemOnlyBehindTheAwaitThatTakesSomething) {
  const Computing before = around_the_post(client({sending, model::compute(0us, 20us), awaiting}));
  EXPECT_EQ(before.under_way + before.after, 0us);
  const Computing behind =
      around_the_post(client({sending, awaiting, model::compute(0us, 2us), awaiting, model::compute(0us, 20us)}));
  EXPECT_EQ(behind.after, 2us);
}

TEST(ThreadComputing, TakesAsLongAsTheClockMakesIt) {
  const model::Scenario scenario = client({sending, awaiting, model::compute(3us)}, 2);
  EXPECT_EQ(around_the_post(scenario).after, 6us);
  const Flow flow{scenario};
  EXPECT_EQ(computed_between(asking(flow)), 6us);
}

TEST(ThreadComputing, WhoStartsNothingComputesNothingBetween) {
  model::Scenario scenario = client({sending, awaiting});
  model::PostStep relay = model::post(model::Verb::write, 8);
  relay.to = "behind";
  relay.queue_pairs = "relays";
  relay.relay = model::Relay{};
  model::Program& server = model::named(scenario.programs, "server");
  server.queue_pairs.emplace_back("relays", model::queue_pairs(model::Transport::rc, 1));
  server.loop.insert(server.loop.begin() + 1, relay);
  server.loop.emplace_back(model::compute(5us));
  scenario.machines.emplace_back("behind", model::MachineGroup{"test", model::connect_ib(), 1});
  scenario.programs.emplace_back("behind", model::sink());
  scenario.programs.back().second.machine = "behind";
  const Flow flow{scenario};
  for (const ProgramFlow& program : flow.programs()) EXPECT_EQ(computed_between(program), 0us) << program.name;
}

}  // namespace
}  // namespace doorbell::analytic
