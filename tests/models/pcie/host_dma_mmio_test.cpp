// MMIO on the link that carries the completions of a device.
#include "models/pcie/host_dma.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "models/pcie/reading_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace reading_device;

TEST(HostDmaMmio, MmioSharesTheDownstreamDirectionWithCompletions) {
  const HardwareProfile profile = link_with(64);
  Device device{profile};
  device.read(small, 0);
  const Time reaches_memory = small.request + profile.pcie.latency + small.latency;
  device.calendar.run_until(reaches_memory - 1ns);
  EXPECT_EQ(device.dma.mmio_write(50ns), reaches_memory - 1ns + 50ns);
  device.calendar.run();
  EXPECT_EQ(device.times.front(), round_trip(profile, small) + 49ns);
  EXPECT_EQ(device.dma.mmio_time(), 50ns);
}

TEST(HostDmaMmio, MmioPassesCompletionsBeyondTheQueueButNoOtherMmio) {
  HardwareProfile profile = link_with(256);
  const Time wait = transfer_time(profile.root_complex.completion_queue, dma_read_limit(profile.pcie));
  Device device{profile};
  DmaReadCost large = small;
  large.completion = 10us;
  for (std::uint64_t i = 0; i < 3; ++i) device.read(large, i);
  device.calendar.run_until(1us);
  const Time now = device.calendar.now();
  EXPECT_EQ(device.dma.mmio_write(50ns), now + wait + 50ns);
  EXPECT_EQ(device.dma.mmio_write(50ns), now + wait + 100ns);
  // What passes takes the link's time none the less.
  device.calendar.run();
  EXPECT_EQ(device.dma.downstream().busy_until(), device.times.back() - device.dma.latency() + 100ns);
}

TEST(HostDmaMmio, MmioCreditsLimitByLittlesLaw) {
  for (const int credits : {1, 4, 16}) {
    HardwareProfile profile = link_with(64);
    profile.pcie.mmio_credits = credits;
    Device device{profile};
    Time left{0};
    for (int i = 0; i < 1600; ++i) left = device.dma.mmio_write(6ns);
    const double expected = credits / to_seconds(6ns + profile.pcie.latency * 2);
    EXPECT_NEAR(1600 / to_seconds(left), expected, expected * 0.02) << credits;
    EXPECT_NEAR(device.dma.mmio_credits_taken(left), 1, 0.02) << credits;
  }
}

TEST(HostDmaMmio, WhatWaitsForAnMmioCreditHoldsUpNoCompletion) {
  HardwareProfile profile = link_with(64);
  profile.pcie.mmio_credits = 1;
  Device device{profile};
  const Time first = device.dma.mmio_write(6ns);
  EXPECT_EQ(first, 6ns);
  EXPECT_EQ(device.dma.mmio_write(6ns), first + profile.pcie.latency * 2 + 6ns);
  device.read(small, 0);
  device.calendar.run();
  EXPECT_EQ(device.times.front(), round_trip(profile, small));
}

TEST(HostDmaMmio, MmioIsNeverFasterThanTheLink) {
  Device device{link_with(64)};
  Time left{0};
  for (int i = 0; i < 100; ++i) left = device.dma.mmio_write(6ns);
  EXPECT_EQ(left, 600ns);
}

// ---- counters ------------------------------------------------------------------------------------------------------

}  // namespace
}  // namespace doorbell::model
