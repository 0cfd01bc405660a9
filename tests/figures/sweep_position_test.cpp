#include "figures/sweep_position.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/evaluate.hpp"
#include "figures/fake_engine.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Simulation simulation_of_size() {
  Simulation simulation{"disk.json", {}, {}, {}, FromSweep{"/size"}};
  Mention& mention = simulation.mentions.x;
  mention.at.file = std::make_shared<const std::string>("figure.json");
  mention.at.line = 9;
  mention.at.column = 14;
  mention.pointer = "/series/0/x/sweep";
  return simulation;
}

std::vector<Position> positions(const std::vector<std::string>& values) {
  std::vector<Coordinates> points;
  for (const std::string& value : values) points.push_back({{"/depth", "7"}, {"/size", value}});
  return swept_positions(points, "/size", simulation_of_size());
}

template <class Call> std::string complaint(const Call& call) {
  try {
    static_cast<void>(call());
  } catch (const scenario::ScenarioError& error) {
    return error.what();
  }
  return "no error";
}

TEST(SweepPosition, OfAQuantityIsItsNumber) {
  EXPECT_THAT(positions({"128 B", "1024 B"}), ElementsAre(Position{128.0}, Position{1024.0}));
  EXPECT_THAT(positions({"1", "2.5", "1e3"}), ElementsAre(Position{1.0}, Position{2.5}, Position{1000.0}));
}

TEST(SweepPosition, OfTextIsTheText) {
  EXPECT_THAT(positions({"READ", "2nd", "4"}),
              ElementsAre(Position{std::string{"READ"}}, Position{std::string{"2nd"}}, Position{4.0}));
}

TEST(SweepPosition, NeedsOneUnit) {
  EXPECT_EQ(
      complaint([] {
        return positions({"256 KiB", "512 KiB", "1 MiB"});
      }),
      "figure.json:9:14: DB511 /series/0/x/sweep: expected one unit for /size in the sweep of disk.json, found KiB "
      "and MiB");
  EXPECT_THAT(complaint([] { return positions({"64", "128 B"}); }), HasSubstr("found bare numbers and B"));
  EXPECT_THAT(complaint([] { return positions({"1 B", "1 KiB", "1 MiB"}); }), HasSubstr("found B and KiB and MiB"));
}

TEST(SweepPosition, OfNothingNeedsNoUnit) {
  EXPECT_THAT(positions({"0 B", "2 MiB"}), ElementsAre(Position{0.0}, Position{2.0}));
  EXPECT_THAT(positions({"0", "2 MiB"}), ElementsAre(Position{0.0}, Position{2.0}));
}

TEST(SweepPosition, ThatIsNearestToAnother) {
  const std::vector<Position> there{1.0, 16.0, 64.0, std::string{"many"}};
  EXPECT_EQ(nearest_position(30.0, there), "16");
  EXPECT_EQ(nearest_position(std::string{"mny"}, there), "many");
  EXPECT_EQ(nearest_position(std::string{"none of these"}, there), "");
}

TEST(SweepPosition, IsOnAnAxisOfTheSweep) {
  EXPECT_EQ(complaint([] {
              return swept_positions({{{"/size", "1 B"}}}, "/sice", simulation_of_size());
            }),
            "figure.json:9:14: DB507 /series/0/x/sweep: expected an axis of the sweep of disk.json, found \"/sice\"");
}

/// An engine whose payloads are 8 B, 16 B and 1 KiB.
Engine mixed_engine() {
  Engine engine = fake_engine();
  engine.load = [load = engine.load](const std::filesystem::path& file, const Overrides& overrides,
                                     const std::filesystem::path& folder) {
    std::vector<SweepPoint> points = load(file, overrides, folder);
    points.back().coordinates = {{"/threads", "4"}, {"/payload", "1 KiB"}};
    return points;
  };
  return engine;
}

Series swept(const std::string& path, Overrides at) {
  return {"a", "a", Simulation{"3", {}, std::move(at), {}, FromSweep{path}}, {}};
}

TEST(SweepPosition, InSeveralUnitsIsRefusedByFiguresAndFits) {
  Figure figure;
  figure.series = {swept("/payload", {})};
  EXPECT_THAT(complaint([&] {
                return Evaluator{mixed_engine(), 1, std::nullopt}.evaluate(figure);
              }),
              HasSubstr("expected one unit for /payload in the sweep of 3, found B and KiB"));
  EXPECT_THAT(complaint([&] { return scenario_at(figure.series[0], 16.0, mixed_engine()); }),
              HasSubstr("expected one unit for /payload in the sweep of 3, found B and KiB"));
}

TEST(SweepPosition, OfOtherAxesAndPointsDoesNotMatter) {
  Figure figure;
  figure.series = {swept("/threads", {}), swept("/payload", {{"/payload", "16 B"}})};
  EXPECT_EQ((Evaluator{mixed_engine(), 1, std::nullopt}.evaluate(figure).points.size()), 4U);
}

}  // namespace
}  // namespace doorbell::figures
