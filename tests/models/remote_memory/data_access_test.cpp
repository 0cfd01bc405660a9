#include "models/remote_memory/data_access.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

// Copies run at 4 GB/s; mapping takes 100 ns and 10 ns per page in the kernel, 50 us and 100 ns in user space.

TEST(DataAccess, CopiesWhatIsWrittenBeforeAndWhatIsReadAfterwards) {
  RemoteMemoryScenario remote = remote_memory();
  remote.access.registration = Registration::copy;
  const DataAccess data{remote};
  EXPECT_EQ(data.before(4000_B, true), 1us);
  EXPECT_EQ(data.before(4000_B, false), 0us);
  EXPECT_EQ(data.after_read(4000_B), 1us);
}

TEST(DataAccess, MapsBeforeInEitherDirection) {
  RemoteMemoryScenario remote = remote_memory();
  remote.access.registration = Registration::map;
  EXPECT_EQ(DataAccess{remote}.before(8193_B, true), 130ns);
  EXPECT_EQ(DataAccess{remote}.before(8193_B, false), 130ns);
  EXPECT_EQ(DataAccess{remote}.after_read(8193_B), 0ns);
  remote.access.space = AddressSpace::user;
  EXPECT_EQ(DataAccess{remote}.before(8193_B, true), 50300ns);
}

TEST(DataAccess, SmallDataAreCopiedWhereTheLimitSaysSo) {
  RemoteMemoryScenario remote = remote_memory();
  remote.access.registration = Registration::map;
  remote.access.copy_up_to = 8_KiB;
  EXPECT_EQ(DataAccess{remote}.after_read(4000_B), 1us);
  EXPECT_EQ(DataAccess{remote}.after_read(8193_B), 0us);
}

TEST(DataAccess, AThresholdTakesTheCheaperWay) {
  RemoteMemoryScenario remote = remote_memory();
  remote.access.registration = Registration::threshold;
  remote.access.space = AddressSpace::user;
  for (const Bytes size : {4_KiB, 64_KiB, 256_KiB, 1024_KiB}) {
    RemoteMemoryScenario other = remote;
    other.access.registration = Registration::copy;
    const Time copy = DataAccess{other}.before(size, true);
    other.access.registration = Registration::map;
    const Time map = DataAccess{other}.before(size, true);
    EXPECT_EQ(DataAccess{remote}.before(size, true), std::min(copy, map)) << size.count;
  }
}

TEST(DataAccess, DataInPlaceCostNothing) {
  const RemoteMemoryScenario remote = remote_memory();
  EXPECT_EQ(DataAccess{remote}.before(1024_KiB, true), 0us);
  EXPECT_EQ(DataAccess{remote}.after_read(1024_KiB), 0us);
}

}  // namespace
}  // namespace doorbell::model
