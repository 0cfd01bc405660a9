#include "scenario/tree.hpp"

#include <gtest/gtest.h>

#include "scenario/parse.hpp"

namespace doorbell::scenario {
namespace {

TEST(Tree, ItsTextIsReadAsTheSameTree) {
  const std::string text = R"({"b":[1,2.50,1e3,[]],"a":{"x":null,"y":true,"z":false},"empty":{},"text":"a \"b\" \\"})";
  EXPECT_EQ(to_json(parse(text, "x.json")), text) << "members in their order, numbers as they were written";
}

TEST(Tree, TextsHaveNoBareQuotesNorControlCharacters) {
  EXPECT_EQ(json_string("a\"\\\n\x01"), R"("a\"\\\u000a\u0001")");
}

TEST(Tree, MembersAreFoundAndErased) {
  Node node = parse(R"({"a": 1, "b": {"a": 2}})", "x.json");
  ASSERT_NE(node.find("a"), nullptr);
  EXPECT_EQ(node.find("a")->number, 1) << "of its own, not of what is below";
  node.erase("a");
  node.erase("c");
  EXPECT_EQ(node.find("a"), nullptr);
  EXPECT_EQ(node.names(), std::vector<std::string>{"b"});
  EXPECT_EQ(parse("[1]", "x.json").find("a"), nullptr);
}

TEST(Tree, AValueWithItsOriginIsALeaf) {
  const auto is_leaf = [](const char* text) { return is_leaf_object(parse(text, "x.json")); };
  EXPECT_TRUE(is_leaf(R"({"value": 1})"));
  EXPECT_TRUE(is_leaf(R"({"source": "test", "value": [1], "provenance": "assumed"})"));
  EXPECT_FALSE(is_leaf(R"({"value": 1, "unit": "s"})")) << "a group of parameters";
  EXPECT_FALSE(is_leaf(R"({"provenance": "assumed", "source": "test"})"));
  EXPECT_FALSE(is_leaf(R"({"value": {"machine": "server"}, "source": {"machine": "client"}})")) << "names of a user";
  EXPECT_FALSE(is_leaf("1"));
}

TEST(Tree, TheAuthorIsThatOfAllBelow) {
  Node node = parse(R"({"a": [{"b": 1}]})", "x.json");
  set_author(node, Author::sweep);
  EXPECT_EQ(node.find("a")->items[0].find("b")->author, Author::sweep);
}

}  // namespace
}  // namespace doorbell::scenario
