// The schemas in the repository are those that the declarations give.
#include "scenario/schema.hpp"

#include <gtest/gtest.h>

#include "workspace.hpp"

namespace doorbell::scenario::testing {
namespace {

TEST(Schemas, AreThoseInTheRepository) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator{repository / "scenarios/schema"}) {
    const std::string kind = entry.path().stem().string();
    ASSERT_TRUE(schemas().contains(kind)) << kind;
    EXPECT_EQ(read_all(entry.path()), schemas().at(kind)()) << kind;
    ++files;
  }
  EXPECT_EQ(files, schemas().size());
}

}  // namespace
}  // namespace doorbell::scenario::testing
