#include "tools/perftest_scenario.hpp"

#include <gtest/gtest.h>

#include "analytic/scenario_bounds.hpp"
#include "figures/scratch.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::tools {
namespace {

using model::Transport;
using model::Verb;

const std::string profile = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/cib.json";

std::vector<scenario::Point> load(const PerftestSetup& setup, const std::vector<Bytes>& sizes) {
  const figures::Scratch scratch;
  return scenario::load(scratch.write("test.json", scenario_of(setup, sizes, {profile, profile}).dump()));
}

PerftestSetup setup_of(Verb verb, bool latency) {
  PerftestSetup setup;
  setup.verb = verb;
  setup.latency = latency;
  setup.depth = latency ? 1 : 128;
  setup.signal_every = latency ? 1 : 100;
  return setup;
}

Bytes size_for(Verb verb) { return verb == Verb::fetch_add || verb == Verb::compare_swap ? Bytes{8} : Bytes{512}; }

class EachTest : public testing::TestWithParam<std::tuple<Verb, bool>> {
 protected:
  PerftestSetup setup_ = setup_of(std::get<0>(GetParam()), std::get<1>(GetParam()));
};

TEST_P(EachTest, RunsWithinItsBounds) {
  const auto points = load(setup_, {size_for(setup_.verb)});
  ASSERT_EQ(points.size(), 1U);
  const model::RunResult run = model::run(points[0].scenario);
  const analytic::Bounds bounds = analytic::scenario_bounds(points[0].scenario);
  EXPECT_GT(run.throughput.per_second, 0.3 * bounds.throughput.per_second);
  EXPECT_LT(run.throughput.per_second, 1.02 * bounds.throughput.per_second);
}

INSTANTIATE_TEST_SUITE_P(Perftest, EachTest,
                         testing::Combine(testing::Values(Verb::send, Verb::write, Verb::read, Verb::fetch_add,
                                                          Verb::compare_swap),
                                          testing::Bool()));

TEST(PerftestScenario, WarmsUpNoLongerThanAScenarioMay) {
  PerftestSetup setup = setup_of(Verb::write, false);
  setup.queue_pairs = 64;
  const auto points = load(setup, {Bytes{8 << 20}, Bytes{1 << 30}});
  EXPECT_EQ(points[0].scenario.measure.warmup, std::chrono::seconds{10});
  EXPECT_EQ(points[1].scenario.measure.duration, std::chrono::seconds{100});
}

TEST(PerftestScenario, SingleReadsTakeWhatTheyTakeAlone) {
  const auto points = load(setup_of(Verb::read, true), {Bytes{8}});
  const analytic::Bounds bounds = analytic::scenario_bounds(points[0].scenario);
  const model::RunResult run = model::run(points[0].scenario);
  const double alone = to_seconds(bounds.unloaded_latency);
  EXPECT_NEAR(to_seconds(run.latency.p50), alone, 0.02 * alone);
  EXPECT_NEAR(1 / run.throughput.per_second, alone, 0.02 * alone);
}

TEST(PerftestScenario, AnswersTakeAsLongAsRequests) {
  // There and back, so about twice the time in which a WRITE arrives, which is less than until it completes.
  const auto there_and_back = load(setup_of(Verb::write, true), {Bytes{64}});
  const auto one_way = load(setup_of(Verb::read, true), {Bytes{64}});
  const double both = to_seconds(model::run(there_and_back[0].scenario).latency.p50);
  const double read = to_seconds(model::run(one_way[0].scenario).latency.p50);
  EXPECT_GT(both, 0.7 * read);
  EXPECT_LT(both, 2 * read);
}

TEST(PerftestScenario, KeepsNoMoreUnderWayThanTheDepthAllows) {
  PerftestSetup setup = setup_of(Verb::read, false);
  setup.depth = 4;
  setup.signal_every = 1;
  setup.queue_pairs = 3;
  const auto points = load(setup, {Bytes{64}});
  const model::RunResult run = model::run(points[0].scenario);
  // Little's law.
  EXPECT_LT(run.throughput.per_second * to_seconds(run.latency.mean), 12.1);
}

TEST(PerftestScenario, MoreUnderWayIsFaster) {
  double before = 0;
  for (const int depth : {1, 2, 8, 64}) {
    PerftestSetup setup = setup_of(Verb::write, false);
    setup.depth = depth;
    setup.signal_every = 1;
    const double rate = model::run(load(setup, {Bytes{64}})[0].scenario).throughput.per_second;
    EXPECT_GT(rate, before);
    before = rate;
  }
}

TEST(PerftestScenario, RunsWithoutAcksToo) {
  for (const bool latency : {false, true}) {
    for (const auto& [transport, verb] : {std::pair{Transport::uc, Verb::write}, std::pair{Transport::uc, Verb::send},
                                          std::pair{Transport::ud, Verb::send}}) {
      PerftestSetup setup = setup_of(verb, latency);
      setup.transport = transport;
      const model::RunResult run = model::run(load(setup, {Bytes{64}})[0].scenario);
      EXPECT_GT(run.throughput.per_second, latency ? 1e5 : 1e6) << name_of(setup);
    }
  }
}

TEST(PerftestScenario, SettingsThatDifferHaveNamesThatDiffer) {
  for (const bool latency : {false, true}) {
    const PerftestSetup usual = setup_of(Verb::write, latency);
    std::vector<PerftestSetup> others(5, usual);
    others[0].max_inline = Bytes{220};
    others[1].queue_pairs = 4;
    others[2].post_list = 8;
    others[3].signal_every = 7;
    others[4].doorbells = true;
    for (const PerftestSetup& other : others) EXPECT_NE(name_of(other), name_of(usual));
  }
}

TEST(PerftestScenario, ModerationOfCqesSlowsNothingDown) {
  const auto rate = [](int signal_every) {
    PerftestSetup setup = setup_of(Verb::write, false);
    setup.signal_every = signal_every;
    return model::run(load(setup, {Bytes{64}})[0].scenario).throughput.per_second;
  };
  for (const int signal_every : {2, 16, 100}) EXPECT_GT(rate(signal_every), rate(1) * 0.99) << signal_every;
}

TEST(PerftestScenario, InlinesWhatTheToolInlined) {
  PerftestSetup setup = setup_of(Verb::write, false);
  setup.max_inline = Bytes{220};
  const auto points = load(setup, {Bytes{64}, Bytes{220}, Bytes{221}});
  const auto inlined = [](const scenario::Point& point) {
    return std::get<model::PostStep>(point.scenario.programs.front().second.loop.front()).inlined;
  };
  EXPECT_TRUE(inlined(points[0]));
  EXPECT_TRUE(inlined(points[1]));
  EXPECT_FALSE(inlined(points[2]));
}

TEST(PerftestScenario, RingsDoorbellsForWhatIsNotInlineWhereTheDriverDoes) {
  for (const bool latency : {false, true}) {
    for (const Verb verb : {Verb::write, Verb::send, Verb::read}) {
      PerftestSetup setup = setup_of(verb, latency);
      setup.max_inline = Bytes{220};
      setup.doorbells = true;
      for (const scenario::Point& point : load(setup, {Bytes{64}, Bytes{220}, Bytes{221}})) {
        for (const auto& [name, program] : point.scenario.programs) {
          for (const model::Step& step : program.loop) {
            const auto* post = std::get_if<model::PostStep>(&step);
            if (post == nullptr) continue;
            const bool inlined = verb != Verb::read && post->payload <= Bytes{220};
            EXPECT_EQ(post->method, inlined ? model::PostMethod::automatic : model::PostMethod::doorbell)
                << name_of(setup) << ", " << name << ", " << post->payload.count;
          }
        }
      }
    }
  }
}

TEST(PerftestScenario, FitsQueuesThatAreNoLongerThanAList) {
  PerftestSetup setup = setup_of(Verb::write, false);
  setup.depth = setup.post_list = setup.signal_every = 16;
  EXPECT_EQ(load(setup, {Bytes{64}}).size(), 1U);
}

TEST(PerftestScenario, NamesTellSetupsApart) {
  PerftestSetup other = setup_of(Verb::write, false);
  const std::string name = name_of(other);
  EXPECT_EQ(name, "RC WRITE, 1 queue pair of 128, 1 in 100 signaled");
  other.post_list = 16;
  EXPECT_NE(name_of(other), name);
  other.transport = Transport::uc;
  EXPECT_EQ(name_of(other), "UC WRITE, 1 queue pair of 128, lists of 16, 1 in 100 signaled");
}

}  // namespace
}  // namespace doorbell::tools
