#include "models/host_memory.hpp"

#include <gtest/gtest.h>

#include "models/dma_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

HostMemory memory(const DmaBuffer& buffer) {
  const DmaMachine machine = dma_device().hardware;
  return {machine.memory, machine.iommu, buffer, 1};
}

TEST(HostMemory, ReadsTakeLongerFromDramAndLongerStillFromAnotherSocket) {
  EXPECT_EQ(memory({.size = 8_KiB, .warmth = Warmth::host}).read(0, 1, 1us), 1us + 200ns);
  EXPECT_EQ(memory({.size = 8_KiB}).read(0, 1, 1us), 1us + 280ns);
  EXPECT_EQ(memory({.size = 8_KiB, .remote = true}).read(0, 1, 1us), 1us + 340ns);
}

TEST(HostMemory, OneLineThatIsNotCachedIsEnough) {
  // The cache of 1 MiB holds all but the first line.
  HostMemory most = memory({.size = Bytes{(1 << 20) + 64}, .warmth = Warmth::host});
  EXPECT_EQ(most.read(64, 4, 1us), 1us + 200ns);
  EXPECT_EQ(most.read(0, 4, 2us), 2us + 280ns);
  EXPECT_EQ(most.lines_from_dram(), 1U);
}

TEST(HostMemory, AReadDoesNotPassTheWriteBeforeIt) {
  HostMemory cached = memory({.size = 8_KiB, .warmth = Warmth::host, .written = true});
  EXPECT_EQ(cached.write(0, 1, 1us), 1us + 150ns);
  EXPECT_EQ(cached.read(4096, 1, 1us), 1us + 350ns) << "of any address";
  EXPECT_EQ(cached.read(0, 1, 2us), 2us + 200ns) << "but not later";
}

TEST(HostMemory, WritesBecomeVisibleInOrder) {
  // Behind an IOMMU: the first waits for a page walk, the second would not.
  HostMemory behind = memory({.size = 64_KiB, .warmth = Warmth::host, .written = true, .page = 4_KiB});
  EXPECT_EQ(behind.write(0, 1, 1us), 1us + 450ns);
  EXPECT_EQ(behind.write(4096, 1, 2us), 2us + 450ns);
  EXPECT_EQ(behind.write(8192, 1, 3us), 3us + 450ns);
  EXPECT_EQ(behind.write(0, 1, 3us), 3us + 450ns);
}

TEST(HostMemory, WhatTheDeviceWritesIsCachedAsFarAsItsShareGoes) {
  HostMemory fits = memory({.size = 64_KiB, .written = true});
  EXPECT_EQ(fits.write(0, 1, 1us), 1us + 150ns);
  EXPECT_EQ(fits.read(0, 1, 2us), 2us + 200ns);
  HostMemory larger = memory({.size = Bytes{1 << 20}, .written = true});
  EXPECT_EQ(larger.write(0, 1, 1us), 1us + 220ns) << "another line has to go";
  EXPECT_EQ(larger.evictions(), 1U);
  EXPECT_EQ(larger.read(0, 1, 2us), 2us + 200ns);
}

}  // namespace
}  // namespace doorbell::model
