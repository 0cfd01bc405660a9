#include "scenario/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace doorbell::scenario {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Words, AreWhatStandsBetweenBlanks) {
  EXPECT_THAT(words_of("one two"), ElementsAre("one", "two"));
  EXPECT_THAT(words_of(" \tone\v\ftwo three\r"), ElementsAre("one", "two", "three"));
  EXPECT_THAT(words_of("a,b \"c d\""), ElementsAre("a,b", "\"c", "d\"")) << "neither commas nor quotes mean anything";
  EXPECT_THAT(words_of(""), IsEmpty());
  EXPECT_THAT(words_of(" \t\r"), IsEmpty());
}

TEST(Words, KeepBytesThatAreNoText) {
  using namespace std::string_view_literals;
  EXPECT_THAT(words_of("a\0b \xE4 c"sv), ElementsAre("a\0b"sv, "\xE4"sv, "c"sv));
}

TEST(Words, StandInColumnsThatCountCharacters) {
  constexpr std::string_view line = "  \u00b5s \u20ac 7";
  const std::vector<std::string_view> words = words_of(line);
  ASSERT_EQ(words.size(), 3U);
  EXPECT_EQ(column_of(words[0], line), 3);
  EXPECT_EQ(column_of(words[1], line), 6);
  EXPECT_EQ(column_of(words[2], line), 8);
  EXPECT_EQ(column_of(line.substr(line.size()), line), 9) << "behind the last";
  EXPECT_EQ(characters_in(line), 8);
}

TEST(Words, AreOfUtf8UnlessTheyAreBroken) {
  constexpr std::size_t none = std::string_view::npos;
  EXPECT_EQ(broken_character(""), none);
  EXPECT_EQ(broken_character("a \u00b5 \u20ac \U0001F600 \U0010FFFF"), none);
  EXPECT_EQ(broken_character("sm\xE4ll"), 2U) << "Latin-1";
  EXPECT_EQ(broken_character("ab\xE4"), 2U);
  EXPECT_EQ(broken_character("\u20ac\xBF"), 3U);
  EXPECT_EQ(broken_character("\xC0\x80"), 0U) << "longer than need be";
  EXPECT_EQ(broken_character("\xE0\x80\x80"), 0U);
  EXPECT_EQ(broken_character("\xED\xA0\x80"), 0U) << "half of a pair";
  EXPECT_EQ(broken_character("\xF4\x90\x80\x80"), 0U) << "beyond the last";
  EXPECT_EQ(broken_character("a\xFF\xFE"), 1U) << "UTF-16";
}

}  // namespace
}  // namespace doorbell::scenario
