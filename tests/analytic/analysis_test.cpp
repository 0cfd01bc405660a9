#include "analytic/analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

model::Scenario shipped(const std::string& name) {
  return scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/" + name + ".json").front().scenario;
}

TEST(Analysis, NamesTheBottlenecksOfTheVerbBenchmarks) {
  EXPECT_EQ(analyze(shipped("table4_ud_send_non_batch")).bottleneck, "server/PCIe MMIO credits");
  EXPECT_EQ(analyze(shipped("table4_ud_send_batch")).bottleneck, "server/PCIe downstream");
  EXPECT_EQ(analyze(shipped("table4_ud_recv")).bottleneck, "server/NIC receive pipeline");
  EXPECT_EQ(analyze(shipped("table4_read_128")).bottleneck, "server/ports transmit");
}

TEST(Analysis, NoSimulationBeatsTheBoundOfASharedResource) {
  for (const char* name : {"table4_ud_send_non_batch", "table4_ud_send_batch", "table4_ud_recv", "table4_read_128"}) {
    const model::Scenario scenario = shipped(name);
    const double bound = analyze(scenario).throughput.millions();
    const double simulated = model::run(scenario).throughput.millions();
    EXPECT_LE(simulated, bound * 1.01) << name;
    EXPECT_GE(simulated, bound * 0.9) << name;
  }
}

TEST(Analysis, NamesTheProgramsThatShare) {
  EXPECT_TRUE(analyze(shipped("table4_read_64")).sharing.empty());
  const std::string second =
      R"(programs.second={"machine": "client", "queue_pairs": {"requests": {"transport": "RC"}}, "loop": [)"
      R"({"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "requests", "to": "server", "window": 4,)"
      R"( "destination": "fixed"}}, {"await": {}}]})";
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/rpc_server.json";
  const std::string windows = R"(programs.client.loop.0.post={"window": 4, "verb": "SEND", "payload": "8 B",)"
                              R"( "queue_pairs": "requests", "to": "server", "destination": "fixed"})";
  const auto two =
      scenario::load(
          file, {.sets = {"sweep=[]", second, windows, "programs.server.queue_pairs.answers.count=16"}, .seed = {}})
          .front()
          .scenario;
  const Analysis analysis = analyze(two);
  EXPECT_EQ(analysis.sharing, (std::vector<std::string>{"client", "second"}));
  EXPECT_FALSE(analysis.mean_value.has_value()) << "how they share is not known";
}

TEST(Analysis, HasNoMeanValueOfMessagesWhosePacketsAreInSeveralPlaces) {
  const auto reads_of = [](std::int64_t payload) {
    return analyze(
        model::scenario_of(model::connect_ib(),
                           model::program(model::queue_pairs(model::Transport::rc),
                                          {model::post_window(model::Verb::read, payload, 4), model::await(1)}),
                           model::sink()));
  };
  EXPECT_TRUE(reads_of(4096).mean_value.has_value());  // the MTU
  EXPECT_FALSE(reads_of(4097).mean_value.has_value());
}

TEST(Analysis, HasNoMeanValueWhereDrivesTakePart) {
  EXPECT_TRUE(analyze(shipped("fig07_spec_s0")).mean_value.has_value());
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/nvme_target.json";
  EXPECT_FALSE(analyze(scenario::load(file).front().scenario).mean_value.has_value());
}

TEST(Analysis, KnowsWhenTranslationsOfPagesLimit) {
  const auto points =
      scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/examples/pages.json");  // pages, then sizes
  const model::Scenario& small_pages = points.at(3).scenario;                               // 1 GiB in pages of 4 KiB
  const Analysis analysis = analyze(small_pages);
  EXPECT_EQ(analysis.bottleneck, "server/NIC state fetches");
  const double simulated = model::run(small_pages).throughput.millions();
  EXPECT_LE(simulated, analysis.throughput.millions() * 1.01);
  EXPECT_GE(simulated, analysis.throughput.millions() * 0.95);
  EXPECT_NE(analyze(points.at(8).scenario).bottleneck, "server/NIC state fetches");  // in pages of 2 MiB
}

TEST(Analysis, PagesForWhichSomebodyWaitsAlreadyNeedNoFetch) {
  const auto points = scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/examples/pages.json");
  for (const std::size_t twice_what_is_kept : {1U, 2U}) {  // 16 and 64 MiB in pages of 4 KiB, of which 8 MiB are kept
    const model::Scenario& scenario = points.at(twice_what_is_kept).scenario;
    EXPECT_LE(model::run(scenario).throughput.millions(), analyze(scenario).throughput.millions() * 1.01);
  }
}

TEST(Analysis, StepsThatWaitForOneAnotherAreBothCounted) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/table4_read_64.json";
  const std::string post = R"({"post": {"verb": "READ", "inline": false, "queue_pairs": "reads", "to": "memory", )"
                           R"("window": 8, "signal_every": 1, "payload": )";
  const std::string loop = "programs.reader.loop=[" + post + R"("64 B"}}, {"await": {"at_least": 0}}, )" + post +
                           R"("256 B"}}, {"await": {"at_least": 0}}])";
  const model::Scenario scenario = scenario::load(file, {.sets = {loop}, .seed = {}}).front().scenario;
  const Analysis analysis = analyze(scenario);
  // 64 and 256 B with their headers, in equal numbers, through two ports.
  EXPECT_EQ(analysis.bottleneck, "server/ports transmit");
  const double demand = to_seconds(analysis.bounds.front().demand);
  const double packets = 64 + 256 + 2 * 42;  // LRH, BTH, AETH, both CRCs and the framing
  EXPECT_NEAR(demand, packets / 2 / 6.48e9, 2e-9);
  EXPECT_LE(model::run(scenario).throughput.millions(), analysis.throughput.millions() * 1.01);
}

TEST(Analysis, CopiesAndRegistrationAreWorkOfTheCore) {
  using namespace std::chrono_literals;
  for (const model::Verb verb : {model::Verb::write, model::Verb::read}) {
    for (const model::Registration registration : {model::Registration::copy, model::Registration::map}) {
      for (const int window : {1, 16}) {
        model::PostStep step = model::post_window(verb, 8000, window);
        step.signal_every = 1;
        step.inlined = false;
        step.data = model::DataPlacement{.registration = registration};
        model::Scenario scenario = model::scenario_of(
            model::connect_ib(), model::program(model::queue_pairs(model::Transport::rc), {step, model::await(1)}, 2),
            model::sink());
        for (auto& [name, group] : scenario.machines) {
          group.software.emplace();
          group.software->memory.copy = Bandwidth{4e9};
          group.software->memory.register_region = 5us;
        }
        scenario.measure.duration = 2ms;
        const Analysis analysis = analyze(scenario);
        const double simulated = model::run(scenario).throughput.millions();
        EXPECT_LE(simulated, analysis.throughput.millions() * 1.01);
        EXPECT_GE(simulated, analysis.throughput.millions() * 0.93);
        EXPECT_EQ(analysis.bottleneck, window == 1 ? "client/window of client" : "client/cores of client");
      }
    }
  }
}

TEST(Analysis, AnswersToThreadsOfOnePortAreOneList) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/fig07_spec_s0.json";
  const model::Scenario scenario =
      scenario::load(file, {.sets = {"programs.worker.threads=6", "measure.duration=1 ms", "sweep=[]"}, .seed = {}})
          .front()
          .scenario;
  const double bound = analyze(scenario).throughput.millions();
  const double simulated = model::run(scenario).throughput.millions();
  EXPECT_LE(simulated, bound * 1.005);
  EXPECT_GE(simulated, bound * 0.97);
}

TEST(Analysis, AReadLargerThanAllTagsGoesInTurns) {
  // WQEs so far apart that the fetch of sixteen takes forty read requests, of which two can be outstanding.
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/table5_cx_recv_header_only.json";
  const std::string client = "machines.client.hardware.";
  const model::Scenario scenario =
      scenario::load(file, {.sets = {client + "nic.wqe_stride=1280 B", client + "pcie.read_tags=2"}, .seed = {}})
          .front()
          .scenario;
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(analysis.bottleneck, "client/PCIe read tags");
  const double simulated = model::run(scenario).throughput.millions();
  EXPECT_NEAR(simulated / analysis.throughput.millions(), 1, 0.05);
}

TEST(Analysis, ObjectsThatTakeDifferentNumbersOfRequestsHoldTheirMean) {
  // Only the first of sixteen places crosses a boundary of 512 B, and takes two requests.
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/table4_read_64.json";
  const std::string region = "programs.reader.loop.0.post.region.";
  const model::Scenario scenario =
      scenario::load(file, {.sets = {"machines.server.hardware.pcie.read_tags=8", region + "stride=544 B",
                                     region + "offset=480 B", region + "pattern=random"},
                            .seed = {}})
          .front()
          .scenario;
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(analysis.bottleneck, "server/PCIe read tags");
  const double simulated = model::run(scenario).throughput.millions();
  EXPECT_LE(simulated, 1.01 * analysis.throughput.millions());
  EXPECT_GE(simulated, 0.9 * analysis.throughput.millions());
}

TEST(Analysis, ALongPayloadHoldsItsTagsPartByPart) {
  const auto tags = [](const char* payload) {
    const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/table4_read_128.json";
    const std::string post = "programs.reader.loop.0.post.";
    const auto points =
        scenario::load(file, {.sets = {post + "payload=" + payload, post + "region.stride=" + payload}, .seed = {}});
    for (const Bound& bound : analyze(points.front().scenario).bounds) {
      if (bound.resource == "server/PCIe read tags") return to_seconds(bound.demand);
    }
    return 0.0;
  };
  EXPECT_NEAR(tags("1 MiB") / tags("4 KiB"), 256, 1);
}

TEST(Analysis, BoundsComeTightestFirst) {
  const Analysis analysis = analyze(shipped("table4_ud_recv"));
  ASSERT_GE(analysis.bounds.size(), 2U);
  for (std::size_t i = 1; i < analysis.bounds.size(); ++i) {
    EXPECT_LE(analysis.bounds[i - 1].limit.per_second, analysis.bounds[i].limit.per_second);
  }
  EXPECT_EQ(analysis.throughput.per_second, analysis.bounds.front().limit.per_second);
}

TEST(Analysis, MeanValuesOfOneOperationAreItsLatencyAndNeverAboveTheBound) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/table4_read_64.json";
  for (const char* payload : {"64 B", "4 KiB"}) {
    for (const int window : {1, 64}) {
      const std::string program = R"(programs.reader={"machine": "client", "threads": 1, "queue_pairs": )"
                                  R"({"q": {"transport": "RC"}}, "loop": [{"post": {"verb": "READ", "payload": ")" +
                                  std::string{payload} + R"(", "inline": false, "queue_pairs": "q", "to": "memory", )" +
                                  R"("window": )" + std::to_string(window) + R"(}}, {"await": {"at_least": 1}}]})";
      const auto scenario =
          scenario::load(file, {.sets = {"machines.client.count=1", program}, .seed = {}}).front().scenario;
      const Analysis analysis = analyze(scenario);
      ASSERT_TRUE(analysis.mean_value.has_value());
      EXPECT_LE(analysis.mean_value->per_second, analysis.throughput.per_second);
      if (window > 1) continue;
      const double alone = 1 / to_seconds(analysis.unloaded_latency);
      EXPECT_NEAR(analysis.mean_value->per_second, alone, alone * 1e-3) << payload;
    }
  }
}

TEST(Analysis, RoundsOfSignaledOperationsBound) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/kalia16/table4_read_64.json";
  const auto with_round_of = [&](int signal_every) {
    const std::string program =
        R"(programs.reader={"machine": "client", "threads": 1, "queue_pairs": {"q": {"transport": "RC"}}, "loop": )"
        R"([{"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "q", "to": "memory", "window": 64, )"
        R"("signal_every": )" +
        std::to_string(signal_every) + R"(}}, {"await": {"at_least": 1}}]})";
    return scenario::load(file, {.sets = {"machines.client.count=1", program}, .seed = {}}).front().scenario;
  };
  for (const int signal_every : {2, 4, 8}) {
    const Analysis analysis = analyze(with_round_of(signal_every));
    EXPECT_EQ(analysis.bottleneck, "client/send queues of reader");
    const double simulated = model::run(with_round_of(signal_every)).throughput.per_second;
    EXPECT_LE(simulated, analysis.throughput.per_second * 1.01) << signal_every;
    // The queue pair rests between rounds, which the bound does not know.
    EXPECT_GE(simulated, analysis.throughput.per_second * 0.6) << signal_every;
  }
  // A call as long as a round waits for the signaled WQE of those before, not for its own.
  for (const int signal_every : {2, 4, 8, 16}) {
    model::Scenario scenario = with_round_of(signal_every);
    for (auto& [name, program] : scenario.programs) {
      if (name != "reader") continue;
      auto& step = std::get<model::PostStep>(program.loop.front());
      step.batch = 16;
      step.window = 256;
    }
    EXPECT_LE(model::run(scenario).throughput.per_second, analyze(scenario).throughput.per_second * 1.01)
        << signal_every;
  }
}

TEST(Analysis, ACqeDoesNotWaitForTheOtherSidesLink) {
  // One WRITE at a time: its CQE goes up the client's link while its payload still goes up the server's narrow one.
  for (const std::int64_t payload : {2048, 4096, 65536}) {
    model::PostStep step = model::post_window(model::Verb::write, payload, 1);
    step.inlined = false;
    step.signal_every = 1;
    model::Scenario scenario = model::scenario_of(
        model::connect_ib(), model::program(model::queue_pairs(model::Transport::rc), {step, model::await(1)}),
        model::sink());
    model::hardware_of(scenario, "server").pcie.lanes = 2;
    scenario.measure.duration = std::chrono::milliseconds{10};
    EXPECT_LE(model::run(scenario).throughput.per_second, analyze(scenario).throughput.per_second * 1.01) << payload;
  }
}

TEST(Analysis, CreditsBoundReadsAsTagsDo) {
  model::Scenario scenario =
      model::scenario_of(model::connect_ib(),
                         model::program(model::queue_pairs(model::Transport::rc),
                                        {model::post_window(model::Verb::read, 8, 16), model::await(1)}, 8),
                         model::sink(8));
  model::hardware_of(scenario, "server").pcie.nonposted_header_credits = 4;
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(analysis.bottleneck, "server/PCIe non-posted credits");
  EXPECT_NEAR(model::run(scenario).throughput.per_second, analysis.throughput.per_second,
              analysis.throughput.per_second * 0.02);
}

TEST(Analysis, TheSmallerLimitOfTwoMachinesBoundsTheirReads) {
  const auto limited = [](int requester, int responder) {
    model::Scenario scenario =
        model::scenario_of(model::connect_ib(),
                           model::program(model::queue_pairs(model::Transport::rc),
                                          {model::post_window(model::Verb::read, 8, 16), model::await(1)}),
                           model::sink());
    model::hardware_of(scenario, "client").nic.max_outstanding_reads = requester;
    model::hardware_of(scenario, "server").nic.max_outstanding_reads = responder;
    return scenario;
  };
  const Rate alike = analyze(limited(1, 1)).throughput;
  for (const auto& [requester, responder] : {std::pair{1, 16}, {16, 1}}) {
    const Analysis analysis = analyze(limited(requester, responder));
    EXPECT_EQ(analysis.bottleneck, "client/READs in flight of client");
    EXPECT_EQ(analysis.throughput, alike);
    const double simulated = model::run(limited(requester, responder)).throughput.per_second;
    EXPECT_LE(simulated, alike.per_second * 1.01);
    EXPECT_GE(simulated, alike.per_second * 0.9);
  }
}

TEST(Analysis, ReceiveBuffersBoundWhatTheWireCouldBringInARoundTrip) {
  const auto far_away = [](Time latency) {
    model::Scenario scenario = model::scenario_of(
        model::connect_ib(), model::sink(1, model::PortUse::all),
        model::program(model::queue_pairs(model::Transport::ud), {model::post(model::Verb::send, 32)}, 3));
    auto& step = std::get<model::PostStep>(model::named(scenario.programs, "server").loop.front());
    step.to = "client";
    scenario.measure.program = "server";
    scenario.fabric.switch_latency = latency;
    scenario.measure.warmup = std::chrono::milliseconds{1};
    scenario.measure.duration = std::chrono::milliseconds{4};
    return scenario;
  };
  const model::Scenario far = far_away(std::chrono::microseconds{50});
  const Analysis analysis = analyze(far);
  EXPECT_EQ(analysis.bottleneck, "client/receive buffers");
  const double rate = model::run(far).throughput.per_second;
  EXPECT_LE(rate, analysis.throughput.per_second);
  EXPECT_GT(rate, analysis.throughput.per_second * 0.95);
  EXPECT_TRUE(std::ranges::any_of(analysis.left_out, [](const std::string& item) {
    return item.find("receive buffers of client") != std::string::npos;
  }));
  const Analysis near = analyze(far_away(std::chrono::microseconds{1}));
  EXPECT_NE(near.bottleneck, "client/receive buffers");
}

TEST(Analysis, MeanValueLetsRequestsWaitForTheirThread) {
  using namespace model;
  using namespace std::chrono_literals;
  // Of eight threads some have nothing to do while requests wait for others, unless they take them from one queue.
  const auto scenario = [](int window, int shared_queues) {
    PostStep step = post_window(Verb::send, 32, window);
    step.destination = Destination::random;
    Program server =
        program(queue_pairs(Transport::ud), {collect(Channel::completion_queue), compute(0ns, 20us), answer(32)}, 8);
    server.completion.shared_queues = shared_queues;
    Scenario asking = scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {step, await(1)}, 4), server, 1);
    asking.measure.warmup = 1ms;
    asking.measure.duration = 40ms;
    return asking;
  };
  for (const int window : {1, 2, 4, 16}) {
    const Scenario apart = scenario(window, 0);
    const Analysis analysis = analyze(apart);
    EXPECT_LE(analysis.mean_value->per_second, run(apart).throughput.per_second * 1.01) << window;
    EXPECT_GE(analysis.mean_value->per_second, run(apart).throughput.per_second * 0.8) << window;
    EXPECT_GE(analyze(scenario(window, 1)).mean_value->per_second, analysis.mean_value->per_second) << window;
  }
}

}  // namespace
}  // namespace doorbell::analytic
