#include "tools/json_place.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "tools/fio_output.hpp"

namespace doorbell::tools {
namespace {

constexpr std::string_view two_documents =
    "warning {\n"
    "{\"a\": [1, {\"b \\\"}\": \"]\"}],\n"
    "  \"c\": {\"d/e\": -1.5e3}}\n"
    "{\"\u00b5\": 1, \"c\": [\n"
    "  true]}\n";

std::pair<int, int> place(std::size_t begin, const scenario::Pointer& pointer) {
  const scenario::Location at = JsonPlaces{two_documents, "out.json"}.of(begin, pointer);
  EXPECT_EQ(at.file_name(), "out.json");
  return {at.line, at.column};
}

using Place = std::pair<int, int>;

TEST(JsonPlace, IsThatOfAValue) {
  const std::size_t begin = two_documents.find("\n{") + 1;
  const scenario::Pointer root;
  EXPECT_EQ(place(begin, root), (Place{2, 1}));
  EXPECT_EQ(place(begin, root / "a"), (Place{2, 7}));
  EXPECT_EQ(place(begin, root / "a" / 1), (Place{2, 11}));
  EXPECT_EQ(place(begin, root / "a" / 1 / "b \"}"), (Place{2, 21}));
  EXPECT_EQ(place(begin, root / "c" / "d/e"), (Place{3, 16}));
}

TEST(JsonPlace, IsThatOfWhatIsAroundAValueThatIsNotThere) {
  const std::size_t begin = two_documents.find("\n{") + 1;
  EXPECT_EQ(place(begin, scenario::Pointer{} / "a" / 2), (Place{2, 7}));
  EXPECT_EQ(place(begin, scenario::Pointer{} / "c" / "d" / "e"), (Place{3, 8}));
  EXPECT_EQ(place(begin, scenario::Pointer{} / "x"), (Place{2, 1}));
}

TEST(JsonPlace, BelongsToItsDocumentAndCountsCharacters) {
  const std::size_t begin = two_documents.rfind("\n{") + 1;
  EXPECT_EQ(place(begin, scenario::Pointer{} / "\u00b5"), (Place{4, 7}));
  EXPECT_EQ(place(begin, scenario::Pointer{} / "c" / 0), (Place{5, 3}));
}

TEST(JsonPlace, OfANameGivenTwiceIsThatOfTheLast) {
  constexpr std::string_view twice = R"({"a": 1, "b": 2, "a": 3})";
  EXPECT_EQ(nlohmann::json::parse(twice)["a"], 3) << "which the library keeps";
  EXPECT_EQ((JsonPlaces{twice, "out.json"}.of(0, scenario::Pointer{} / "a").column), 23);
}

TEST(JsonPlace, TakesOneWalkHoweverManyAreAskedFor) {
  for (const std::size_t jobs : {100U, 1000U}) {
    const std::vector<nlohmann::json> same(jobs, fio_job({{"bs", "4k"}, {"iodepth", "4"}}, 1e9, 0));
    const std::string text = fio_output(same, {{"direct", "1"}});
    JsonPlaces places{text, "out.json"};
    const auto ask_for_all = [&] {
      int last_line = 0;
      for (std::size_t job = jobs; job-- > 0;) {
        const scenario::Pointer options = scenario::Pointer{} / "jobs" / job / "job options";
        last_line = std::max(last_line, places.of(0, options / "iodepth").line);
        EXPECT_EQ(places.of(0, options / "bs").line + 1, places.of(0, options / "iodepth").line);
        static_cast<void>(places.of(0, scenario::Pointer{} / "global options" / "direct"));
      }
      return last_line;
    };
    EXPECT_GT(ask_for_all(), static_cast<int>(10 * (jobs - 1)));
    // Each byte at most once for each object and array around it, of which a job's options have four.
    EXPECT_LE(places.walked(), 4 * text.size());
    const std::size_t walked = places.walked();
    static_cast<void>(ask_for_all());
    EXPECT_EQ(places.walked(), walked);
  }
}

TEST(JsonPlace, IsExactInLongLines) {
  std::string text = "[";
  for (int i = 0; i < 2000; ++i) text += "\"\u00b5\",";
  text += "\n7]";
  JsonPlaces places{text, "out.json"};
  EXPECT_EQ(places.of(0, scenario::Pointer{} / 1999).column, 2 + 4 * 1999);
  EXPECT_EQ(places.of(0, scenario::Pointer{} / 300).column, 2 + 4 * 300) << "backwards";
  EXPECT_EQ(places.of(0, scenario::Pointer{} / 2000).line, 2);
  EXPECT_EQ(places.of(0, scenario::Pointer{} / 2000).column, 1);
}

TEST(JsonPlace, MayBeAskedForInAnyOrder) {
  JsonPlaces places{two_documents, "out.json"};
  EXPECT_EQ(places.at(two_documents.size() + 9).line, 5);
  EXPECT_EQ(places.at(0).line, 1);
  EXPECT_EQ(places.at(10).line, 2);
  EXPECT_EQ((JsonPlaces{"", "out.json"}.at(3).column), 1);
}

}  // namespace
}  // namespace doorbell::tools
