// What programs ask of the machines on which they run.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class Placement : public Variants {};

TEST_F(Placement, ProgramsOfOneMachineShareItsHardwareThreads) {
  const auto beside_fourteen_threads = [](int more) {
    return replaced(good_scenario, R"("client": {
      "machine": "client")",
                    R"("idle": {"machine": "client", "threads": )" + std::to_string(more) + R"(}, "client": {
      "machine": "client")");
  };
  EXPECT_NO_THROW((void)load(file(beside_fourteen_threads(2))));
  expect_complaint(beside_fourteen_threads(3), too_many_threads, "/programs/client/threads");
}

}  // namespace
}  // namespace doorbell::scenario::testing
