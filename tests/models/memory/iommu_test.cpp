#include "models/memory/iommu.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

constexpr IommuParameters four_pages{.entries = 4, .walk = 300ns, .walkers = 2, .completion_queue = 80_B};

/// An IOMMU that is asked, and when it knew.
class IommuRig {
 public:
  explicit IommuRig(const IommuParameters& parameters = four_pages, Bytes page = 4_KiB)
      : iommu{calendar, parameters, page, 1, {}} {}

  void translate(std::int64_t address, Bytes size, Time when) { asked_.push_back({address, size, when}); }
  /// When the pages of each request were known.
  const std::vector<Time>& run() {
    known_.assign(asked_.size(), Time{-1});
    for (std::uint64_t i = 0; i < asked_.size(); ++i) calendar.at<&IommuRig::ask>(asked_[i].when, {}, *this, i);
    calendar.run();
    return known_;
  }

  core::Calendar calendar;
  Iommu iommu;

 private:
  struct Asked {
    std::int64_t address;
    Bytes size;
    Time when;
  };
  void ask(std::uint64_t number) {
    const auto known = [](void* self, std::uint64_t of) {
      IommuRig& rig = *static_cast<IommuRig*>(self);
      rig.known_[of] = rig.calendar.now();
    };
    iommu.translate(asked_[number].address, asked_[number].size, {known, this, number});
  }

  std::vector<Asked> asked_;
  std::vector<Time> known_;
};
using Times = std::vector<Time>;

TEST(Iommu, KnowsAPageAfterOneWalk) {
  IommuRig rig;
  rig.translate(100, 64_B, 10ns);
  rig.translate(4000, 64_B, 500ns);
  rig.translate(4096, 64_B, 500ns);
  EXPECT_EQ(rig.run(), (Times{310ns, 500ns, 800ns}));
}

TEST(Iommu, WalksWaitForRefreshes) {
  // Memory is hardly ever not refreshed.
  Refresh refresh{{.ranks = 1, .interval = 10us, .time = 9990ns}, 1};
  IommuRig rig;
  rig.iommu.attach(refresh);
  rig.translate(100, 64_B, 1us);
  rig.translate(4000, 64_B, 20us);
  const std::vector<Time>& known = rig.run();
  EXPECT_GT(known[0], 1us + 8us);
  EXPECT_LE(known[0], 1us + 9990ns + 300ns);
  EXPECT_EQ(known[1], 20us) << "a page that is known needs no memory";
}

TEST(Iommu, ARequestWaitsForAllItsPages) {
  IommuRig two;
  two.translate(4090, 10_B, 0ns);
  EXPECT_EQ(two.run(), Times{300ns}) << "two walks side by side";
  IommuRig one{{.entries = 4, .walk = 300ns, .walkers = 1}};
  one.translate(4090, 10_B, 0ns);
  EXPECT_EQ(one.run(), Times{600ns}) << "one after the other";
}

TEST(Iommu, RequestsForOnePageShareItsWalk) {
  IommuRig rig;
  rig.translate(0, 64_B, 0ns);
  rig.translate(64, 64_B, 100ns);
  EXPECT_EQ(rig.run(), (Times{300ns, 300ns}));
  EXPECT_EQ(rig.iommu.misses(), 1U);
}

TEST(Iommu, SoManyWalksAtATime) {
  IommuRig rig;
  for (const std::int64_t page : {0x0000, 0x1000, 0x2000}) rig.translate(page, 64_B, 0ns);
  EXPECT_EQ(rig.run(), (Times{300ns, 300ns, 600ns}));
  EXPECT_DOUBLE_EQ(rig.iommu.walking(), (2 * 300.0 + 300.0) / (2 * 600.0));
}

TEST(Iommu, AnEntryIsTakenWhenItsWalkIsAskedFor) {
  IommuRig rig{{.entries = 1, .walk = 300ns, .walkers = 2}};
  rig.translate(0x0000, 64_B, 0ns);
  rig.translate(0x0000, 64_B, 400ns);
  rig.translate(0x1000, 64_B, 500ns);
  rig.translate(0x0000, 64_B, 600ns);  // nothing is known of the other page yet, and of this one no more
  EXPECT_EQ(rig.run(), (Times{300ns, 400ns, 800ns, 900ns}));
  EXPECT_EQ(rig.iommu.misses(), 3U);
}

TEST(Iommu, ResultsWaitForTheCompletionsInTheQueue) {
  const auto known = [](Time link_is_busy_until) {
    IommuRig rig;
    core::FifoServer link;
    link.reserve(0ns, link_is_busy_until, "completions");
    rig.iommu.attach(link, {8e9});
    rig.translate(0, 64_B, 0ns);
    return rig.run().front();
  };
  EXPECT_EQ(known(299ns), 300ns);
  EXPECT_EQ(known(305ns), 305ns);
  EXPECT_EQ(known(10us), 310ns) << "80 B; the others come later";
}

TEST(Iommu, AResultThatWaitsKeepsItsWalker) {
  IommuRig rig{{.entries = 4, .walk = 300ns, .walkers = 1, .completion_queue = 80_B}};
  core::FifoServer link;
  link.reserve(0ns, 305ns, "completions");
  rig.iommu.attach(link, {8e9});
  rig.translate(0x0000, 64_B, 0ns);
  rig.translate(0x1000, 64_B, 0ns);
  EXPECT_EQ(rig.run(), (Times{305ns, 605ns}));
}

TEST(Iommu, LargerPagesNeedFewerWalks) {
  IommuRig rig{four_pages, Bytes{2 << 20}};
  for (int page = 0; page < 512; ++page) rig.translate(page * 4096LL, 64_B, std::chrono::microseconds{page});
  rig.run();
  EXPECT_EQ(rig.iommu.misses(), 1U);
}

TEST(Iommu, EntriesOfALineOfThePageTableWaitForTheSameRefresh) {
  Refresh refresh{{.ranks = 2, .interval = 10us, .time = 9us}, 1};
  IommuRig rig{{.entries = 4, .walk = 300ns, .walkers = 3}};
  rig.iommu.attach(refresh);
  for (const std::int64_t page : {0, 7, 8}) rig.translate(page * 4096, 64_B, 5us);
  const std::vector<Time>& known = rig.run();
  EXPECT_EQ(known[1], known[0]);
  EXPECT_NE(known[2], known[0]) << "its line is in the other rank";
}

}  // namespace
}  // namespace doorbell::model
