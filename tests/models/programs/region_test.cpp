#include "models/programs/region.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

TEST(Region, HasATranslationForEachPageThatIsBegun) {
  Region region{.count = 1024, .stride = 64_B, .page = 4_KiB};
  EXPECT_EQ(pages_of(region), 16);
  region.count = 1025;
  EXPECT_EQ(pages_of(region), 17);
  region.count = 1;
  EXPECT_EQ(pages_of(region), 1);
  region = {.count = 1 << 20, .stride = 4_KiB, .page = Bytes{2 << 20}};
  EXPECT_EQ(pages_of(region), 2048);
}

}  // namespace
}  // namespace doorbell::model
