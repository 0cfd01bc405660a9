#include "analytic/shares.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "analytic/analysis.hpp"
#include "analytic/bound_of.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using testing::bound_of;

struct Need {
  std::string resource;
  double seconds = 1;
  double servers = 1;
};

Claim claim(double proportion, const std::vector<Need>& needs, double gain = 1) {
  Bounds limits;
  for (const Need& need : needs) limits.add(need.resource, Seconds{need.seconds}, need.servers, {});
  return {proportion, gain, limits.bounds};
}

double most(const Shares& shares) {
  Bounds bounds;
  shares.add_most(bounds);
  bounds.settle();
  return bounds.throughput.per_second;
}

TEST(Shares, WhoWaitsForNothingElseGetsAPart) {
  const Shares shares{{claim(1, {{"core", 0.1}}), claim(3, {{"core", 0.1}})}, {}};
  const Eigen::VectorXd rates = shares.in_proportion();
  EXPECT_NEAR(rates(0), 2.5, 1e-9);
  EXPECT_NEAR(rates(1), 7.5, 1e-9);
  EXPECT_NEAR(most(shares), 10, 1e-6) << "whoever asks";
}

TEST(Shares, WhatOneCannotUseTheOthersDo) {
  const Shares shares{{claim(1, {{"core", 0.1}}), claim(9, {{"core", 0.1}, {"window", 0.5}})}, {}};
  const Eigen::VectorXd rates = shares.in_proportion();
  EXPECT_NEAR(rates(0), 8, 1e-9);
  EXPECT_NEAR(rates(1), 2, 1e-9);
}

TEST(Shares, NoSharesAllowMoreThanTheMost) {
  // The second asks for four times as much, and the first has a window that is too small to use all.
  const Shares shares{{claim(1, {{"core", 0.1}, {"window", 0.25}}), claim(1, {{"core", 0.4}})}, {}};
  EXPECT_NEAR(most(shares), 4 + 0.6 / 0.4, 1e-6);
  EXPECT_LT(shares.gain(shares.in_proportion()), most(shares));
  Bounds bounds;
  shares.add_most(bounds);
  EXPECT_NEAR(bound_of(bounds, "core").limit.per_second, 5.5, 1e-6);
  EXPECT_NEAR(bound_of(bounds, "window").limit.per_second, 5.5, 1e-6);
}

TEST(Shares, EachMayUseOtherPorts) {
  // Each alone has one of two ports; then the second has both.
  const std::vector<Claim> two{claim(1, {{"ports", 0.1, 1}}), claim(1, {{"ports", 0.1, 1}})};
  EXPECT_NEAR(most({two, {}}), 10, 1e-6) << "the same one";
  EXPECT_NEAR(most({two, {{"ports", 2}}}), 20, 1e-6);
  std::vector<Claim> others{two.front(), claim(1, {{"ports", 0.1, 2}})};
  EXPECT_NEAR(most({others, {{"ports", 2}}}), 20, 1e-6);
  others.front().limits.front().limit = {5};  // takes what all of one port can do only in part
  EXPECT_NEAR(most({others, {{"ports", 2}}}), 20, 1e-6);
  const std::vector<Claim> idle{two.front(), claim(1, {{"ports", 0.1, 2}, {"window", 0.5}})};
  EXPECT_NEAR(most({idle, {{"ports", 2}}}), 10 + 2, 1e-6) << "the first cannot use the other port";
}

TEST(Shares, WhatIsNotMeasuredTakesItsPartButGainsNothing) {
  const Shares shares{{claim(1, {{"core", 0.1}}), claim(1, {{"core", 0.1}}, 0)}, {}};
  EXPECT_NEAR(shares.gain(shares.in_proportion()), 5, 1e-9);
  EXPECT_NEAR(most(shares), 10, 1e-6);
}

/// Two programs that ask one server. The second handles its answers for `handling` each.
model::Scenario two_askers(const std::string& measured, int window, int second_window, const std::string& handling) {
  const auto program = [](const std::string& host, int in_flight, const std::string& per_item) {
    return R"({"machine": ")" + host + R"(", "threads": 8, "queue_pairs": {"requests": {"transport": "RC"}}, )" +
           R"("loop": [{"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "requests", "to": "server", )" +
           R"("destination": "fixed", "window": )" + std::to_string(in_flight) + R"(}}, {"await": {"per_item": ")" +
           per_item + R"("}}]})";
  };
  const std::string root = DOORBELL_SOURCE_DIR;
  return scenario::load(root + "/scenarios/today/rpc_server.json",
                        {.sets = {"sweep=[]", "programs.client=" + program("client", window, "0 ns"),
                                  "programs.second=" + program("others", second_window, handling),
                                  R"(machines.others={"hardware": ")" + root + R"(/scenarios/hardware/cx6.json"})",
                                  "programs.server.queue_pairs.answers.count=10", "measure.program=" + measured,
                                  "measure.warmup=500 us", "measure.duration=3 ms"},
                         .seed = {}})
      .front()
      .scenario;
}

TEST(Shares, NoRunPassesTheBoundWhereTheOtherWaitsForItself) {
  for (const char* measured : {"client", "server", "second"}) {
    for (const int window : {1, 4}) {
      const model::Scenario scenario = two_askers(measured, window, 4, "50 us");
      const Analysis analysis = analyze(scenario);
      const model::RunResult run = model::run(scenario);
      EXPECT_LE(run.throughput.per_second, analysis.throughput.per_second * 1.01 + run.throughput_ci95.per_second)
          << measured << ", " << window;
      ASSERT_TRUE(analysis.shared.has_value());
      EXPECT_LE(analysis.shared->per_second, analysis.throughput.per_second * (1 + 1e-9));
      // All it can do alone goes on beside it, and the rest is the other one's.
      EXPECT_NEAR(run.throughput.per_second / analysis.shared->per_second, 1, 0.1) << measured << ", " << window;
    }
  }
}

TEST(Shares, EqualAskersGetWhatTheyAskFor) {
  const model::Scenario scenario = two_askers("server", 4, 4, "0 ns");
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(analysis.bottleneck, "server/cores of server");
  EXPECT_NEAR(analysis.shared->per_second, analysis.throughput.per_second, analysis.throughput.per_second * 1e-6);
  EXPECT_GE(model::run(scenario).throughput.per_second, 0.95 * analysis.throughput.per_second);
  // Threads of four machines beside those of one.
  EXPECT_NEAR(analyze(two_askers("client", 4, 4, "0 ns")).shared->per_second, 0.8 * analysis.shared->per_second,
              1e-6 * analysis.shared->per_second);
}

TEST(Shares, TheBoundOfWhoAsksIsThatOfItAloneWhateverTheOtherDoes) {
  const Analysis few = analyze(two_askers("client", 4, 1, "0 ns"));
  const Analysis many = analyze(two_askers("client", 4, 64, "50 us"));
  EXPECT_DOUBLE_EQ(few.throughput.per_second, many.throughput.per_second);
  for (const Bound& bound : many.bounds) EXPECT_EQ(bound.resource.find("others/"), std::string::npos) << bound.resource;
  EXPECT_TRUE(many.assumed_shares.empty()) << "no run may pass the bound";
  EXPECT_EQ(many.sharing, (std::vector<std::string>{"client", "second"}));
}

}  // namespace
}  // namespace doorbell::analytic
