#include "scenario/doubt.hpp"

#include <gtest/gtest.h>

namespace doorbell::scenario {
namespace {

Parameter parameter(const std::string& pointer, const std::string& value, const std::string& provenance = "assumed",
                    const std::string& source = "a book") {
  return {pointer, value, "what it is", provenance, source};
}

TEST(ScaledValue, KeepsTheUnit) {
  EXPECT_EQ(scaled_value("24.7 ns", 2), "49.4 ns");
  EXPECT_EQ(scaled_value("4 KiB", 0.5), "2 KiB");
  EXPECT_EQ(scaled_value("984.6 MB/s", 0.5), "492.3 MB/s");
  EXPECT_EQ(scaled_value("0.5", 2), "1");
  EXPECT_EQ(scaled_value("1.0", 0.5), "0.5");
}

TEST(ScaledValue, LeavesCountsAndBytesWhole) {
  EXPECT_EQ(scaled_value("5", 0.5), "3");
  EXPECT_EQ(scaled_value("17 B", 0.5), "9 B");
  EXPECT_EQ(scaled_value("1000000", 2), "2000000");
}

TEST(ScaledValue, LeavesBytesWholeWhateverTheirUnit) {
  EXPECT_EQ(scaled_value("64 KiB", 1.1), "72090 B");
  EXPECT_EQ(scaled_value("64 KiB", 1 / 1.1), "59578 B");
  EXPECT_EQ(scaled_value("1 MB", 1.0 / 3), "333333 B");
  EXPECT_EQ(scaled_value("0.5 KiB", 2), "1 KiB");
  EXPECT_EQ(scaled_value("1 KiB", 1.0001), std::nullopt);
}

TEST(ScaledValue, IsNoFinerThanAPicosecond) {
  EXPECT_EQ(scaled_value("6.37 ns", 1 / 1.1), "5.791 ns");
  EXPECT_EQ(scaled_value("0.35 ns", 1.0 / 3), "0.117 ns");
  EXPECT_EQ(scaled_value("1 ps", 0.5), std::nullopt);
}

TEST(ScaledValue, IsNothingWhereNothingChanges) {
  EXPECT_EQ(scaled_value("1", 0.5), std::nullopt) << "half a processing unit is none, or one again";
  EXPECT_EQ(scaled_value("0 ns", 2), std::nullopt);
  EXPECT_EQ(scaled_value("2", 1.1), std::nullopt);
}

TEST(ScaledValue, IsNothingForWhatIsNoNumber) {
  for (const char* value : {"", "true", "UD", "[\"3.0 GHz\",\"2.8 GHz\"]", "inf", "nan", "4x2", "0x10"})
    EXPECT_EQ(scaled_value(value, 2), std::nullopt) << value;
}

TEST(Doubts, AreOfTheProvenancesAskedFor) {
  const std::vector<Parameter> all{parameter("/machines/server/hardware/nic/a", "2 ns"),
                                   parameter("/machines/server/hardware/nic/b", "2 ns", "fitted"),
                                   parameter("/machines/server/hardware/nic/c", "true")};
  const auto assumed = doubts(all, {"assumed"}, 2);
  ASSERT_EQ(assumed.size(), 1U);
  EXPECT_EQ(assumed[0].low, "1 ns");
  EXPECT_EQ(assumed[0].high, "4 ns");
  EXPECT_EQ(doubts(all, {"assumed", "fitted"}, 2).size(), 2U);
  EXPECT_TRUE(doubts(all, {"stated"}, 2).empty());
}

TEST(Doubts, AreNotOfTheMeasurement) {
  for (const char* pointer : {"/measure/warmup", "/measure/duration", "/measure/relative_ci", "/storage/duration",
                              "/remote_memory/warmup", "/seed"}) {
    EXPECT_TRUE(doubts({parameter(pointer, "2", "scenario")}, {"scenario"}, 2).empty()) << pointer;
  }
  EXPECT_EQ(doubts({parameter("/programs/duration/threads", "2", "scenario")}, {"scenario"}, 2).size(), 1U);
}

TEST(Doubts, MachinesOfOneProfileShareThem) {
  const auto shared = doubts(
      {parameter("/machines/server/hardware/nic/a", "2 ns"), parameter("/machines/client/hardware/nic/a", "2 ns")},
      {"assumed"}, 2);
  ASSERT_EQ(shared.size(), 1U);
  EXPECT_EQ(shared[0].pointers,
            (std::vector<std::string>{"/machines/server/hardware/nic/a", "/machines/client/hardware/nic/a"}));
}

TEST(Doubts, WhatDiffersIsVariedByItself) {
  const Parameter first = parameter("/machines/server/hardware/nic/a", "2 ns");
  for (const Parameter& other :
       {parameter("/machines/client/hardware/nic/a", "3 ns"),
        parameter("/machines/client/hardware/nic/a", "2 ns", "assumed", "another book"),
        parameter("/machines/client/hardware/nic/b", "2 ns"), parameter("/machines/client/hardware/cpu/a", "2 ns")}) {
    EXPECT_EQ(doubts({first, other}, {"assumed"}, 2).size(), 2U) << other.pointer << " " << other.source;
  }
  // Two of a scenario's own numbers may stand on one line.
  EXPECT_EQ(doubts({parameter("/programs/a/loop/0/post/batch", "4", "scenario", "x.json:1"),
                    parameter("/programs/b/loop/0/post/batch", "4", "scenario", "x.json:1")},
                   {"scenario"}, 2)
                .size(),
            2U);
  // A default has no source that would tell two steps of a program apart.
  EXPECT_EQ(doubts({parameter("/programs/a/loop/0/post/batch", "2", "default", ""),
                    parameter("/programs/b/loop/0/post/batch", "2", "default", "")},
                   {"default"}, 2)
                .size(),
            2U);
}

}  // namespace
}  // namespace doorbell::scenario
