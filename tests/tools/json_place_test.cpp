#include "tools/json_place.hpp"

#include <gtest/gtest.h>

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

TEST(JsonPlace, MayBeAskedForInAnyOrder) {
  JsonPlaces places{two_documents, "out.json"};
  EXPECT_EQ(places.at(two_documents.size() + 9).line, 5);
  EXPECT_EQ(places.at(0).line, 1);
  EXPECT_EQ(places.at(10).line, 2);
  EXPECT_EQ((JsonPlaces{"", "out.json"}.at(3).column), 1);
}

}  // namespace
}  // namespace doorbell::tools
