#include "models/machine/machine.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "models/connect_ib.hpp"
#include "models/nic/endpoint.hpp"

namespace doorbell::model {
namespace {

struct PairOwner final : Endpoint {
  void deliver(Message&) override {}
  void transmitted(const Message&, Time) override {}
  void completed(Message&) override {}
  void completion_written(QueuePair&) override {}
};

TEST(Machine, QueuePairsOfAnOwnerUseThePortsInTurn) {
  HardwareProfile profile = connect_ib();
  profile.port.ports = 2;
  core::Calendar calendar;
  MessagePool pool;
  Machine machine{calendar, profile, std::nullopt, Fabric{}, pool, 0, 0};
  PairOwner owner;
  for (std::size_t i = 0; i < 4; ++i) {
    QueuePair pair;
    machine.open(pair, owner, i);
    EXPECT_EQ(pair.id, i);
    EXPECT_EQ(pair.port, static_cast<int>(i % 2));
    EXPECT_EQ(pair.unit, &machine.nic().unit_of(pair.id));
    EXPECT_EQ(pair.owner, &owner);
  }
}

TEST(Machine, ThreadsThatDoNothingTakeNoCore) {
  const HardwareProfile profile = connect_ib();
  core::Calendar calendar;
  MessagePool pool;
  Machine machine{calendar, profile, std::nullopt, Fabric{}, pool, 0, 0};
  for (int i = 0; i < 3; ++i) {
    static_cast<void>(machine.take_core(false));
    EXPECT_EQ(machine.take_core(true), i);
  }
  EXPECT_EQ(machine.clock_stretch(), clock_stretch(profile.cpu, 3));
}

TEST(Machine, OtherActiveSoftwareLowersTheClock) {
  HardwareProfile profile = connect_ib();
  profile.cpu.turbo = {{3e9}, {2.5e9}, {2e9}};
  core::Calendar calendar;
  MessagePool pool;
  Machine machine{calendar, profile, std::nullopt, Fabric{}, pool, 0, 1};
  EXPECT_EQ(machine.clock_stretch(), clock_stretch(profile.cpu, 1));
  static_cast<void>(machine.take_core(true));
  EXPECT_EQ(machine.clock_stretch(), clock_stretch(profile.cpu, 2));
  EXPECT_NE(clock_stretch(profile.cpu, 1), clock_stretch(profile.cpu, 2));
}

}  // namespace
}  // namespace doorbell::model
