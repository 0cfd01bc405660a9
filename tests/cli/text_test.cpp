#include "cli/text.hpp"

#include <gtest/gtest.h>

#include "narrow.hpp"

namespace doorbell::cli {
namespace {

using testing::expect_narrow;
using testing::terminal;

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
  for (const std::size_t columns : {20U, 40U, 80U, 200U}) {
    expect_narrow(wrapped("a " + std::string(300, 'b') + " c d e f g h i j k", 3, terminal(columns)), columns);
    expect_narrow(table({{"name", "what"}, {"a", std::string(300, 'b')}}, terminal(columns)), columns);
  }
}

TEST(Text, IsNotCutWhereThereIsNoTerminal) {
  const std::string word(300, 'b');
  EXPECT_EQ(wrapped("a " + word, 3), "a\n   " + word + "\n");
  EXPECT_EQ(table({{"name", "what"}, {"a", word}}), "name  what\na     " + word + "\n");
}

TEST(Text, ShortensTheColumnThatIsToGiveWay) {
  std::vector<std::vector<std::string>> rows{{"name", "what", "much"}, {"abcdefghijklmnop", "qrstuvwxyz", "1"}};
  const auto whole = rows;
  shorten_column(rows, 0, terminal(40));
  EXPECT_EQ(rows, whole);
  shorten_column(rows, 0, terminal(30));
  EXPECT_EQ(rows[1][0], "abcdefghi...");
  expect_narrow(table(rows), 30);
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

TEST(Text, WhatIsKeptTogetherIsOnOneLine) {
  const std::string text = "at " + kept_together("275.8 us");
  EXPECT_EQ(wrapped(text, 2, terminal(20)), "at 275.8 us\n");
  EXPECT_EQ(wrapped(text, 2, terminal(10)), "at\n  275.8 us\n");
}

TEST(Text, TableAlignsNumbersToTheRight) {
  EXPECT_EQ(table({{"n", "name"}, {"1", "a"}, {"10", "b"}}), " n  name\n 1  a\n10  b\n");
}

TEST(Text, NamesThatATableHasNoRoomForHaveLinesOfTheirOwn) {
  const std::vector<std::vector<std::string>> rows{{"name", "n"}, {"a", "1"}, {"longer name", "23"}};
  using Lines = std::vector<std::string>;
  EXPECT_EQ(lines_of_rows(rows, terminal(15)), (Lines{"name          n\n", "a             1\n", "longer name  23\n"}));
  EXPECT_EQ(lines_of_rows(rows, terminal(12)),
            (Lines{"name       n\n", "a          1\n", "longer name\n          23\n"}));
}

TEST(Text, TableIsCutAtTheTerminalsWidth) {
  const std::string text = table({{"name"}, {std::string(100, 'x')}}, terminal(80));
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
  EXPECT_TRUE(table_fits(rows, terminal(15)));
  EXPECT_FALSE(table_fits(rows, terminal(14)));
}

}  // namespace
}  // namespace doorbell::cli
