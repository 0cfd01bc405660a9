#include "scenario/pointer.hpp"

#include <gtest/gtest.h>

#include "scenario/parse.hpp"

namespace doorbell::scenario {
namespace {

TEST(Pointer, DotsAndSlashesMeanTheSame) {
  const auto slashes = Pointer::parse("/programs/worker/loop/0");
  ASSERT_TRUE(slashes.has_value());
  EXPECT_EQ(slashes, Pointer::parse("programs.worker.loop.0"));
  EXPECT_EQ(slashes->text(), "/programs/worker/loop/0");
  EXPECT_EQ(*slashes, Pointer{} / "programs" / "worker" / "loop" / std::size_t{0});
}

TEST(Pointer, EscapesSurvive) {
  const auto pointer = Pointer::parse("/a~1b/c~0d/e.f");
  ASSERT_TRUE(pointer.has_value());
  EXPECT_EQ(pointer->tokens(), (std::vector<std::string>{"a/b", "c~d", "e.f"}));
  EXPECT_EQ(pointer->text(), "/a~1b/c~0d/e.f");
}

TEST(Pointer, RefusesWhatIsNoPath) {
  for (const char* text : {"", "/", ".", "a..b", "/a//b", "a.", "/a/", "/a~", "/a~2"}) {
    EXPECT_FALSE(Pointer::parse(text).has_value()) << text;
  }
}

TEST(Pointer, IndicesAreWrittenInOneWay) {
  EXPECT_EQ(index_of("0", 3), 0U);
  EXPECT_EQ(index_of("2", 3), 2U);
  for (const char* token : {"3", "-1", "01", "1x", "", "+1", "99999999999999999999"}) {
    EXPECT_FALSE(index_of(token, 3).has_value()) << token;
  }
}

TEST(Pointer, FindsTheValueOrWhatIsAroundIt) {
  const Node root = parse(R"({"a": [1, {"b": 2}]})", "x.json");
  const Node* found = find(root, *Pointer::parse("/a/1/b"));
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->number, 2);
  EXPECT_EQ(find(root, *Pointer::parse("/a/2")), nullptr);
  EXPECT_EQ(find(root, *Pointer::parse("/a/1/b/c")), nullptr);
  EXPECT_EQ(&nearest_node(root, *Pointer::parse("/a/1/c/d")), &root.find("a")->items[1]);
  EXPECT_EQ(&nearest_node(root, Pointer{}), &root);
}

}  // namespace
}  // namespace doorbell::scenario
