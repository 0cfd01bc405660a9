#include "tools/json_text.hpp"

#include <gtest/gtest.h>

namespace doorbell::tools {
namespace {

using nlohmann::ordered_json;

TEST(JsonText, KeepsWhatFitsOnOneLine) {
  const ordered_json small{{"b", 1}, {"a", {1, 2.5, "x\"y"}}};
  EXPECT_EQ(to_text(small), "{\"b\": 1, \"a\": [1, 2.5, \"x\\\"y\"]}\n");
}

TEST(JsonText, BreaksWhatDoesNot) {
  const ordered_json large{{"first", std::string(70, 'f')}, {"second", {{"third", std::string(60, 's')}}}};
  EXPECT_EQ(to_text(large), "{\n  \"first\": \"" + std::string(70, 'f') + "\",\n  \"second\": {\"third\": \"" +
                                std::string(60, 's') + "\"}\n}\n");
}

TEST(JsonText, MeansTheSame) {
  ordered_json value{{"empty", ordered_json::object()}, {"none", ordered_json::array()}, {"null", nullptr}};
  for (int i = 0; i < 40; ++i) value["list"].push_back({{"number", i}, {"truth", i % 2 == 0}});
  EXPECT_EQ(ordered_json::parse(to_text(value)), value);
}

}  // namespace
}  // namespace doorbell::tools
