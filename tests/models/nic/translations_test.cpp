#include "models/nic/translations.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

TEST(Translations, OneForEachPageThatIsBegun) {
  Region region{.count = 1024, .stride = 64_B, .page = 4_KiB};
  EXPECT_EQ(pages_of(region), 16);
  region.count = 1025;
  EXPECT_EQ(pages_of(region), 17);
  region.count = 1;
  EXPECT_EQ(pages_of(region), 1);
  region = {.count = 1 << 20, .stride = 4_KiB, .page = Bytes{2 << 20}};
  EXPECT_EQ(pages_of(region), 2048);
}

TEST(Translations, AReadOfWhatWasForgottenCrossesTheLinkTwice) {
  HardwareProfile hardware = connect_ib();
  const Time before = state_fetch_time(hardware);
  hardware.pcie.latency += Time{1000};
  EXPECT_EQ(state_fetch_time(hardware) - before, Time{2000});
  hardware.root_complex.read_latency += Time{500};
  EXPECT_EQ(state_fetch_time(hardware) - before, Time{2500});
}

}  // namespace
}  // namespace doorbell::model
