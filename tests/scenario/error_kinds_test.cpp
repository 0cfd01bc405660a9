#include "scenario/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "workspace.hpp"

namespace doorbell::scenario::testing {
namespace {

TEST(ErrorKinds, PageIsTheOneInTheRepository) { EXPECT_EQ(read_all(repository / "docs/errors.md"), error_page()); }

TEST(ErrorKinds, HaveNamesOfTheirOwnAndRemedies) {
  std::vector<std::string_view> names;
  for (const ErrorKind& kind : error_kinds()) {
    names.push_back(kind.name);
    EXPECT_FALSE(kind.meaning.empty()) << kind.name;
    EXPECT_FALSE(kind.remedy.empty()) << kind.name;
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

}  // namespace
}  // namespace doorbell::scenario::testing
