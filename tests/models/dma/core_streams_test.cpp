#include "models/dma/core_streams.hpp"

#include <gtest/gtest.h>

#include "models/dma_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

struct Rates {
  double read = 0;  ///< Lines per second.
  double written = 0;
  Time latency{0};
};

Rates stream(const DramParameters& channels, const CoreMemoryParameters& core, const CoreLoad& load) {
  core::Calendar calendar;
  Dram memory{calendar, channels, {}};
  CoreStreams cores{calendar, core, load, memory, 0, 1, {}};
  cores.begin();
  calendar.run_until(20us);
  cores.measure();
  calendar.run_until(120us);
  return {static_cast<double>(cores.lines_read()) / 100e-6, static_cast<double>(cores.lines_written()) / 100e-6,
          cores.latency().mean()};
}

DramParameters wide() {
  DramParameters parameters = one_channel();
  parameters.channels = 8;
  parameters.banks = 64;
  parameters.row = 8_KiB;
  parameters.write_queue = 32;
  parameters.drain_at = 16;
  parameters.drain_to = 4;
  return parameters;
}

TEST(CoreStreams, FillBuffersLimitByLittlesLaw) {
  const Rates one = stream(wide(), streaming_core(), {1, CoreWork::read});
  EXPECT_NEAR(one.read * to_seconds(one.latency), 10, 0.05);
  EXPECT_GE(one.latency, 63ns);
  EXPECT_LT(one.latency, 70ns);
  EXPECT_EQ(one.written, 0);
}

TEST(CoreStreams, WhatIsChangedIsWrittenBack) {
  const Rates one = stream(wide(), streaming_core(), {2, CoreWork::change});
  EXPECT_NEAR(one.written, one.read, one.read * 0.01);
}

TEST(CoreStreams, MoreCoresReadMoreUntilTheChannelsAreFull) {
  double before = 0;
  for (const int cores : {1, 2, 4}) {
    const double rate = stream(wide(), streaming_core(), {cores, CoreWork::read}).read;
    EXPECT_GT(rate, 1.5 * before);
    before = rate;
  }
  const double many = stream(wide(), streaming_core(), {64, CoreWork::read}).read;
  EXPECT_LT(many, 8 / 3e-9);
  EXPECT_GT(many, 0.7 * 8 / 3e-9);
}

TEST(CoreStreams, ABufferPausesBetweenItsLines) {
  CoreMemoryParameters core = streaming_core();
  core.pause = 15ns;
  const Rates one = stream(wide(), core, {1, CoreWork::read});
  EXPECT_NEAR(one.read * to_seconds(one.latency + core.pause), 10, 0.05);
  EXPECT_LT(one.latency, 70ns) << "which is no part of a line's latency";
}

TEST(CoreStreams, WriteBacksWithoutRoomHoldUpFillBuffers) {
  CoreMemoryParameters core = streaming_core();
  core.write_backs = 1;
  const Rates held = stream(one_channel(), core, {4, CoreWork::change});
  EXPECT_NEAR(held.written, held.read, held.read * 0.02);
  EXPECT_NEAR(held.read * to_seconds(held.latency), 40, 1) << "as long as they wait for room, they are in use";
}

TEST(CoreStreams, FillBuffersGoOnUntilAllRoomForWriteBacksIsTaken) {
  // A channel with room for one line, which it never writes: all later ones wait in the core.
  DramParameters full = one_channel();
  full.write_queue = full.drain_to = 1;
  full.drain_at = 2;
  for (const int room : {1, 2, 5}) {
    CoreMemoryParameters core = streaming_core();
    core.write_backs = room;
    core::Calendar calendar;
    Dram memory{calendar, full, {}};
    CoreStreams cores{calendar, core, {1, CoreWork::change}, memory, 0, 1, {}};
    cores.begin();
    calendar.run();
    EXPECT_EQ(cores.lines_written(), 1U);
    EXPECT_EQ(cores.lines_read(), 1U + static_cast<std::uint64_t>(room));
  }
}

TEST(CoreStreams, MoreRoomForWriteBacksFreesFillBuffersEarlier) {
  Time before = Time::max();
  for (const int room : {1, 4}) {
    CoreMemoryParameters core = streaming_core();
    core.write_backs = room;
    const Time latency = stream(one_channel(), core, {1, CoreWork::change}).latency;
    EXPECT_LT(latency, before - 5ns) << room;
    before = latency;
  }
}

}  // namespace
}  // namespace doorbell::model
