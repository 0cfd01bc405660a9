#include "models/nic/recv_prefetch.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "models/pcie/reading_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace reading_device;

/// Four RECVs by one DMA; `ahead` of them are there at first.
NicParameters four_at_a_time(int ahead) {
  NicParameters nic;
  nic.recv_prefetch = 4;
  nic.recv_ahead = ahead;
  return nic;
}

/// How many RECVs are taken until there is none, without time for more to come.
int taken_at_once(RecvPrefetch& recvs) {
  int taken = 0;
  for (; recvs.has_one(); ++taken) recvs.take(small);
  return taken;
}

TEST(RecvPrefetch, StartsWithWhatItReadsAheadOrWithOneDma) {
  Device device{link_with(8)};
  RecvPrefetch many{device.dma, four_at_a_time(32)};
  EXPECT_EQ(taken_at_once(many), 32);
  Device another{link_with(8)};
  RecvPrefetch few{another.dma, four_at_a_time(1)};
  EXPECT_EQ(taken_at_once(few), 4);
}

TEST(RecvPrefetch, AsksOnceForAsManyAsItReadsAtATime) {
  Device device{link_with(8)};
  RecvPrefetch recvs{device.dma, four_at_a_time(8)};
  EXPECT_EQ(taken_at_once(recvs), 8);
  device.calendar.run_until(10us);
  EXPECT_EQ(device.dma.lines_expected(), 4U) << "by two DMAs of two lines";
  // As many as were used up, and no more.
  EXPECT_EQ(taken_at_once(recvs), 8);
}

TEST(RecvPrefetch, WhoFindsNoneIsCalledWhenTheyCome) {
  const HardwareProfile profile = link_with(8);
  Device device{profile};
  RecvPrefetch recvs{device.dma, four_at_a_time(4)};
  EXPECT_EQ(taken_at_once(recvs), 4);
  recvs.await({&Device::arrived, &device, 7});
  device.calendar.run_until(round_trip(profile, small) - 1_ps);
  EXPECT_TRUE(device.names.empty());
  EXPECT_FALSE(recvs.has_one());
  device.calendar.run_until(round_trip(profile, small));
  EXPECT_EQ(device.names.size(), 1U);
  EXPECT_EQ(taken_at_once(recvs), 4);
}

}  // namespace
}  // namespace doorbell::model
