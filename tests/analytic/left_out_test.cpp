#include "analytic/left_out.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "analytic/analysis.hpp"
#include "models/fixture.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

TEST(LeftOut, ReadsUnderWayThatDoNotFitTheNic) {
  const auto left_out = [](int window, double share) {
    model::PostStep step = model::post_window(model::Verb::write, 8, window);
    step.signal_every = 1;
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
  const auto left_out = [](model::Transport transport, int depth, int shared_queues = 0, bool answers_first = false) {
    model::QueuePairs recvs = model::queue_pairs(transport);
    recvs.depth = depth;
    auto server = model::program(
        recvs, {model::collect(model::Channel::completion_queue), model::replenish(), model::answer(8)}, 2);
    const auto client = model::program(model::queue_pairs(transport),
                                       {model::post_window(model::Verb::send, 8, 16), model::await(1)}, 4);
    server.completion.shared_queues = shared_queues;
    if (answers_first) std::swap(server.loop[1], server.loop[2]);
    std::vector<std::string> notes = analyze(model::scenario_of(model::connect_ib(), client, server, 3)).left_out;
    std::erase_if(notes, [](const std::string& note) { return note.find("locks of server's queues") == 0; });
    return notes;
  };
  EXPECT_TRUE(left_out(model::Transport::rc, 8).empty()) << "a window of 16 on two ports";
  ASSERT_EQ(left_out(model::Transport::rc, 7).size(), 1U);
  EXPECT_EQ(left_out(model::Transport::rc, 7).front(), "requests that find no RECV: server has 7 for each connection");
  EXPECT_EQ(left_out(model::Transport::rc, 8, 0, true).size(), 1U) << "a request may come before its RECV";
  EXPECT_TRUE(left_out(model::Transport::rc, 9, 0, true).empty());
  EXPECT_TRUE(left_out(model::Transport::rc, 8, 1).empty())
      << "two threads with 12 queue pairs, and 3 machines of 4 threads with 16 each";
  ASSERT_EQ(left_out(model::Transport::rc, 7, 1).size(), 1U);
  EXPECT_EQ(left_out(model::Transport::rc, 7, 1).front(), "requests that find no RECV: server has 168");
  EXPECT_TRUE(left_out(model::Transport::ud, 1).empty()) << "lost, not refused";
}

TEST(LeftOut, LocksThatACoreTakesSeveralTimesInARow) {
  const auto tells = [](int shared_queues) {
    auto server = model::program(model::queue_pairs(model::Transport::ud),
                                 {model::collect(model::Channel::completion_queue), model::answer(8)}, 2);
    server.completion.shared_queues = shared_queues;
    const auto client = model::program(model::queue_pairs(model::Transport::ud),
                                       {model::post_window(model::Verb::send, 8, 16), model::await(1)});
    const std::vector<std::string> notes = analyze(model::scenario_of(model::connect_ib(), client, server)).left_out;
    return std::ranges::any_of(notes,
                               [](const std::string& note) { return note.find("locks of server's queues") == 0; });
  };
  EXPECT_TRUE(tells(1));
  EXPECT_FALSE(tells(0));
  EXPECT_FALSE(tells(2)) << "each thread has a queue of its own";
}

TEST(LeftOut, PausesOfQueuePairs) {
  const auto left_out = [](model::Transport transport, model::Verb verb, int window, Time turnaround, int taken = 1,
                           int answered = 16) {
    model::HardwareProfile hardware = model::connect_ib();
    hardware.nic.turnaround = turnaround;
    model::PostStep step = model::post_window(verb, 8, window);
    step.signal_every = taken;
    const auto program = model::program(model::queue_pairs(transport), {step, model::await(taken)});
    model::Scenario scenario = model::scenario_of(hardware, program, model::sink());
    model::hardware_of(scenario, "server").nic.max_outstanding_reads = answered;
    return analyze(scenario).left_out;
  };
  using model::Transport, model::Verb;
  const Time some = std::chrono::nanoseconds{600};
  EXPECT_TRUE(left_out(Transport::rc, Verb::write, 8, Time{0}).empty());
  EXPECT_TRUE(left_out(Transport::uc, Verb::write, 8, some).empty());
  EXPECT_TRUE(left_out(Transport::rc, Verb::read, 1, some).empty()) << "READs await responses";
  ASSERT_EQ(left_out(Transport::rc, Verb::write, 8, some).size(), 1U);
  EXPECT_EQ(left_out(Transport::rc, Verb::write, 8, some).front(),
            "rests of queue pairs of client that have sent their last WQE");
  EXPECT_TRUE(left_out(Transport::rc, Verb::fetch_add, 2, Time{0}).empty()) << "only READs go out in rounds";
  ASSERT_EQ(left_out(Transport::rc, Verb::read, 2, Time{0}).size(), 1U);
  EXPECT_EQ(left_out(Transport::rc, Verb::read, 2, Time{0}).front(),
            "READs of client that wait: an idle queue pair sends few at first");
  EXPECT_TRUE(left_out(Transport::rc, Verb::read, 17, Time{0}).empty()) << "some are always under way";
  EXPECT_TRUE(left_out(Transport::rc, Verb::read, 5, Time{0}, 1, 4).empty()) << "likewise, as the responder allows 4";
  EXPECT_EQ(left_out(Transport::rc, Verb::read, 17, Time{0}, 17).size(), 1U) << "none between two windows";
}

TEST(LeftOut, ContextsAndPopularPagesThatDoNotFitTheNic) {
  const auto left_out = [](int pairs, double skew) {
    model::PostStep step = model::post_window(model::Verb::read, 8, 1);
    step.region = model::region(101, 4096, model::AddressPattern::random);
    step.region->page = Bytes{4096};
    step.region->skew = skew;
    model::HardwareProfile hardware = model::connect_ib();
    hardware.nic.qp_contexts = 41;
    hardware.nic.translations = 100;
    const auto program = model::program(model::queue_pairs(model::Transport::rc, pairs), {step, model::await(1)}, 4);
    return analyze(model::scenario_of(hardware, program, model::sink(), 2)).left_out;
  };
  EXPECT_TRUE(left_out(5, 0).empty());
  EXPECT_EQ(left_out(6, 0),
            (std::vector<std::string>{
                "contexts of queue pairs that the NIC of server reads again: it has 49, and keeps 41"}));
  EXPECT_EQ(left_out(5, 0.5), (std::vector<std::string>{"translations that the NIC of server fetches: some pages of "
                                                        "101 are more popular than others, and it keeps 100"}));
}

TEST(LeftOut, CoresThatKeepALine) {
  const auto left_out = [](bool per_item, int threads) {
    const auto server = model::program(
        model::queue_pairs(model::Transport::ud),
        {model::collect(model::Channel::completion_queue, 8), model::increment(per_item), model::answer(8)}, threads);
    const auto client = model::program(model::queue_pairs(model::Transport::ud),
                                       {model::post_window(model::Verb::send, 8, 16), model::await(1)}, 4);
    return analyze(model::scenario_of(model::connect_ib(), client, server, 3)).left_out;
  };
  EXPECT_TRUE(left_out(false, 4).empty());
  EXPECT_TRUE(left_out(true, 1).empty());
  EXPECT_EQ(
      left_out(true, 4),
      (std::vector<std::string>{"increments of counter by the core that has it already, which can make a run faster"}));
}

TEST(LeftOut, AtomicsBehindThoseForOtherLocks) {
  const auto left_out = [](std::int64_t counters, int engines) {
    model::PostStep step = model::post_atomic(counters, 8);
    step.window = 4;
    step.signal_every = 1;
    model::HardwareProfile hardware = model::connect_ib();
    hardware.atomics.engines = engines;
    const auto program = model::program(model::queue_pairs(model::Transport::rc), {step, model::await(1)}, 4);
    return analyze(model::scenario_of(hardware, program, model::sink())).left_out;
  };
  EXPECT_TRUE(left_out(1, 4).empty()) << "the lock is the limit";
  EXPECT_FALSE(left_out(2, 4).empty());
  EXPECT_FALSE(left_out(128, 4).empty());
  EXPECT_TRUE(left_out(129, 4).empty()) << "16 at a time hardly want the same";
  EXPECT_TRUE(left_out(64, 0).empty());
}

TEST(LeftOut, InterruptsOfProgramsThatSleep) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/rpc_server.json";
  const auto left_out = [&](const std::string& mode) {
    return analyze(scenario::load(file, {.sets = {"sweep=[]", "programs.server.completion.mode=" + mode}, .seed = {}})
                       .front()
                       .scenario)
        .left_out;
  };
  const std::string lists = "lists of server that are shorter than 16: they hold what has been collected meanwhile";
  const std::string interrupts = "interrupts of server: how often its threads sleep depends on what others do";
  EXPECT_THAT(left_out("busy"),
              ::testing::AllOf(::testing::Contains(lists), ::testing::Not(::testing::Contains(interrupts))));
  EXPECT_THAT(left_out("event"), ::testing::AllOf(::testing::Contains(lists), ::testing::Contains(interrupts)));
}

TEST(LeftOut, ListsAndRoundsOfAWindowThatIsRefilled) {
  const auto left_out = [](int batch, int signal_every, int at_least) {
    model::PostStep step = model::post_window(model::Verb::write, 8, 16);
    step.batch = batch;
    step.signal_every = signal_every;
    const auto program = model::program(model::queue_pairs(model::Transport::rc), {step, model::await(at_least)});
    return analyze(model::scenario_of(model::connect_ib(), program, model::sink())).left_out;
  };
  EXPECT_TRUE(left_out(1, 1, 1).empty());
  EXPECT_TRUE(left_out(8, 4, 0).empty()) << "whole windows are full lists, and their last WQE is signaled";
  EXPECT_EQ(left_out(8, 1, 1),
            (std::vector<std::string>{
                "lists of client that are shorter than 8: they hold what has been answered meanwhile"}));
  EXPECT_EQ(left_out(1, 4, 15),
            (std::vector<std::string>{"waits of client for the CQEs of rounds: one WQE in 4 is signaled"}));
}

}  // namespace
}  // namespace doorbell::analytic
