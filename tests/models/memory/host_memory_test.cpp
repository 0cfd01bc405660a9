#include "models/memory/host_memory.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "models/dma_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Memory of a device's machine, and when it was done with the accesses that were made.
class Memory {
 public:
  explicit Memory(const DmaBuffer& buffer, const std::optional<DramParameters>& channels = {},
                  Bytes device_share = Bytes{1 << 17})
      : memory{calendar_, parameters(channels, device_share), dma_device().hardware.iommu, buffer, 1, {}} {}

  /// At `when` of the calendar; returns the number of the access.
  std::size_t read(std::int64_t address, int lines, Time when) { return at(when, address, lines, false); }
  std::size_t write(std::int64_t address, int lines, Time when) { return at(when, address, lines, true); }
  /// When each access was done.
  const std::vector<Time>& run() {
    for (std::uint64_t i = 0; i < accesses_.size(); ++i) calendar_.at<&Memory::begin>(accesses_[i].when, {}, *this, i);
    done_.assign(accesses_.size(), Time{-1});
    calendar_.run();
    return done_;
  }

 private:
  static HostMemoryParameters parameters(const std::optional<DramParameters>& channels, Bytes device_share) {
    HostMemoryParameters parameters = dma_device().hardware.memory;
    parameters.cache.device_share = device_share;
    parameters.channels = channels;
    return parameters;
  }
  struct Access {
    Time when{0};
    std::int64_t address = 0;
    int lines = 1;
    bool write = false;
  };
  std::size_t at(Time when, std::int64_t address, int lines, bool write) {
    accesses_.push_back({when, address, lines, write});
    return accesses_.size() - 1;
  }
  void begin(std::uint64_t number) {
    const Access& access = accesses_[number];
    const Continuation done{[](void* self, std::uint64_t argument) {
                              Memory& it = *static_cast<Memory*>(self);
                              it.done_[argument] = it.calendar_.now();
                            },
                            this, number};
    if (access.write) {
      memory.write(access.address, access.lines, done);
    } else {
      memory.read(access.address, access.lines, done);
    }
  }

  core::Calendar calendar_;
  std::vector<Access> accesses_;
  std::vector<Time> done_;

 public:
  HostMemory memory;
};

TEST(HostMemory, AnUnalignedAccessTouchesThePagesOfItsLinesOnly) {
  Memory memory{{.size = 8_KiB, .warmth = Warmth::host, .page = 4_KiB}};
  memory.read(4096 - 64 + 32, 1, 0us);  // the second half of a page's last line
  memory.run();
  EXPECT_EQ(memory.memory.iommu()->misses(), 1U);
}

TEST(HostMemory, ReadsTakeLongerFromDramAndLongerStillFromAnotherSocket) {
  const auto took = [](const DmaBuffer& buffer) {
    Memory memory{buffer};
    memory.read(0, 1, 1us);
    return memory.run()[0] - 1us;
  };
  EXPECT_EQ(took({.size = 8_KiB, .warmth = Warmth::host}), 200ns);
  EXPECT_EQ(took({.size = 8_KiB}), 280ns);
  EXPECT_EQ(took({.size = 8_KiB, .remote = true}), 340ns);
}

TEST(HostMemory, OneLineThatIsNotCachedIsEnough) {
  // The cache of 1 MiB holds all but the first line.
  Memory most{{.size = Bytes{(1 << 20) + 64}, .warmth = Warmth::host}};
  most.read(64, 4, 1us);
  most.read(0, 4, 2us);
  EXPECT_EQ(most.run(), (std::vector<Time>{1200ns, 2280ns}));
  EXPECT_EQ(most.memory.lines_from_dram(), 1U);
}

TEST(HostMemory, WhatIsReadFromDramWaitsForRefreshes) {
  // DRAM is hardly ever not refreshed.
  HostMemoryParameters parameters = dma_device().hardware.memory;
  parameters.refresh = {.ranks = 1, .interval = 10us, .time = 9990ns};
  const auto took = [&](Warmth warmth) {
    core::Calendar calendar;
    HostMemory memory{calendar, parameters, {}, {.size = 8_KiB, .warmth = warmth}, 1, {}};
    const auto begin = [](void* at, std::uint64_t) {
      static_cast<HostMemory*>(at)->read(0, 4, {[](void*, std::uint64_t) {}, nullptr, 0});
    };
    calendar.at(1us, {}, begin, &memory, 0);
    calendar.run();
    return calendar.now() - 1us;
  };
  EXPECT_EQ(took(Warmth::host), 200ns);
  EXPECT_GT(took(Warmth::cold), 280ns + 8us);
  EXPECT_LE(took(Warmth::cold), 280ns + 9990ns);
}

TEST(HostMemory, AReadDoesNotPassTheWriteBeforeIt) {
  Memory cached{{.size = 8_KiB, .warmth = Warmth::host, .written = true}};
  cached.write(0, 1, 1us);
  cached.read(4096, 1, 1us);  // of any address
  cached.read(0, 1, 2us);     // but not later
  EXPECT_EQ(cached.run(), (std::vector<Time>{1150ns, 1350ns, 2200ns}));
}

TEST(HostMemory, WritesBecomeVisibleInOrder) {
  // Behind an IOMMU: the first ones wait for a page walk, the last would not.
  Memory behind{{.size = 64_KiB, .warmth = Warmth::host, .written = true, .page = 4_KiB}};
  behind.write(0, 1, 1us);
  behind.write(4096, 1, 2us);
  behind.write(0, 1, 2us);
  EXPECT_EQ(behind.run(), (std::vector<Time>{1450ns, 2450ns, 2450ns}));
}

TEST(HostMemory, RequestsLeaveTheIommuInOrder) {
  Memory behind{{.size = 64_KiB, .warmth = Warmth::host, .page = 4_KiB}};
  behind.read(0, 1, 1us);
  behind.read(4096, 1, 2us);
  behind.read(0, 1, 2us);  // whose page is known
  EXPECT_EQ(behind.run(), (std::vector<Time>{1500ns, 2500ns, 2500ns}));
}

TEST(HostMemory, WhatTheDeviceWritesIsCachedAsFarAsItsShareGoes) {
  Memory fits{{.size = 64_KiB, .written = true}};
  fits.write(0, 1, 1us);
  fits.read(0, 1, 2us);
  EXPECT_EQ(fits.run(), (std::vector<Time>{1150ns, 2200ns}));
  Memory larger{{.size = Bytes{1 << 20}, .written = true}};
  larger.write(0, 1, 1us);  // another line has to go
  larger.read(0, 1, 2us);
  EXPECT_EQ(larger.run(), (std::vector<Time>{1220ns, 2200ns}));
  EXPECT_EQ(larger.memory.evictions(), 1U);
}

TEST(HostMemory, LinesFromDramPassTheChannels) {
  Memory memory{{.size = 8_KiB}, one_channel()};
  memory.read(0, 2, 1us);
  // A row is opened, and two lines cross the bus; then what the way itself takes.
  EXPECT_EQ(memory.run()[0], 1us + 25ns + 6ns + 280ns);
  EXPECT_EQ(memory.memory.dram()->lines_read(), 2U);
}

TEST(HostMemory, WithoutAShareOfTheCacheWritesPassTheChannels) {
  Memory memory{{.size = 64_KiB, .written = true}, one_channel(), 0_B};
  for (int i = 0; i < 8; ++i) memory.write(i * 64LL, 1, 1us);
  const std::vector<Time> done = memory.run();
  EXPECT_EQ(done[0], 1150ns) << "the controller takes four at once";
  EXPECT_EQ(done[3], 1150ns);
  EXPECT_GT(done[4], 1150ns);
  EXPECT_GT(done[7], done[4]);
}

TEST(HostMemory, MeasuringForgetsWhatWasBefore) {
  Memory memory{{.size = 8_KiB, .page = 4_KiB}, one_channel()};
  memory.read(0, 2, 1us);
  memory.run();
  EXPECT_EQ(memory.memory.lines_from_dram(), 2U);
  memory.memory.measure(2us);
  EXPECT_EQ(memory.memory.lines_from_dram(), 0U);
  EXPECT_EQ(memory.memory.dram()->lines_read(), 0U);
  EXPECT_EQ(memory.memory.iommu()->misses(), 0U);
}

TEST(HostMemory, AWriteIsNotVisibleBeforeAnEarlierOneThatEvicts) {
  Memory memory{{.size = Bytes{1 << 20}, .written = true}};
  memory.write(0, 1, 1us);  // another line has to go
  memory.write(0, 1, 1010ns);
  EXPECT_EQ(memory.run(), (std::vector<Time>{1220ns, 1220ns}));
}

TEST(HostMemory, AReadBehindAWriteWaitsForTheRefreshThatBeginsMeanwhile) {
  HostMemoryParameters parameters = dma_device().hardware.memory;
  parameters.refresh = {.ranks = 1, .interval = 10us, .time = 9990ns};
  core::Calendar calendar;
  HostMemory memory{calendar, parameters, {}, {.size = 8_KiB}, 1, {}};
  const auto begin = [](void* at, std::uint64_t) {
    const Continuation nobody{[](void*, std::uint64_t) {}, nullptr, 0};
    static_cast<HostMemory*>(at)->write(4096, 1, nobody);
    static_cast<HostMemory*>(at)->read(0, 1, nobody);
  };
  // The write is visible in the next interval, in which DRAM is refreshed almost to its end.
  calendar.at(9900ns, {}, begin, &memory, 0);
  calendar.run();
  EXPECT_GT(calendar.now(), 19us);
}

}  // namespace
}  // namespace doorbell::model
