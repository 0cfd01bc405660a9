#include "scenario/error.hpp"

#include <gtest/gtest.h>

#include <set>

namespace doorbell::scenario {
namespace {

const std::vector<std::string> names{"threads", "machine", "queue_pairs", "loop"};

TEST(Error, IsOneLineOfKnownForm) {
  const Location at{std::make_shared<const std::string>("x.json"), 12, 7};
  const ScenarioError error{{ErrorCode::wrong_type, at, "/a/b", "a count", "\"six\"", "seven"}};
  EXPECT_STREQ(error.what(), "x.json:12:7: DB103 /a/b: expected a count, found \"six\"; did you mean \"seven\"?");
}

TEST(Error, LeavesOutWhatIsNotKnown) {
  const Location at{std::make_shared<const std::string>("x.json"), 1, 1};
  const ScenarioError error{{ErrorCode::file_not_found, at, {}, "a file that exists", {}, {}}};
  EXPECT_STREQ(error.what(), "x.json:1:1: DB001: expected a file that exists");
}

TEST(Error, StaysOneLineWhateverItQuotes) {
  const Location at{std::make_shared<const std::string>("a\nb"), 1, 1};
  const ScenarioError error{{ErrorCode::wrong_type, at, "/x\ry", "t\tt", in_quotes("\x1b[31m\n"), {}}};
  for (const char* c = error.what(); *c != '\0'; ++c) EXPECT_GE(static_cast<unsigned char>(*c), 0x20U);
}

TEST(Error, QuotesAtMostSixtyBytesAndWholeCharacters) {
  EXPECT_EQ(in_quotes("abc"), "\"abc\"");
  EXPECT_EQ(in_quotes(std::string(61, 'a')), "\"" + std::string(60, 'a') + "...\"");
  // Byte 60 falls inside the two-byte character.
  EXPECT_EQ(in_quotes(std::string(59, 'a') + "\xC3\xA4xyz"), "\"" + std::string(59, 'a') + "...\"");
}

TEST(Error, NearestNameIsNearEnoughToBeMeant) {
  EXPECT_EQ(nearest("thread", names), "threads");
  EXPECT_EQ(nearest("THREADS", names), "threads");
  EXPECT_EQ(nearest("queuepair", names), "queue_pairs");
  EXPECT_EQ(nearest("bandwidth", names), "");
  EXPECT_EQ(nearest("", names), "");
  EXPECT_EQ(nearest(std::string(100'000, 'x'), names), "");
}

TEST(Error, KindsHaveOneCodeAndOneNameEach) {
  std::set<std::string> codes;
  std::set<std::string_view> kind_names;
  for (const ErrorKind& kind : error_kinds()) {
    EXPECT_TRUE(codes.insert(code_text(kind.code)).second);
    EXPECT_TRUE(kind_names.insert(kind.name).second);
    EXPECT_EQ(code_text(kind.code).size(), 5U);
    EXPECT_FALSE(kind.meaning.empty() || kind.remedy.empty());
  }
}

}  // namespace
}  // namespace doorbell::scenario
