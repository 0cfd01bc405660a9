// Reads ahead of need, which take no events while nobody waits.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>

#include "core/random.hpp"
#include "models/pcie/host_dma.hpp"
#include "models/pcie/reading_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace reading_device;

/// How many reads ahead have ended: told by an event each in one device, asked for in the other.
struct AheadDevices {
  explicit AheadDevices(const HardwareProfile& profile) : told{profile}, asked{profile} {}

  void read_ahead(const DmaReadCost& cost) {
    told.dma.read(cost, {[](void* self, std::uint64_t) { ++*static_cast<int*>(self); }, &told_of, 0});
    asked.dma.read_ahead(cost);
  }
  void read(const DmaReadCost& cost, std::uint64_t name) {
    told.read(cost, name);
    asked.read(cost, name);
  }
  void run_until(Time when) {
    told.calendar.run_until(when);
    asked.calendar.run_until(when);
  }

  Device told;
  Device asked;
  int told_of = 0;
};

TEST(HostDmaAhead, ReadsAheadTakeNoEventWhenNobodyWaits) {
  Device device{link_with(64)};
  for (int i = 0; i < 10; ++i) device.dma.read_ahead(small);
  EXPECT_EQ(device.calendar.pending(), 0U);
  const Time first = round_trip(link_with(64), small);
  device.calendar.run_until(first - 1_ps);
  EXPECT_EQ(device.dma.take_ahead(), 0);
  device.calendar.run_until(first);
  EXPECT_EQ(device.dma.take_ahead(), 1);
  EXPECT_EQ(device.dma.take_ahead(), 0);
}

TEST(HostDmaAhead, ReadsAheadAreAsOthersToThePicosecond) {
  // With tags and credits to spare, and with few of either, so that reads wait for those ahead of them.
  for (const auto& [tags, credits] : {std::pair{256, 256}, {6, 256}, {256, 5}, {3, 3}}) {
    AheadDevices devices{link_with(tags, credits)};
    core::RandomStream random(11, "reads ahead");
    int taken = 0;
    Time now{0};
    for (std::uint64_t i = 0; i < 20000; ++i) {
      now += random.uniform(1_ps, 20ns) * 2;
      devices.run_until(now);
      DmaReadCost cost = small;
      cost.tags = 1 + static_cast<int>(random.below(3));
      cost.cache_lines = 2 * cost.tags;
      cost.latency = random.uniform(25ns, 150ns) * 2;
      cost.completion = random.uniform(500_ps, 15ns) * 2;
      switch (random.below(4)) {
        case 0: devices.read(cost, i); break;
        case 1:
          cost.latency += 1_ps;  // An odd time: never in the same instant as another read, which it might overtake.
          devices.read_ahead(cost);
          break;
        case 2: ASSERT_EQ(devices.told.dma.mmio_write(9ns), devices.asked.dma.mmio_write(9ns)); break;
        default: ASSERT_EQ(taken += devices.asked.dma.take_ahead(), devices.told_of); break;
      }
    }
    devices.run_until(now + 1ms);
    EXPECT_EQ(taken + devices.asked.dma.take_ahead(), devices.told_of);
    EXPECT_EQ(devices.asked.names, devices.told.names);
    EXPECT_EQ(devices.asked.times, devices.told.times);
    EXPECT_EQ(devices.asked.dma.downstream().busy_until(), devices.told.dma.downstream().busy_until());
    EXPECT_DOUBLE_EQ(devices.asked.dma.tagless(), devices.told.dma.tagless());
    EXPECT_DOUBLE_EQ(devices.asked.dma.creditless(), devices.told.dma.creditless());
  }
}

TEST(HostDmaAhead, WhoAwaitsAReadAheadIsCalledWhenItEnds) {
  const HardwareProfile profile = link_with(2);
  Device device{profile};
  for (int i = 0; i < 3; ++i) device.dma.read_ahead(small);
  device.dma.await_ahead({&Device::arrived, &device, 7});
  // It comes before the read's completion is on the link: what takes the link meanwhile delays it.
  device.calendar.run_until(50ns);
  (void)device.dma.mmio_write(500ns);
  device.calendar.run();
  EXPECT_EQ(device.names, std::vector<std::uint64_t>{7});
  EXPECT_EQ(device.times.front(), 50ns + 500ns + small.completion + profile.pcie.latency);
  device.calendar.run_until(10us);
  EXPECT_EQ(device.dma.take_ahead(), 3);
}

/// Counts the reads ahead that have ended, and awaits the next one each time.
struct Awaiting {
  explicit Awaiting(Device& device) : dma{device.dma} { wait(); }
  void wait() { dma.await_ahead({&Awaiting::arrived, this, 0}); }
  static void arrived(void* self, std::uint64_t) {
    Awaiting& awaiting = *static_cast<Awaiting*>(self);
    awaiting.ended += awaiting.dma.take_ahead();
    awaiting.wait();
  }
  HostDma& dma;
  int ended = 0;
};

TEST(HostDmaAhead, WhoAwaitsThemIsCalledForEachThoughTagsAndCreditsAreFew) {
  for (const auto& [tags, credits] : {std::pair{1, 2}, {2, 1}, {2, 2}, {2, 3}, {3, 4}, {64, 4}}) {
    Device device{link_with(tags, credits)};
    Awaiting awaiting{device};
    core::RandomStream random(5, "reads");
    std::size_t reads = 0;
    int ahead = 0;
    for (std::uint64_t i = 0; i < 20000; ++i) {
      device.calendar.run_until(device.calendar.now() + random.uniform(0_ps, 400ns));
      DmaReadCost cost = small;
      cost.tags = 1 + static_cast<int>(random.below(3));
      if (random.below(2) == 0) {
        device.dma.read_ahead(cost);
        ++ahead;
      } else {
        device.read(cost, reads++);
      }
    }
    device.calendar.run();
    EXPECT_EQ(awaiting.ended, ahead) << tags << " tags, " << credits << " credits";
    EXPECT_EQ(device.names.size(), reads) << tags << " tags, " << credits << " credits";
  }
}

}  // namespace
}  // namespace doorbell::model
