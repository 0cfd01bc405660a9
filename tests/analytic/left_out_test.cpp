#include "analytic/left_out.hpp"

#include <gtest/gtest.h>

#include <string>

#include "analytic/analysis.hpp"
#include "models/fixture.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

TEST(LeftOut, ReadsUnderWayThatDoNotFitTheNic) {
  const auto left_out = [](int window, double share) {
    model::PostStep step = model::post_window(model::Verb::write, 8, window);
    step.mix = {{.share = share, .verb = model::Verb::read, .payload = Bytes{8}, .region = std::nullopt}};
    model::HardwareProfile hardware = model::connect_ib();
    hardware.nic.wqe_cache = 100;
    const auto program = model::program(model::queue_pairs(model::Transport::rc), {step, model::await(1)}, 4);
    return analyze(model::scenario_of(hardware, program, model::sink(4), 3)).left_out;
  };
  EXPECT_TRUE(left_out(25, 1).empty());
  ASSERT_EQ(left_out(26, 1).size(), 1U);
  EXPECT_EQ(left_out(26, 1).front(),
            "WQEs that the NIC of client reads again: 104 READs and atomics may be under way, and it keeps 100");
  EXPECT_TRUE(left_out(50, 0.5).empty());
  EXPECT_FALSE(left_out(52, 0.5).empty());
  EXPECT_TRUE(left_out(128, 0).empty());
}

TEST(LeftOut, RequestsThatFindNoRecv) {
  const auto left_out = [](model::Transport transport, int depth) {
    model::QueuePairs recvs = model::queue_pairs(transport);
    recvs.depth = depth;
    const auto server = model::program(
        recvs, {model::collect(model::Channel::completion_queue), model::replenish(), model::answer(8)}, 2);
    const auto client = model::program(model::queue_pairs(transport),
                                       {model::post_window(model::Verb::send, 8, 16), model::await(1)}, 4);
    return analyze(model::scenario_of(model::connect_ib(), client, server, 3)).left_out;
  };
  EXPECT_TRUE(left_out(model::Transport::rc, 96).empty()) << "two threads, and 3 machines of 4 threads with 16 each";
  ASSERT_EQ(left_out(model::Transport::rc, 95).size(), 1U);
  EXPECT_EQ(left_out(model::Transport::rc, 95).front(), "requests that find no RECV: server has 190");
  EXPECT_TRUE(left_out(model::Transport::ud, 1).empty()) << "lost, not refused";
}

TEST(LeftOut, InterruptsOfProgramsThatSleep) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/rpc_server.json";
  const auto left_out = [&](const std::string& mode) {
    return analyze(scenario::load(file, {.sets = {"sweep=[]", "programs.server.completion.mode=" + mode}, .seed = {}})
                       .front()
                       .scenario)
        .left_out;
  };
  EXPECT_TRUE(left_out("busy").empty());
  ASSERT_EQ(left_out("event").size(), 1U);
  EXPECT_EQ(left_out("event").front(), "interrupts of server: how often its threads sleep depends on what others do");
}

}  // namespace
}  // namespace doorbell::analytic
