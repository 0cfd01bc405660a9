// Profiles of machines that could not be built.
#include <gmock/gmock.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

class ImpossibleHardware : public Variants {};

TEST_F(ImpossibleHardware, ADoorbellFitsIntoALine) {
  const std::string mmio = "machines.server.hardware.mmio.";
  const auto with_doorbell = [&](const char* size) -> LoadOptions {
    return {.sets = {mmio + "line=16 B", mmio + "doorbell=" + size}, .seed = {}};
  };
  EXPECT_NO_THROW((void)load(file(good_scenario), with_doorbell("16 B")));
  const ScenarioError error = complaint_of(file(good_scenario), with_doorbell("17 B"));
  EXPECT_EQ(error.code(), ErrorCode::impossible_hardware);
  EXPECT_EQ(error.pointer(), "/machines/server/hardware/mmio/doorbell");
  EXPECT_THAT(error.what(), ::testing::HasSubstr("at most one line (16 B), found 17 B"));
}

}  // namespace
}  // namespace doorbell::scenario::testing
