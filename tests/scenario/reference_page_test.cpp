#include "scenario/reference_page.hpp"

#include <gtest/gtest.h>

#include "workspace.hpp"

namespace doorbell::scenario::testing {
namespace {

TEST(ReferencePage, IsTheOneInTheRepository) {
  EXPECT_EQ(read_all(repository / "docs/reference.md"), reference_page());
}

}  // namespace
}  // namespace doorbell::scenario::testing
