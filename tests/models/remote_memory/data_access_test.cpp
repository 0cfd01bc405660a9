#include "models/remote_memory/data_access.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

// Copies run at 4 GB/s; mapping takes 100 ns and 10 ns per page in the kernel, 50 us and 100 ns in user space.

DataAccess access_by(const DataPlacement& placement) { return {placement, remote_memory().software.memory}; }

TEST(DataAccess, CopiesWhatIsWrittenBeforeAndWhatIsReadAfterwards) {
  const DataAccess data = access_by({.registration = Registration::copy});
  EXPECT_EQ(data.before(4000_B, true), 1us);
  EXPECT_EQ(data.before(4000_B, false), 0us);
  EXPECT_EQ(data.after_read(4000_B), 1us);
}

TEST(DataAccess, MapsBeforeInEitherDirection) {
  const DataAccess in_kernel = access_by({.registration = Registration::map, .space = AddressSpace::kernel});
  EXPECT_EQ(in_kernel.before(8193_B, true), 130ns);
  EXPECT_EQ(in_kernel.before(8193_B, false), 130ns);
  EXPECT_EQ(in_kernel.after_read(8193_B), 0ns);
  EXPECT_EQ(access_by({.registration = Registration::map, .space = AddressSpace::user}).before(8193_B, true), 50300ns);
}

TEST(DataAccess, SmallDataAreCopiedWhereTheLimitSaysSo) {
  const DataAccess data = access_by({.registration = Registration::map, .copy_up_to = 8_KiB});
  EXPECT_EQ(data.after_read(4000_B), 1us);
  EXPECT_EQ(data.after_read(8193_B), 0us);
}

TEST(DataAccess, AThresholdTakesTheCheaperWay) {
  for (const Bytes size : {4_KiB, 64_KiB, 256_KiB, 1024_KiB}) {
    const Time copy = access_by({.registration = Registration::copy}).before(size, true);
    const Time map = access_by({.registration = Registration::map}).before(size, true);
    EXPECT_EQ(access_by({.registration = Registration::threshold}).before(size, true), std::min(copy, map))
        << size.count;
  }
}

TEST(DataAccess, DataInPlaceCostNothing) {
  const DataAccess data = access_by({.registration = Registration::in_place});
  EXPECT_EQ(data.before(1024_KiB, true), 0us);
  EXPECT_EQ(data.after_read(1024_KiB), 0us);
}

}  // namespace
}  // namespace doorbell::model
