#include "models/programs/parts_of_programs.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

constexpr std::int64_t mib = 1 << 20;
constexpr Bytes mebibytes(std::int64_t number) { return Bytes{number * mib}; }

Program accessing(const std::string& machine, Bytes extent) {
  Program program;
  program.machine = machine;
  AccessStep step;
  step.device = AccessedDevice::remote;
  step.extent = extent;
  program.loop = {step};
  return program;
}

TEST(PartsOfPrograms, LieBehindLoadsAndOneBehindTheOther) {
  Program both = accessing("server", mebibytes(3));
  both.memory.emplace().pages = PageChoice{.pages = 100};
  Program drives = accessing("server", mebibytes(1024));
  std::get<AccessStep>(drives.loop.front()).device = AccessedDevice::drives;
  const Named<Program> programs{{"first", both},
                                {"elsewhere", accessing("other", mebibytes(1024))},
                                {"drives", drives},
                                {"last", accessing("server", 1_KiB)}};
  RemoteDeviceGroup device;
  device.access.stripe = mebibytes(2);
  device.of_loads = mebibytes(1);
  EXPECT_EQ(part_on_device(programs, "first", device).of_access, mebibytes(2));
  EXPECT_EQ(part_on_device(programs, "first", device).of_memory, mebibytes(6));
  // Four slots for each page: 1.6 MB.
  EXPECT_EQ(part_on_device(programs, "last", device).of_access, mebibytes(8));
  EXPECT_EQ(part_on_device(programs, "elsewhere", device).of_access, mebibytes(2));
  EXPECT_THROW((void)part_on_device(programs, "none", device), std::invalid_argument);
}

TEST(PartsOfPrograms, MemoriesHoldPagesOrRecords) {
  ProgramMemory memory;
  EXPECT_EQ(pages_of(memory), 0);
  EXPECT_THROW((void)touches_of(memory, 1), std::invalid_argument);
  memory.pages = PageChoice{.pages = 100};
  EXPECT_EQ(pages_of(memory), 100);
  EXPECT_EQ(touches_of(memory, 2)->pages(), 100);
  memory.pages.reset();
  memory.records = RecordChoice{.records = 1000, .size = 1_KiB};
  EXPECT_EQ(pages_of(memory), 250);
  EXPECT_EQ(touches_of(memory, 2)->inserts(), 1000);
}

}  // namespace
}  // namespace doorbell::model
