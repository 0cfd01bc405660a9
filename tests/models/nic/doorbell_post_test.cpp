#include "models/nic/doorbell_post.hpp"

#include <gtest/gtest.h>

#include "models/connect_ib.hpp"
#include "models/machine/machine.hpp"
#include "models/nic/endpoint.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Counts what is done.
struct Listener final : Endpoint {
  void deliver(Message&) override {}
  void transmitted(const Message&, Time) override {}
  void completed(Message&) override { ++completed_operations; }
  void completion_written(QueuePair&) override {}

  int completed_operations = 0;
};

struct TwoMachines {
  explicit TwoMachines(const HardwareProfile& profile)
      : near{calendar, profile, std::nullopt, fabric, pool, 0, 0}, far{calendar, profile, std::nullopt, fabric, pool,
                                                                       64,       0} {}

  core::Calendar calendar;
  MessagePool pool;
  Fabric fabric;
  Machine near;
  Machine far;
  Listener here;
};

// One doorbell of 34 B goes down, and the NIC reads all WQEs of the list.
TEST(DoorbellPost, ADoorbellMakesTheNicReadTheList) {
  HardwareProfile profile = connect_ib();
  profile.mmio.last_of_list = true;  // a kernel does not
  TwoMachines machines{profile};
  const OperationPlan plan = make_plan(doorbell_operation(Verb::write, 4_KiB, 4), profile, profile);
  QueuePair pair;
  machines.near.open(pair, machines.here, 0);
  for (int i = 0; i < 4; ++i) {
    Message* message = machines.pool.take();
    message->plan = &plan;
    message->queue_pair = &pair;
    message->responder = &machines.far.nic();
    pair.append(message);
  }
  ring_doorbell(pair, plan, 4, 0ns);
  const HostDma& dma = machines.near.nic().dma();
  EXPECT_EQ(dma.mmio_time(), occupancy(profile.pcie, write_tlps(profile.pcie, profile.mmio.doorbell)));
  EXPECT_EQ(pair.unit->busy(), 0ns);
  machines.calendar.run();
  EXPECT_EQ(machines.near.nic().dma().lines_read(), 4 + 4 * 4096 / 64U);
  EXPECT_EQ(machines.here.completed_operations, 4);
}

}  // namespace
}  // namespace doorbell::model
