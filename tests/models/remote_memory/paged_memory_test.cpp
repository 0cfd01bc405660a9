#include "models/remote_memory/paged_memory.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "models/programs/simulation.hpp"
#include "models/remote_loads/machines_beside.hpp"
#include "models/remote_memory/lone_core.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// Pages that are inserted as it says; operations touch the first one only.
class Script final : public TouchedPages {
 public:
  explicit Script(std::int64_t pages, std::vector<Touch> inserted = {})
      : pages_{pages}, inserted_{std::move(inserted)} {}

  [[nodiscard]] std::int64_t pages() const override { return pages_; }
  [[nodiscard]] std::size_t next(int, core::RandomStream&, std::vector<Touch>& touches) override {
    touches.assign(1, {});
    return 0;
  }
  [[nodiscard]] std::int64_t inserts() const override { return static_cast<std::int64_t>(inserted_.size()); }
  void insert(std::int64_t number, std::vector<Touch>& touches) const override {
    touches.assign(1, inserted_[static_cast<std::size_t>(number)]);
  }

 private:
  std::int64_t pages_;
  std::vector<Touch> inserted_;
};

core::Process touch_all(PagedMemory& memory, const std::vector<Touch>& touches, Toucher by, int& done) {
  for (const Touch& touched : touches) co_await memory.touch(touched, by);
  ++done;
}

/// The same by a thread of the caller's.
core::Process touch_all_as(PagedMemory& memory, std::vector<Touch> touches, Toucher& by) {
  for (const Touch& touched : touches) co_await memory.touch(touched, by);
}

/// A host that does nothing else, and its device.
class PagedMemoryOfAHost : public ::testing::Test {
 protected:
  PagedMemory holding(const MemoryLimit& limit, std::unique_ptr<TouchedPages> pages) {
    return holding(limit, std::move(pages), remote_.software);
  }
  PagedMemory holding(const MemoryLimit& limit, std::unique_ptr<TouchedPages> pages, const HostSoftware& software) {
    return {simulation_.calendar(),
            host_.cpu(),
            DevicePart{host_.device(), Bytes{0}},
            software,
            limit,
            std::move(pages),
            1,
            random_};
  }
  /// By threads that touch their pages one after the other.
  void touch(PagedMemory& memory, const std::vector<std::vector<Touch>>& of_threads) {
    int done = 0;
    core::Calendar& calendar = simulation_.calendar();
    for (const std::vector<Touch>& touches : of_threads)
      core::start(calendar, touch_all(memory, touches, {.submitter = Submitter{host_.cpu()}}, done));
    calendar.run_until(calendar.now() + 10ms);
    EXPECT_EQ(done, static_cast<int>(of_threads.size()));
  }

  const RemoteMemoryScenario remote_ = on_blocks(1, 1);
  const ProgramScenario scenario_ = with_host_and_peers(scenario_about(remote_), remote_);
  Simulation simulation_{scenario_};
  HostedDevice& host_ = *simulation_.machine_set("host").devices.front();
  core::RandomStream random_{1, "pages"};
};

TEST_F(PagedMemoryOfAHost, WhatComesBackIsWrittenAgainOnlyIfItIsModified) {
  // Three pages in turn, of which two fit: each that is touched from the third on displaces one.
  for (const bool modify : {false, true}) {
    std::vector<Touch> touches;
    for (int i = 0; i < 12; ++i) touches.push_back({i % 3, modify});
    const MemoryLimit limit{.resident = 0.001, .reclaim = 1};
    const PagedMemory memory = holding(limit, std::make_unique<Script>(3, touches));
    EXPECT_DOUBLE_EQ(memory.writes_per_insert(), (modify ? 12 - 2 : 3) / 12.0);
  }
}

TEST_F(PagedMemoryOfAHost, AFaultBringsAllSlotsAroundWhereverItsPageIs) {
  // As many frames are made free as the slots need.
  const MemoryLimit limit{.resident = 0.25, .readahead = 4, .reclaim = 1};
  for (PageTable::Page page = 32; page < 36; ++page) {
    PagedMemory memory = holding(limit, std::make_unique<Script>(64));
    const std::uint64_t before = host_.device().reads();
    touch(memory, {{{page}}});
    EXPECT_EQ(host_.device().reads() - before, 4U) << page;
  }
}

TEST_F(PagedMemoryOfAHost, AFaultBringsTheSlotsAround) {
  const MemoryLimit limit{.resident = 0.25, .readahead = 4, .reclaim = 8};
  PagedMemory memory = holding(limit, std::make_unique<Script>(64));
  touch(memory, {{{33}}});
  EXPECT_EQ(memory.faults(), 1U);
  EXPECT_EQ(host_.device().reads(), 4U);
  touch(memory, {{{32}, {34}, {35}}});
  EXPECT_EQ(memory.faults(), 1U);
  touch(memory, {{{36}}, {{31}}});
  EXPECT_EQ(memory.faults(), 3U);
}

TEST_F(PagedMemoryOfAHost, AFaultTakesTheWayToThePageAndBack) {
  const MemoryLimit limit{.resident = 0.25, .reclaim = 1};
  PagedMemory memory = holding(limit, std::make_unique<Script>(64));
  touch(memory, {{{0}, {15}}});
  EXPECT_EQ(memory.waiting(simulation_.calendar().now()), 0) << "they are there";
  memory.measure();
  touch(memory, {{{40}}});
  const double waited = memory.waiting(simulation_.calendar().now()) * to_nanoseconds(Time{10ms});
  EXPECT_GT(waited, 1000 + 1000 + 500 + 500) << "an interrupt and its delay, the end of the request, the wake-up";
  EXPECT_LT(waited, 10'000);
}

TEST_F(PagedMemoryOfAHost, WhatIsModifiedIsWrittenAsItLeaves) {
  const MemoryLimit limit{.resident = 0.001, .reclaim = 1};
  PagedMemory memory = holding(limit, std::make_unique<Script>(64));
  touch(memory, {{{10, true}, {11}, {12, true}, {13}, {14}, {15}}});
  EXPECT_EQ(memory.faults(), 6U);
  EXPECT_EQ(host_.device().reads(), 6U);
  EXPECT_EQ(host_.device().writes(), 2U);
}

TEST_F(PagedMemoryOfAHost, APageThatSeveralWaitForIsReadOnce) {
  const MemoryLimit limit{.resident = 0.25, .reclaim = 8};
  PagedMemory memory = holding(limit, std::make_unique<Script>(64));
  touch(memory, {{{40}}, {{40}}, {{40}}});
  EXPECT_EQ(host_.device().reads(), 1U);
}

TEST_F(PagedMemoryOfAHost, NobodyWaitsForEverForOneOfFewFrames) {
  // Two frames for eight threads: some wait while both are on their way, or held for those who wait for them.
  const MemoryLimit limit{.resident = 0.03, .reclaim = 1};
  for (const bool modify : {false, true}) {
    PagedMemory memory = holding(limit, std::make_unique<Script>(64));
    std::vector<std::vector<Touch>> of_threads(8);
    for (PageTable::Page page = 0; page < 64; ++page)
      of_threads[static_cast<std::size_t>(page % 8)].push_back({page, modify});
    touch(memory, of_threads);
    EXPECT_LE(memory.faults(), 64U) << "a page stays until who waits for it has touched it";
  }
}

TEST_F(PagedMemoryOfAHost, WhoeverEvictsTakesEachWriteToTheBlockLayer) {
  // All eight frames are modified, and active when the first four are evicted, which count as inactive until they have
  // left: the others stay.
  std::vector<Touch> touches;
  for (PageTable::Page page = 0; page < 8; ++page) touches.push_back({page, true});
  touches.push_back({40});
  core::Calendar& calendar = simulation_.calendar();
  for (const int joined : {1, 2, 4}) {
    const MemoryLimit limit{.resident = 0.125, .reclaim = 4, .block = Bytes{4096} * joined};
    const auto spent = [&](Time submit) {
      HostSoftware software = remote_.software;
      software.block.submit = submit;
      PagedMemory memory = holding(limit, std::make_unique<Script>(64), software);
      LoneCore core{calendar};
      Toucher by{.submitter = core.submitter()};
      core::start(calendar, touch_all_as(memory, touches, by));
      calendar.run_until(calendar.now() + 10ms);
      EXPECT_EQ(memory.faults(), 1U);
      return core.spent();
    };
    EXPECT_EQ(spent(3us) - spent(1us), (4 / joined + 1) * 2us) << "its writes, and the read of the page";
  }
}

TEST_F(PagedMemoryOfAHost, AllWhoWaitForAPageAreWokenBeforeTheFirstOfThemGoesOn) {
  const MemoryLimit limit{.resident = 0.25, .reclaim = 8};
  core::Calendar& calendar = simulation_.calendar();
  const auto waited = [&](Time wakeup, int threads) {
    HostSoftware software = remote_.software;
    software.driver.wakeup = wakeup;
    PagedMemory memory = holding(limit, std::make_unique<Script>(64), software);
    const Time began = calendar.now();
    memory.measure();
    touch(memory, std::vector<std::vector<Touch>>(static_cast<std::size_t>(threads), {{40}}));
    // Each of them waits from its fault until the page is there, and none for anything else.
    return memory.waiting(calendar.now()) * to_nanoseconds(calendar.now() - began) / threads;
  };
  for (const int threads : {1, 3}) EXPECT_NEAR(waited(1500ns, threads) - waited(500ns, threads), 1000.0 * threads, 0.1);
}

TEST_F(PagedMemoryOfAHost, AFaultMovesAThreadThatIsNotPinned) {
  const MemoryLimit limit{.resident = 0.25, .reclaim = 1};
  for (const bool pinned : {false, true}) {
    PagedMemory memory = holding(limit, std::make_unique<Script>(64));
    Toucher by{.submitter = Submitter{host_.cpu()}, .hardware_thread = 3, .pinned = pinned};
    std::set<int> found_on;
    for (PageTable::Page page = 40; page < 56; ++page) {
      core::start(simulation_.calendar(), touch_all_as(memory, {{page}}, by));
      simulation_.calendar().run_until(simulation_.calendar().now() + 1ms);
      found_on.insert(by.hardware_thread);
    }
    ASSERT_EQ(memory.faults(), 16U);
    if (pinned) {
      EXPECT_EQ(found_on, std::set<int>{3});
    } else {
      EXPECT_GT(found_on.size(), 4U) << "of fourteen, each as likely as the others";
    }
  }
}

}  // namespace
}  // namespace doorbell::model
