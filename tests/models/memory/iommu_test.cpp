#include "models/memory/iommu.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

constexpr IommuParameters four_pages{.entries = 4, .walk = 300ns, .walkers = 2};

TEST(Iommu, KnowsAPageAfterOneWalk) {
  Iommu iommu{four_pages, 4_KiB, 1};
  EXPECT_EQ(iommu.translate(100, 64_B, 10ns), 310ns);
  EXPECT_EQ(iommu.translate(4000, 64_B, 500ns), 500ns);
  EXPECT_EQ(iommu.translate(4096, 64_B, 500ns), 800ns);
}

TEST(Iommu, ARequestWaitsForAllItsPages) {
  Iommu iommu{four_pages, 4_KiB, 1};
  EXPECT_EQ(iommu.translate(4090, 10_B, 0ns), 300ns) << "two walks side by side";
  Iommu alone{{.entries = 4, .walk = 300ns, .walkers = 1}, 4_KiB, 1};
  EXPECT_EQ(alone.translate(4090, 10_B, 0ns), 600ns) << "one after the other";
}

TEST(Iommu, RequestsForOnePageShareItsWalk) {
  Iommu iommu{four_pages, 4_KiB, 1};
  EXPECT_EQ(iommu.translate(0, 64_B, 0ns), 300ns);
  EXPECT_EQ(iommu.translate(64, 64_B, 100ns), 300ns);
  EXPECT_EQ(iommu.misses(), 1U);
}

TEST(Iommu, SoManyWalksAtATime) {
  Iommu iommu{four_pages, 4_KiB, 1};
  EXPECT_EQ(iommu.translate(0x0000, 64_B, 0ns), 300ns);
  EXPECT_EQ(iommu.translate(0x1000, 64_B, 0ns), 300ns);
  EXPECT_EQ(iommu.translate(0x2000, 64_B, 0ns), 600ns);
}

TEST(Iommu, LargerPagesNeedFewerWalks) {
  Iommu iommu{four_pages, Bytes{2 << 20}, 1};
  for (int page = 0; page < 512; ++page) {
    [[maybe_unused]] const Time known = iommu.translate(page * 4096LL, 64_B, std::chrono::microseconds{page});
  }
  EXPECT_EQ(iommu.misses(), 1U);
}

}  // namespace
}  // namespace doorbell::model
