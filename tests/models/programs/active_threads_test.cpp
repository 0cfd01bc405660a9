#include "models/programs/active_threads.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(ActiveThreads, AreThoseOfProgramsThatHaveALoop) {
  Program busy = program(queue_pairs(Transport::rc), {compute(1us)}, 3);
  busy.machine = "server";
  Program idle = sink();
  idle.machine = "server";
  const Named<Program> programs{{"busy", busy}, {"idle", idle}};
  EXPECT_EQ(program_threads(programs, "server"), 3);
  EXPECT_EQ(program_threads(programs, "client"), 0);
}

TEST(ActiveThreads, OthersTakeNoMoreThanProgramsLeave) {
  MachineGroup group{"test", connect_ib(), 1};
  group.other_threads = 4;
  Program busy = program(queue_pairs(Transport::rc), {compute(1us)}, hardware_threads(group.hardware.cpu) - 1);
  busy.machine = "server";
  EXPECT_EQ(threads_beside({}, "server", group), 4);
  EXPECT_EQ(threads_beside({{"busy", busy}}, "server", group), 1);
}

}  // namespace
}  // namespace doorbell::model
