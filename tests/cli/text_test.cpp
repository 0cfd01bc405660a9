#include "cli/text.hpp"

#include <gtest/gtest.h>

namespace doorbell::cli {
namespace {

TEST(Text, CountsCharactersNotBytes) {
  EXPECT_EQ(width("µs"), 2U);
  EXPECT_EQ(width(""), 0U);
}

TEST(Text, ShortensOnlyWhatIsTooLong) {
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
  EXPECT_EQ(shortened("äöüßÄÖÜ", 6), "äöü...");
}

TEST(Text, WrapsBetweenWordsAndKeepsColumns) {
  EXPECT_EQ(wrapped("short", 2), "short\n");
  const std::string text = wrapped("  name      value  " + std::string(50, 'x') + " " + std::string(30, 'y'), 4);
  EXPECT_EQ(text, "  name      value  " + std::string(50, 'x') + "\n    " + std::string(30, 'y') + "\n");
}

TEST(Text, NeverPassesTheTerminalsWidth) {
  const std::string text = wrapped("a " + std::string(200, 'b') + " c", 3);
  std::size_t start = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos; start = end + 1, end = text.find('\n', start)) {
    EXPECT_LE(end - start, terminal_width);
  }
}

TEST(Text, ScalesRatesToFourDigits) {
  EXPECT_EQ(rate_text({62.5e6}), "62.50 M/s");
  EXPECT_EQ(rate_text({0}), "0 /s");
  EXPECT_EQ(rate_text({999.99}), "1.000 k/s");
  EXPECT_EQ(rate_text({1234.5e9}), "1234 G/s");
}

TEST(Text, ScalesTimesToFourDigits) {
  EXPECT_EQ(time_text(Time{1'900'000}), "1.900 us");
  EXPECT_EQ(time_text(Time{450}), "0.450 ns");
  EXPECT_EQ(time_text(Time{0}), "0 ns");
  EXPECT_EQ(time_text(std::chrono::milliseconds{123}), "123.0 ms");
}

TEST(Text, BarIsFilledInProportion) {
  EXPECT_EQ(bar(0.5, 4), "##..");
  EXPECT_EQ(bar(0, 4), "....");
  EXPECT_EQ(bar(1.7, 4), "####");
  EXPECT_EQ(bar(-1, 4), "....");
}

TEST(Text, TableAlignsNumbersToTheRight) {
  EXPECT_EQ(table({{"n", "name"}, {"1", "a"}, {"10", "b"}}), " n  name\n 1  a\n10  b\n");
}

TEST(Text, TableIsCutAtTheTerminalsWidth) {
  const std::string text = table({{"name"}, {std::string(100, 'x')}});
  EXPECT_EQ(text, "name\n" + std::string(77, 'x') + "...\n");
}

TEST(ShortNames, AreAsLongAsTheyMustBe) {
  const std::vector<std::string> paths{"/a/x/threads", "/b/x/threads", "/b/x/count"};
  EXPECT_EQ(short_names(paths), (std::vector<std::string>{"a/x/threads", "b/x/threads", "count"}));
  EXPECT_EQ(short_names(paths, 2), (std::vector<std::string>{"a/x/threads", "b/x/threads", "x/count"}));
  EXPECT_EQ(short_names({"/seed", "/a/b"}, 2), (std::vector<std::string>{"seed", "a/b"}));
}

TEST(ShortNames, DoNotBeginWithAnItemOfAList) {
  EXPECT_EQ(short_names({"/a/loop/0/post", "/a/values/3"}), (std::vector<std::string>{"post", "values/3"}));
}

TEST(NumberText, IsWholeBeyondItsDigits) {
  EXPECT_EQ(number_text(11555.4, 4), "11555");
  EXPECT_EQ(number_text(9999.6, 4), "10000");
  EXPECT_EQ(number_text(96.583, 4), "96.58");
  EXPECT_EQ(number_text(0.22447, 4), "0.2245");
  EXPECT_EQ(number_text(123.4, 2), "123");
  EXPECT_EQ(number_text(0, 4), "0");
}

TEST(Table, TellsHowWideItsFirstColumnsAre) {
  const std::vector<std::vector<std::string>> rows{{"a", "bottleneck"}, {"100", "x"}};
  EXPECT_EQ(table_width(rows, 0), 17U);
  EXPECT_EQ(table_width(rows, 1), 5U);
  EXPECT_EQ(table_width(rows, 2), 0U);
}

}  // namespace
}  // namespace doorbell::cli
