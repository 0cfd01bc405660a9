#include "analytic/flow.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "analytic/analysis.hpp"
#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;
using namespace std::chrono_literals;
using namespace doorbell::literals;

Program clients(int window, int batch, int threads = 1) {
  return program(queue_pairs(Transport::ud), {post_window(Verb::send, 8, window, batch), await(0)}, threads);
}

Program answering(int at_most) {
  return program(queue_pairs(Transport::ud),
                 {collect(Channel::completion_queue, at_most), replenish(), answer(8, at_most)});
}

TEST(Flow, EveryRequestIsAnsweredOnce) {
  const Scenario scenario = scenario_of(connect_ib(), clients(16, 4, 2), answering(8), 3);
  const Flow flow{scenario};
  const ProgramFlow& client = flow.programs()[flow.index_of("client")];
  const ProgramFlow& server = flow.programs()[flow.index_of("server")];
  ASSERT_EQ(client.posts.size(), 1U);
  ASSERT_EQ(server.posts.size(), 1U);
  EXPECT_DOUBLE_EQ(client.posts[0].work_requests, 1);
  EXPECT_DOUBLE_EQ(server.posts[0].work_requests, 1);
  EXPECT_EQ(server.posts[0].to, flow.index_of("client"));
  EXPECT_DOUBLE_EQ(server.operations, 1);
  EXPECT_DOUBLE_EQ(server.passes, 1.0 / 8) << "passes find all they can take";
  EXPECT_DOUBLE_EQ(client.outstanding.value(), 16 * 2 * 3);
  EXPECT_EQ(flow.sources(), (std::vector<std::size_t>{flow.index_of("client")}));
}

TEST(Flow, CountsForTheProgramThatIsMeasured) {
  Scenario scenario = scenario_of(connect_ib(), clients(16, 4), answering(8));
  scenario.measure.program = "server";
  const Flow flow{scenario};
  EXPECT_DOUBLE_EQ(flow.programs()[flow.index_of("server")].operations, 1);
  EXPECT_DOUBLE_EQ(flow.programs()[flow.index_of("client")].posts[0].work_requests, 1);
}

TEST(Flow, ARequestOfTheApplicationMayTakeSeveralOperations) {
  Scenario scenario = scenario_of(connect_ib(), clients(16, 4), answering(8));
  scenario.measure.operations_per_request = 5;
  const Flow flow{scenario};
  const ProgramFlow& server = flow.programs()[flow.index_of("server")];
  EXPECT_DOUBLE_EQ(flow.programs()[flow.index_of("client")].operations, 5);
  EXPECT_DOUBLE_EQ(server.operations, 5);
  EXPECT_DOUBLE_EQ(server.posts[0].work_requests, 5);
  EXPECT_DOUBLE_EQ(server.passes, 5.0 / 8);
}

TEST(Flow, WhatIsInFlightIsLimitedWhereAsMuchIsAwaitedAsIsPosted) {
  const auto outstanding = [](std::vector<Step> loop) {
    const Scenario scenario =
        scenario_of(connect_ib(), program(queue_pairs(Transport::uc), std::move(loop), 2), sink(), 3);
    const Flow flow{scenario};
    return flow.programs()[flow.index_of("client")].outstanding;
  };
  EXPECT_EQ(outstanding({post(Verb::write, 8, 4), await(4)}), 4.0 * 2 * 3);
  EXPECT_FALSE(outstanding({post(Verb::write, 8, 4), await(3)}));
  EXPECT_FALSE(outstanding({post(Verb::write, 8, 4)}));
}

TEST(Flow, WhatHasLeftItsDataIsAcknowledgedIfAnswersSaySo) {
  PostStep asking = post_window(Verb::send, 8, 16);
  asking.mix = {{.share = 0.25, .verb = Verb::send, .payload = 4_KiB, .region = {}}};
  ComputeStep keeping;
  keeping.keep = {.carrying = 4_KiB};
  const auto answers = [&](const Step& storing, std::optional<Bytes> acknowledgement) {
    PostStep step = answer(4096, 8);
    step.acknowledgement = acknowledgement;
    const Scenario scenario =
        scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {asking, await(0)}),
                    program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), storing, step}));
    const Flow flow{scenario};
    std::vector<std::pair<Bytes, double>> found;
    for (const PostFlow& post : flow.programs()[flow.index_of("server")].posts)
      found.emplace_back(post.step->payload, post.work_requests);
    return found;
  };
  using Shares = std::vector<std::pair<Bytes, double>>;
  for (const Step& storing : {Step{AccessStep{.size = 4_KiB, .operation = AccessKind::carried}}, Step{keeping}}) {
    EXPECT_EQ(answers(storing, std::nullopt), (Shares{{4_KiB, 1.0}}));
    EXPECT_EQ(answers(storing, 16_B), (Shares{{4_KiB, 0.75}, {16_B, 0.25}}));
  }
}

TEST(Flow, SourcesShareByWhatTheyKeepInFlight) {
  Scenario scenario = scenario_of(connect_ib(), clients(16, 4), answering(8));
  Program second = clients(48, 4);
  second.machine = "client";
  scenario.programs.emplace_back("second", second);
  const Flow flow{scenario};
  EXPECT_EQ(flow.sources().size(), 2U);
  EXPECT_DOUBLE_EQ(flow.programs()[flow.index_of("second")].posts[0].work_requests, 3);
  EXPECT_DOUBLE_EQ(flow.programs()[flow.index_of("server")].operations, 4);
}

TEST(Flow, MixesKeepTheirShares) {
  Scenario scenario = scenario_of(connect_ib(), clients(16, 4), answering(8));
  auto& step = std::get<PostStep>(scenario.programs.back().second.loop.front());
  step.mix = {{.share = 0.25, .verb = Verb::send, .payload = Bytes{256}, .region = {}}};
  const Flow flow{scenario};
  const ProgramFlow& client = flow.programs()[flow.index_of("client")];
  ASSERT_EQ(client.posts.size(), 2U);
  EXPECT_DOUBLE_EQ(client.posts[0].work_requests + client.posts[1].work_requests, 1);
  const auto& mixed = client.posts[client.posts[0].step->payload == Bytes{256} ? 0 : 1];
  EXPECT_DOUBLE_EQ(mixed.work_requests, 0.25);
}

TEST(Flow, WhatFollowsIsPartOfTheSameRequest) {
  const auto flow_of = [](int window, std::optional<Arrivals> arrivals) {
    PostStep gets = post_window(Verb::read, 32, window);
    gets.arrivals = arrivals;
    gets.then = {{.share = 0.5, .verb = Verb::read, .payload = 8_B}, {.share = 1, .verb = Verb::read, .payload = 64_B}};
    gets.mix = {{.share = 0.2,
                 .verb = Verb::fetch_add,
                 .payload = 8_B,
                 .region = {},
                 .then = {{.share = 1, .verb = Verb::write, .payload = 64_B}}}};
    return scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {gets, await(1)}), sink());
  };
  for (const auto& scenario : {flow_of(8, std::nullopt), flow_of(0, Arrivals{.rate = Rate{1e5}})}) {
    const Flow flow{scenario};
    const ProgramFlow& client = flow.programs()[flow.index_of("client")];
    const auto per_request = [&](Verb verb, Bytes payload) {
      double all = 0;
      for (const PostFlow& post : client.posts) {
        if (post.step->verb == verb && post.step->payload == payload) all += post.work_requests;
      }
      return all;
    };
    EXPECT_DOUBLE_EQ(client.operations, 1);
    EXPECT_NEAR(per_request(Verb::read, 32_B), 0.8, 1e-9);
    EXPECT_NEAR(per_request(Verb::read, 8_B), 0.4, 1e-9);
    EXPECT_NEAR(per_request(Verb::read, 64_B), 0.8, 1e-9);
    EXPECT_NEAR(per_request(Verb::fetch_add, 8_B), 0.2, 1e-9);
    EXPECT_NEAR(per_request(Verb::write, 64_B), 0.2, 1e-9);
    if (client.arrivals) {
      EXPECT_NEAR(analyze(scenario).throughput.per_second, 1e5, 1);
    }
  }
}

TEST(Flow, AnswersInBatchesAreListsPerPort) {
  const auto batch = [](int threads, PortUse ports = PortUse::all) {
    Program server = answering(8);
    server.queue_pairs.front().second.ports = ports;
    const Scenario scenario = scenario_of(connect_ib(), clients(16, 4, threads), std::move(server));
    const Flow flow{scenario};
    return flow.programs()[flow.index_of("server")].posts.front().batch;
  };
  EXPECT_EQ(batch(1), 8);
  EXPECT_EQ(batch(2), 4) << "half of the requests come by each port";
  EXPECT_EQ(batch(2, PortUse::own), 8) << "SENDs come by the port of the queue pair that takes them";
}

TEST(Flow, ASweepFindsOneRequestOfEachThreadThatSendsToIt) {
  const Program senders = program(queue_pairs(Transport::uc), {post_window(Verb::write, 8, 16), await(0)}, 8);
  const auto items = [&](Destination destination) {
    Scenario scenario = scenario_of(connect_ib(), senders,
                                    program(queue_pairs(Transport::ud), {collect(Channel::memory, 16), answer(8)}, 4));
    std::get<PostStep>(scenario.programs.back().second.loop.front()).destination = destination;
    const Flow flow{scenario};
    return flow.programs()[flow.index_of("server")].items;
  };
  EXPECT_EQ(items(Destination::fixed), 2) << "eight to four";
  EXPECT_EQ(items(Destination::random), 8);
}

/// A client that waits for nothing, and a server that takes `work` for what it sends.
Scenario flood(Transport transport, Verb verb, Time work, bool replenishes) {
  const Channel via = verb == Verb::write ? Channel::memory : Channel::completion_queue;
  std::vector<Step> serving{model::collect(via, 16), model::compute(Time{0}, work)};
  if (replenishes) serving.emplace_back(model::replenish());
  serving.emplace_back(answer(8, 16));
  return scenario_of(connect_ib(), program(queue_pairs(transport), {post(verb, 32)}, 8),
                     program(queue_pairs(Transport::ud), serving, 2), 4);
}

TEST(Flow, WhoWaitsForNothingIsNotHeldUpByWhatReceiversDo) {
  for (const Transport transport : {Transport::rc, Transport::uc, Transport::ud}) {
    for (const Verb verb : {Verb::send, Verb::write}) {
      if (transport == Transport::ud && verb == Verb::write) continue;
      const Scenario slow = flood(transport, verb, 500ns, false);
      const Analysis bound = analyze(slow);
      const double rate = model::run(slow).throughput.millions();
      EXPECT_LE(rate, bound.throughput.millions() * 1.01);
      EXPECT_GE(rate, bound.throughput.millions() * 0.75);
      EXPECT_EQ(bound.throughput, analyze(flood(transport, verb, 10ns, false)).throughput);
      ASSERT_EQ(bound.left_out.size(), 1U);
      EXPECT_EQ(bound.left_out.front(), "what receivers do with the requests of client, which waits for no answers");
    }
  }
}

TEST(Flow, WhoseRequestsAreRefusedWithoutRecvIsHeldUp) {
  const auto bound = [](Transport transport, Time work) {
    return analyze(flood(transport, Verb::send, work, true)).throughput.millions();
  };
  EXPECT_LT(bound(Transport::rc, 500ns), bound(Transport::rc, 50ns) / 2);
  EXPECT_DOUBLE_EQ(bound(Transport::ud, 500ns), bound(Transport::ud, 50ns));
}

TEST(Flow, OfWhatFloodsItTheReceiverTakesAsMuchAsItCan) {
  Scenario scenario = flood(Transport::rc, Verb::send, 500ns, false);
  scenario.measure.program = "server";
  scenario.measure.duration = 2ms;
  const Analysis bound = analyze(scenario);
  const model::RunResult result = model::run(scenario);
  EXPECT_EQ(bound.bottleneck, "server/cores of server");
  EXPECT_EQ(result.bottleneck.resource, "server/cores of server") << "not what brings the requests that pile up";
  EXPECT_LE(result.throughput.millions() - result.throughput_ci95.millions(), bound.throughput.millions());
  EXPECT_GE(result.throughput.millions() + result.throughput_ci95.millions(), bound.throughput.millions() * 0.9);
}

TEST(Flow, WhatACollectorPostsByItselfMayBeForSingleRequests) {
  // A pass posts once, whatever it has found: the fewer requests it finds, the more goes on to the next machine.
  const auto scenario = [](int at_most) {
    Program front = program(queue_pairs(Transport::ud),
                            {collect(Channel::completion_queue, at_most), replenish(), post(Verb::send, 8)});
    front.machine = "server";
    std::get<PostStep>(front.loop[2]).to = "behind";
    Program behind = program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 8), replenish()});
    behind.machine = "far";
    Scenario chain = scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 8)}), front);
    chain.machines.push_back({"far", chain.machines.front().second});
    chain.programs.push_back({"behind", behind});
    chain.measure.program = "behind";
    return chain;
  };
  for (const int at_most : {1, 8, 32}) {
    const RunResult result = run(scenario(at_most));
    EXPECT_GT(result.operations, 0U);
    EXPECT_LE(result.throughput.millions() - result.throughput_ci95.millions(),
              analyze(scenario(at_most)).throughput.millions() * 1.01)
        << at_most;
  }
}

TEST(Flow, RequestsOfOneCallAreAnsweredByOneList) {
  // They have all come by one port, so a batch of answers to them is not halved.
  const Scenario scenario = scenario_of(connect_ib(), clients(8, 4), answering(4));
  const auto batch_of = [](const Scenario& of) {
    const Flow flow{of};
    return flow.programs()[flow.index_of("server")].posts[0].batch;
  };
  EXPECT_EQ(batch_of(scenario), 4);
  Scenario two_ports = scenario;
  for (auto& [name, group] : two_ports.machines) group.hardware.port.ports = 2;
  for (auto& [name, program] : two_ports.programs) program.queue_pairs[0].second.ports = PortUse::all;
  EXPECT_EQ(batch_of(two_ports), 4);
}

TEST(Flow, NamesMustExist) {
  Scenario scenario = scenario_of(connect_ib(), clients(16, 4), answering(8));
  scenario.measure.program = "nobody";
  EXPECT_THROW(Flow{scenario}, std::invalid_argument);
}

TEST(Flow, WhoCollectsFillsUpItsWindowInEachPassAndPostsNoMore) {
  // Passes of up to 16 requests await one answer of 32 operations under way, and post one again.
  PostStep asked = post_window(Verb::send, 32, 32, 8);
  asked.to = "server";
  PostStep onwards = asked;
  onwards.to = "back";
  Scenario scenario = scenario_of(
      connect_ib(), program(queue_pairs(Transport::ud), {asked, await(1)}),
      program(queue_pairs(Transport::ud), {collect(Channel::completion_queue, 16), onwards, await(1), answer(32, 16)}));
  scenario.machines.emplace_back("back", named(scenario.machines, "server"));
  scenario.programs.emplace_back(
      "back", on("back", program(queue_pairs(Transport::ud),
                                 {collect(Channel::completion_queue, 16), compute(0ns, 2us), answer(32, 16)})));
  scenario.measure.warmup = 500us;
  scenario.measure.duration = 4ms;
  const Flow flow{scenario};
  const ProgramFlow& front = flow.programs()[flow.index_of("server")];
  EXPECT_NEAR(front.posts.front().work_requests, 1.0 / 16, 1e-9);
  EXPECT_EQ(front.posts.front().batch, 8) << "calls may be full all the same";
  const Analysis analysis = analyze(scenario);
  const model::RunResult result = model::run(scenario);
  EXPECT_LE(result.throughput.per_second - result.throughput_ci95.per_second, analysis.throughput.per_second);
}

}  // namespace
}  // namespace doorbell::analytic
