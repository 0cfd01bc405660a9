#include "tools/output_line.hpp"

#include <gtest/gtest.h>

#include "tools/output_error.hpp"

namespace doorbell::tools {
namespace {

TEST(OutputLine, IsCutWhereLinesEnd) {
  OutputLines lines{"one\r\n\n three", "out.txt"};
  EXPECT_EQ(lines.line().number, 1);
  EXPECT_EQ(lines.line().text, "");
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line().text, "one");
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line().text, "");
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line().text, " three");
  EXPECT_EQ(lines.line().number, 3);
  EXPECT_EQ(lines.offset(), 6U);
  EXPECT_FALSE(lines.next());
  EXPECT_EQ(lines.line().number, 3) << "the last one stays";
}

TEST(OutputLine, CountsOnBehindWhatIsSkipped) {
  constexpr std::string_view text = "a\n{\n} b\nc\n";
  OutputLines lines{text, "out.txt"};
  ASSERT_TRUE(lines.next() && lines.next());
  lines.skip_to(text.find('}') + 1);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line().text, " b");
  EXPECT_EQ(lines.line().number, 3);
  EXPECT_EQ(lines.line().mention().at.column, 3);
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line().number, 4);
  EXPECT_EQ(lines.line().mention().at.column, 1) << "of a line of its own";
}

TEST(OutputLine, CountsCharactersOfAllThatIsSkippedOnItsLine) {
  constexpr std::string_view text = "{\n\u00b5} {} {\n} {} b\n";
  OutputLines lines{text, "out.txt"};
  for (const std::string_view rest : {" {} {\n} {} b\n", " {\n} {} b\n"}) {
    ASSERT_TRUE(lines.next());
    lines.skip_to(text.find(rest));
  }
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line().mention().at.line, 2);
  EXPECT_EQ(lines.line().mention().at.column, 7);
  lines.skip_to(text.find(" {} b"));
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line().mention().at.line, 3);
  EXPECT_EQ(lines.line().mention().at.column, 3);
  lines.skip_to(text.find(" b"));
  ASSERT_TRUE(lines.next());
  EXPECT_EQ(lines.line().mention().at.column, 6);
}

TEST(OutputLine, SaysWhereItsPartsStand) {
  const auto file = std::make_shared<const std::string>("out.txt");
  const OutputLine line{file, 7, "  \u00b5s : 12 \t"};
  EXPECT_EQ(line.mention().at.column, 3);
  EXPECT_EQ(line.mention_of(line.from("12")).at.column, 8);
  EXPECT_EQ(line.mention_of(line.end()).at.column, 10);
  EXPECT_EQ(line.mention_of(line.from("13")).at.column, 12) << "the end where it is not";
  EXPECT_EQ((OutputLine{file, 7, " "}.mention().at.column), 1);
  try {
    line.fail_at(line.from("12").substr(0, 2), "13");
  } catch (const OutputError& error) {
    EXPECT_EQ(error.what(), std::string{"out.txt:7:8: DB601: expected 13, found \"12\""});
  }
}

}  // namespace
}  // namespace doorbell::tools
