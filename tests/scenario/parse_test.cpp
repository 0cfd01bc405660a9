#include "scenario/parse.hpp"

#include <gtest/gtest.h>

#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

void expect_place(const Location& at, int line, int column) {
  EXPECT_EQ(at.file_name(), "x.json");
  EXPECT_EQ(at.line, line);
  EXPECT_EQ(at.column, column);
}

TEST(Parse, KnowsWhereEveryValueStands) {
  const Node root = parse("{\n  \"a\": [1, true,\n  null],\n\t\"b\": \"x\"}", "x.json");
  expect_place(root.at, 1, 1);
  expect_place(root.members[0].at, 2, 3);
  const Node& list = root.members[0].value;
  expect_place(list.at, 2, 8);
  expect_place(list.items[0].at, 2, 9);
  expect_place(list.items[1].at, 2, 12);
  expect_place(list.items[2].at, 3, 3);
  expect_place(root.members[1].at, 4, 2);
  expect_place(root.members[1].value.at, 4, 7);
}

TEST(Parse, PlacesBehindCommentsAndStringsThatLookLikeThem) {
  const Node root = parse("// {\"a\": 1}\n/* \"b\" */ {\"c//\": \"/* \\\" ]\",\n\"d\": 2}", "x.json");
  expect_place(root.at, 2, 11);
  expect_place(root.members[0].value.at, 2, 19);
  expect_place(root.members[1].value.at, 3, 6);
}

TEST(Parse, ColumnsCountCharacters) {
  const Node root = parse("{\"\u00b5\u20ac\": 5}", "x.json");
  expect_place(root.members[0].value.at, 1, 8);
}

TEST(Parse, RefusesWhatWouldSteerATerminal) {
  for (const char* text : {R"({"title": "x\u001b[31m"})", R"({"title": "x\ny"})", R"({"a\u0007": {"title": 1}})",
                           R"({"title": ["\u009b31m"]})", R"({"title": "\u007f"})", "{\"title\": \"\x7f\"}"}) {
    try {
      static_cast<void>(parse(text, "x.json"));
      ADD_FAILURE() << text;
    } catch (const ScenarioError& error) {
      EXPECT_EQ(error.code(), ErrorCode::control_character) << text;
      EXPECT_FALSE(has_control_character(error.what())) << error.what();
      EXPECT_FALSE(error.pointer().empty());
    }
  }
  EXPECT_EQ(parse(R"({"label": "a\nb"})", "x.json", LineBreaks::allowed).members[0].value.text, "a\nb");
  EXPECT_FALSE(has_control_character("\u00b5 \u20ac \u00a0 \u4e0a")) << "printable";
}

TEST(Parse, ByteOrderMarkIsNoColumn) { expect_place(parse("\xEF\xBB\xBF{}", "x.json").at, 1, 1); }

TEST(Parse, LinesOfWindows) { expect_place(parse("{\r\n\"a\":\r\n 5}", "x.json").members[0].value.at, 3, 2); }

TEST(Parse, KeepsNumbersAsTheyWereWritten) {
  const Node root = parse("[1.50, 1e3, -0, 18446744073709551616]", "x.json");
  EXPECT_EQ(to_json(root), "[1.50,1e3,-0,18446744073709551616]");
  EXPECT_EQ(root.items[1].number, 1000);
}

TEST(Parse, KeepsTheOrderOfKeys) {
  EXPECT_EQ(parse(R"({"z": 1, "a": 2})", "x").names(), (std::vector<std::string>{"z", "a"}));
}

TEST(Parse, DepthOf64IsEnoughAnd65TooMuch) {
  EXPECT_NO_THROW(static_cast<void>(parse(std::string(64, '[') + std::string(64, ']'), "x.json")));
  EXPECT_THROW(static_cast<void>(parse(std::string(65, '[') + std::string(65, ']'), "x.json")), ScenarioError);
  // Far deeper text must not reach the stack's end.
  EXPECT_THROW(static_cast<void>(parse(std::string(1'000'000, '['), "x.json")), ScenarioError);
}

}  // namespace
}  // namespace doorbell::scenario
