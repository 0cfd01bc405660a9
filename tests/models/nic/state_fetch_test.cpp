#include "models/nic/state_fetch.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

TEST(StateFetch, AReadOfWhatWasForgottenCrossesTheLinkTwice) {
  HardwareProfile hardware = connect_ib();
  const Time before = state_fetch_time(hardware);
  hardware.pcie.latency += Time{1000};
  EXPECT_EQ(state_fetch_time(hardware) - before, Time{2000});
  hardware.root_complex.read_latency += Time{500};
  EXPECT_EQ(state_fetch_time(hardware) - before, Time{2500});
}

}  // namespace
}  // namespace doorbell::model
