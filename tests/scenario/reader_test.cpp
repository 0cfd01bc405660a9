#include "scenario/reader.hpp"

#include <gtest/gtest.h>

#include "models/scenario.hpp"
#include "scenario/parse.hpp"

namespace doorbell::scenario {
namespace {

template <class T> T read_from(const std::string& json) {
  T value{};
  read(parse(json, "x.json"), Pointer{} / "here", false, {}, value);
  return value;
}
template <class T> ErrorCode refusal_of(const std::string& json) {
  try {
    static_cast<void>(read_from<T>(json));
  } catch (const ScenarioError& error) {
    return error.code();
  }
  throw std::logic_error{"accepted: " + json};
}

TEST(Reader, FillsGivenMembersAndKeepsTheRest) {
  const auto pairs = read_from<model::QueuePairs>(R"({"transport": "RC", "max_inline": "28 B"})");
  EXPECT_EQ(pairs.transport, model::Transport::rc);
  EXPECT_EQ(pairs.max_inline, Bytes{28});
  EXPECT_EQ(pairs.depth, model::QueuePairs{}.depth);
}

TEST(Reader, KindOfAStepChoosesTheAlternative) {
  const auto step = read_from<model::Step>(R"({"compute": {"per_pass": "3 ns"}})");
  EXPECT_EQ(std::get<model::ComputeStep>(step).per_pass, std::chrono::nanoseconds{3});
}

TEST(Reader, OptionalStructuresAppearWhenGiven) {
  const std::string post = R"("verb": "READ", "queue_pairs": "q")";
  EXPECT_FALSE(read_from<model::PostStep>("{" + post + "}").region.has_value());
  const auto step = read_from<model::PostStep>("{" + post + R"(, "region": {"count": 4, "stride": "1 KiB"}})");
  ASSERT_TRUE(step.region.has_value());
  EXPECT_EQ(step.region->stride, Bytes{1024});
}

TEST(Reader, NamedEntriesKeepTheOrderOfTheFile) {
  const auto sets =
      read_from<model::Named<model::QueuePairs>>(R"({"z": {"transport": "UD"}, "a": {"transport": "UC"}})");
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].first, "z");
  EXPECT_EQ(sets[1].second.transport, model::Transport::uc);
}

TEST(Reader, AMisspeltKeyIsReportedBeforeTheMissingOne) {
  EXPECT_EQ(refusal_of<model::QueuePairs>(R"({"transprot": "RC"})"), ErrorCode::unknown_key);
  EXPECT_EQ(refusal_of<model::QueuePairs>("{}"), ErrorCode::missing_key);
}

TEST(Reader, LimitsBelongToTheRange) {
  EXPECT_EQ(read_from<model::QueuePairs>(R"({"transport": "RC", "depth": 65536})").depth, 65536);
  EXPECT_EQ(read_from<model::QueuePairs>(R"({"transport": "RC", "depth": 1})").depth, 1);
  EXPECT_EQ(refusal_of<model::QueuePairs>(R"({"transport": "RC", "depth": 65537})"), ErrorCode::out_of_range);
  EXPECT_EQ(refusal_of<model::QueuePairs>(R"({"transport": "RC", "depth": 0})"), ErrorCode::out_of_range);
  const std::string timer = R"({"queue_pairs": "q", "rnr_timer": )";
  // Ten microseconds in picoseconds are not, as seconds, the double that is nearest to 1e-5.
  EXPECT_EQ(read_from<model::ReplenishStep>(timer + R"("10 us"})").rnr_timer, std::chrono::microseconds{10});
  EXPECT_EQ(refusal_of<model::ReplenishStep>(timer + R"("9.999 us"})"), ErrorCode::out_of_range);
}

TEST(Reader, WholeNumbersMayBeWrittenWithAnExponent) {
  EXPECT_EQ(read_from<model::QueuePairs>(R"({"transport": "RC", "depth": 1e3})").depth, 1000);
  EXPECT_EQ(refusal_of<model::QueuePairs>(R"({"transport": "RC", "depth": 1.5})"), ErrorCode::not_whole);
}

TEST(Reader, LeavesOfScenariosMayCarryTheirOrigin) {
  const std::string leaf = R"({"per_pass": {"value": "3 ns", "provenance": "fitted", "source": "fig07"}})";
  EXPECT_EQ(read_from<model::ComputeStep>(leaf).per_pass, std::chrono::nanoseconds{3});
}

}  // namespace
}  // namespace doorbell::scenario
