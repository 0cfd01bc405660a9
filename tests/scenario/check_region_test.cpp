// Regions that operations cannot go to.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

/// The good scenario, whose clients also post to a region of the worker's.
class PostsToRegions : public Variants {
 protected:
  [[nodiscard]] static std::string posting(const std::string& members) {
    const std::string with_more = replaced(good_scenario, R"({"requests": {"transport": "UC"}})",
                                           R"({"requests": {"transport": "UC"}, "more": {"transport": "RC"}})");
    return replaced(
        with_more, R"({"await": {"at_least": 0}})",
        R"({"post": {"queue_pairs": "more", "to": "worker", )" + members + R"(}}, {"await": {"at_least": 0}})");
  }
  const std::string second_ = "/programs/client/loop/1/post";
};

TEST_F(PostsToRegions, AnAtomicAccessesAWordOfItsObject) {
  const auto at = [](const std::string& offset) {
    return posting(R"("verb": "FETCH_ADD", "payload": "0 B", "region": {"count": 1, "stride": "64 B",
                               "offset": ")" +
                   offset + "\"}");
  };
  EXPECT_NO_THROW((void)load(file(at("56 B"))));
  expect_complaint(at("64 B"), region_does_not_fit, second_ + "/region/stride");
}

TEST_F(PostsToRegions, AtomicsAccessAlignedWords) {
  const auto with = [](const std::string& verb, int count, const std::string& stride, const std::string& offset) {
    return posting(R"("verb": ")" + verb + R"(", "payload": "8 B", "region": {"count": )" + std::to_string(count) +
                   R"(, "stride": ")" + stride + R"(", "offset": ")" + offset + "\"}");
  };
  EXPECT_NO_THROW((void)load(file(with("FETCH_ADD", 9, "24 B", "8 B"))));
  expect_complaint(with("FETCH_ADD", 9, "24 B", "4 B"), atomic_unaligned, second_ + "/region/offset");
  expect_complaint(with("COMPARE_SWAP", 9, "20 B", "8 B"), atomic_unaligned, second_ + "/region/stride");
  EXPECT_NO_THROW((void)load(file(with("FETCH_ADD", 1, "20 B", "8 B")))) << "one object, at address 0";
  EXPECT_NO_THROW((void)load(file(with("READ", 9, "20 B", "4 B"))));
}

TEST_F(PostsToRegions, AtomicsThatAreMixedInAccessAlignedWords) {
  const auto at = [](const std::string& offset) {
    return posting(R"("verb": "READ", "payload": "8 B", "mix": [{"share": 0.5, "verb": "FETCH_ADD",
                               "region": {"count": 9, "stride": "64 B", "offset": ")" +
                   offset + "\"}}]");
  };
  EXPECT_NO_THROW((void)load(file(at("24 B"))));
  expect_complaint(at("25 B"), atomic_unaligned, second_ + "/mix/0/region/offset");
}

TEST_F(PostsToRegions, HaveRoomForWhatTheyAreAskedFor) {
  const auto reading = [](const std::string& payload, const std::string& region) {
    return posting(R"("verb": "READ", "payload": ")" + payload + R"(", "region": {)" + region + "}");
  };
  EXPECT_NO_THROW((void)load(file(reading("56 B", R"("count": 1, "stride": "64 B", "offset": "8 B")"))));
  expect_complaint(reading("60 B", R"("count": 1, "stride": "64 B", "offset": "8 B")"), region_does_not_fit,
                   second_ + "/region/stride");
  EXPECT_NO_THROW((void)load(file(reading("8 B", R"("count": 1e9, "stride": "1 MB")"))));
  expect_complaint(reading("8 B", R"("count": 1e12, "stride": "1 MB")"), region_does_not_fit,
                   second_ + "/region/count");
  expect_complaint(reading("8 B", R"("count": 9, "stride": "64 B", "page": "3 MiB")"), region_does_not_fit,
                   second_ + "/region/page");
}

TEST_F(PostsToRegions, AreSkewedOnlyWhereTheOrderIsRandom) {
  const auto reading = [](const std::string& pattern) {
    return posting(R"("verb": "READ", "region": {"count": 9, "stride": "64 B", "skew": 0.99, "pattern": ")" + pattern +
                   "\"}");
  };
  EXPECT_NO_THROW((void)load(file(reading("random"))));
  expect_complaint(reading("sequential"), skew_in_order, second_ + "/region/skew");
}

TEST_F(PostsToRegions, SendsHaveNone) {
  expect_complaint(replaced(posting(R"("verb": "SEND", "region": {"count": 1, "stride": "64 B"})"),
                            R"("transport": "RC")", R"("transport": "UC")"),
                   region_misplaced, second_ + "/region");
}

}  // namespace
}  // namespace doorbell::scenario::testing
