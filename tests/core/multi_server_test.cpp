#include "core/multi_server.hpp"

#include "core/fifo_server.hpp"
#include "core/random.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

TEST(MultiServer, OneServerIsAFifoServer) {
  RandomStream random(3, "jobs");
  MultiServer many(1);
  FifoServer one;
  Time now{0};
  for (int i = 0; i < 1000; ++i) {
    now += random.uniform(Time{0}, 10_ns);
    const Time service = random.uniform(Time{0}, 10_ns);
    ASSERT_EQ(many.reserve(now, service), one.reserve(now, service));
  }
  EXPECT_EQ(many.busy_time(now), one.busy_time(now));
}

TEST(MultiServer, TakesTheServerThatIsFreeFirst) {
  MultiServer servers(2);
  EXPECT_EQ(servers.reserve(0_ns, 10_ns), 10_ns);
  EXPECT_EQ(servers.busy_until(), 0_ns);
  EXPECT_EQ(servers.reserve(0_ns, 3_ns), 3_ns);
  EXPECT_EQ(servers.busy_until(), 3_ns);
  EXPECT_EQ(servers.reserve(1_ns, 4_ns), 7_ns);
  EXPECT_EQ(servers.reserve(1_ns, 5_ns), 12_ns);
  EXPECT_EQ(servers.busy_time(12_ns), 22_ns);
  EXPECT_DOUBLE_EQ(servers.utilisation(12_ns), 22.0 / 24.0);
  servers.measure(11_ns);
  EXPECT_EQ(servers.busy_time(12_ns), 1_ns);
}

TEST(MultiServer, NeedsAServer) { EXPECT_THROW(MultiServer{0}, std::invalid_argument); }

}  // namespace
}  // namespace doorbell::core
