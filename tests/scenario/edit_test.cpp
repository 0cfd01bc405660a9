#include "scenario/edit.hpp"

#include <gtest/gtest.h>

#include "scenario/error.hpp"
#include "scenario/parse.hpp"

namespace doorbell::scenario {
namespace {

struct Put {
  static constexpr std::string_view kind = "put";
  int pieces = 1;
};
template <class V> void describe(V& v, Put& s) { v.field("pieces", s.pieces, {.doc = "Pieces."}); }

struct Take {
  static constexpr std::string_view kind = "take";
  int pieces = 1;
};
template <class V> void describe(V& v, Take& s) { v.field("pieces", s.pieces, {.doc = "Pieces."}); }

struct Shelf {
  int boards = 1;
  std::vector<int> heights;
  std::vector<std::variant<Put, Take>> steps;
};
template <class V> void describe(V& v, Shelf& s) {
  v.field("boards", s.boards, {.doc = "Boards."});
  v.optional("heights", s.heights, {.doc = "Heights."});
  v.optional("steps", s.steps, {.doc = "What is done."});
}

struct Store {
  model::Named<Shelf> shelves;
  std::optional<Shelf> counter;
};
template <class V> void describe(V& v, Store& s) {
  v.field("shelves", s.shelves, {.doc = "Shelves."});
  v.optional("counter", s.counter, {.doc = "The counter."});
}

constexpr const char* store =
    R"({"shelves":{"left":{"boards":3,"heights":[20,30],"steps":[{"put":{"pieces":1}},{"take":{"pieces":2}}]}}})";

const Location option{std::make_shared<const std::string>("--set"), 2, 7};

/// `text` with `value` at `path`.
std::string edited(const std::string& path, const std::string& value, const std::string& text = store) {
  Node root = parse(text, "x.json");
  put(root, form_of<Store>(), *Pointer::parse(path), parse(value, "--set"), option);
  return to_json(root);
}

Complaint refusal(const std::string& path, const std::string& text = store) {
  try {
    return {ErrorCode{}, {}, {}, "a complaint", edited(path, "1", text), {}};
  } catch (const ScenarioError& error) {
    EXPECT_EQ(error.code(), ErrorCode::path_not_found) << error.what();
    EXPECT_EQ(error.pointer(), path) << error.what();
    EXPECT_EQ(error.file(), "--set");
    EXPECT_EQ(error.line(), 2);
    EXPECT_EQ(error.column(), 7);
    return error.complaint();
  }
}

TEST(Edit, ReplacesTheValueAtThePath) {
  EXPECT_EQ(edited("/shelves/left/boards", "5", R"({"shelves":{"left":{"boards":3}}})"),
            R"({"shelves":{"left":{"boards":5}}})");
  EXPECT_EQ(edited("/shelves/left", "null", R"({"counter":1,"shelves":{"left":{},"right":{}}})"),
            R"({"counter":1,"shelves":{"left":null,"right":{}}})");
  EXPECT_EQ(edited("/shelves/left/boards", "5",
                   R"({"shelves":{"left":{"boards":{"value":3,"provenance":"stated","source":"x"}}}})"),
            R"({"shelves":{"left":{"boards":5}}})");
}

TEST(Edit, ReplacesAnItemOrAWholeList) {
  const std::string list = R"({"shelves":{"left":{"heights":[20,30]}}})";
  EXPECT_EQ(edited("/shelves/left/heights/1", "5", list), R"({"shelves":{"left":{"heights":[20,5]}}})");
  EXPECT_EQ(edited("/shelves/left/heights", "[5]", list), R"({"shelves":{"left":{"heights":[5]}}})");
}

TEST(Edit, ReachesIntoSteps) {
  EXPECT_EQ(edited("/shelves/left/steps/0/put/pieces", "5", R"({"shelves":{"left":{"steps":[{"put":{}}]}}})"),
            R"({"shelves":{"left":{"steps":[{"put":{"pieces":5}}]}}})");
}

TEST(Edit, MakesWhatAScenarioMayLeaveOut) {
  EXPECT_EQ(edited("/counter/boards", "5", R"({"shelves":{}})"), R"({"shelves":{},"counter":{"boards":5}})");
  EXPECT_EQ(edited("/shelves/left/heights", "[5]", R"({"shelves":{"left":{}}})"),
            R"({"shelves":{"left":{"heights":[5]}}})");
}

TEST(Edit, WhatItMakesStandsWhereThePathWasWritten) {
  Node root = parse("{}", "x.json");
  put(root, form_of<Store>(), *Pointer::parse("/counter/boards"), parse("5", "value"), option);
  const Member& counter = root.members.at(0);
  for (const Location& at : {counter.at, counter.value.at, counter.value.members.at(0).at}) {
    EXPECT_EQ(at.file_name(), "--set");
    EXPECT_EQ(at.line, 2);
    EXPECT_EQ(at.column, 7);
  }
  EXPECT_EQ(counter.value.members.at(0).value.at.file_name(), "value");
}

TEST(Edit, ANewEntryIsPutAsAWhole) {
  EXPECT_EQ(edited("/shelves/right", R"({"boards":2})", R"({"shelves":{"left":{}}})"),
            R"({"shelves":{"left":{},"right":{"boards":2}}})");
  const Complaint part = refusal("/shelves/lift/boards");
  EXPECT_EQ(part.expected, "one of \"left\"");
  EXPECT_EQ(part.found, "\"lift\"");
  EXPECT_EQ(part.suggestion, "left");
  EXPECT_EQ(refusal("/shelves/left/boards", R"({"shelves":{}})").expected, "an entry that exists");
}

TEST(Edit, RefusesUnknownNamesWithTheNearest) {
  const Complaint top = refusal("/shelfs");
  EXPECT_EQ(top.expected, "one of \"shelves\" or \"counter\"");
  EXPECT_EQ(top.found, "\"shelfs\"");
  EXPECT_EQ(top.suggestion, "shelves");
  EXPECT_EQ(refusal("/shelves/left/board").suggestion, "boards");
  EXPECT_EQ(refusal("/counter/bords").suggestion, "boards");
}

TEST(Edit, RefusesItemsThatAreNotThere) {
  for (const char* index : {"2", "-1", "01", "last"}) {
    const Complaint complaint = refusal(std::string{"/shelves/left/heights/"} + index);
    EXPECT_EQ(complaint.expected, "an index below 2");
    EXPECT_EQ(complaint.found, '"' + std::string{index} + '"');
  }
}

TEST(Edit, RefusesStepsOfAnotherKind) {
  const Complaint other = refusal("/shelves/left/steps/1/put/pieces");
  EXPECT_EQ(other.expected, "the kind of the step there, \"take\"");
  EXPECT_EQ(other.found, "\"put\"");
  EXPECT_EQ(refusal("/shelves/left/steps/0/drop", R"({"shelves":{"left":{"steps":[{"drop":{}}]}}})").expected,
            "one of \"put\" or \"take\"");
}

TEST(Edit, RefusesPathsThatGoOnBelowAValue) {
  EXPECT_EQ(refusal("/shelves/left/boards/x").expected, "a path that ends at a single value");
  EXPECT_EQ(refusal("/shelves/left/heights/0/x").expected, "a path that ends at a single value");
  EXPECT_EQ(refusal("/counter/boards", R"({"counter":"counter.json"})").expected, "an object");
  EXPECT_EQ(refusal("/shelves/left/heights/0",
                    R"({"shelves":{"left":{"heights":{"value":[20],"provenance":"stated","source":"x"}}}})")
                .expected,
            "a path that ends at the list, to replace all of it");
}

}  // namespace
}  // namespace doorbell::scenario
