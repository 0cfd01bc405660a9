#include "tools/json_document.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tools/output_error.hpp"

namespace doorbell::tools {
namespace {

using testing::HasSubstr;

nlohmann::json read(std::string_view text, std::size_t& at) {
  return read_document(text, at, JsonPlaces{text, "out.json"}, "JSON");
}
std::string refusal(std::string_view text, std::size_t at = 0) {
  try {
    static_cast<void>(read(text, at));
  } catch (const OutputError& error) {
    return error.what();
  }
  return "none";
}

TEST(JsonDocument, IsFollowedByAnother) {
  constexpr std::string_view text = "{\"a\": \"}\\\"\"}\n[1, {}] behind";
  std::size_t at = 0;
  EXPECT_EQ(read(text, at)["a"], "}\"");
  EXPECT_EQ(at, 12U);
  EXPECT_EQ(read(text, at).size(), 2U);
  EXPECT_EQ(text.substr(at), " behind");
}

TEST(JsonDocument, IsRefusedWhereItIsWrong) {
  EXPECT_EQ(refusal("{\"a\":\n  x}"), "out.json:2:3: DB601: expected JSON, found no valid JSON");
  EXPECT_EQ(refusal("{\"a\": ]}"), "out.json:1:7: DB601: expected JSON, found no valid JSON");
  EXPECT_EQ(refusal("{\"a\": [1,\n 2\n\n"), "out.json:2:2: DB601: expected JSON, found no complete JSON");
  EXPECT_THAT(refusal("{\"a\": \"b"), HasSubstr("no complete JSON"));
  EXPECT_THAT(refusal("before {", 7), HasSubstr("out.json:1:8: DB601"));
}

TEST(JsonDocument, NamesThePlaceOfANumberBeyondAllBounds) {
  EXPECT_EQ(refusal("{\"1e999\": [1,\n 1e999]}"),
            "out.json:2:2: DB601: expected JSON, found a number beyond all bounds");
}

TEST(JsonDocument, OfAnyDepthAndLengthIsFoundOnOneShortLine) {
  std::string deep(200'000, '[');
  deep += std::string(200'000, ']');
  std::size_t at = 0;
  EXPECT_EQ(found_text(read(deep, at)), "an array");
  EXPECT_LT(found_text(std::string(100'000, 'x')).size(), 100U);
  EXPECT_EQ(found_text(4.5), "4.5");
  EXPECT_EQ(found_text(nullptr), "null");
  EXPECT_EQ(found_text(nlohmann::json::object()), "an object");
}

}  // namespace
}  // namespace doorbell::tools
