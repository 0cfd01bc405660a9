#include "models/nic/doorbell_post.hpp"

#include <gtest/gtest.h>

#include "models/connect_ib.hpp"

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
      : group{"test", profile, 1}, near{calendar, group, fabric, pool, 0, 0}, far{calendar, group, fabric,
                                                                                  pool,     64,    0} {}

  core::Calendar calendar;
  MessagePool pool;
  Fabric fabric;
  MachineGroup group;
  Machine near;
  Machine far;
  Listener here;
};

TEST(DoorbellPost, QueuePairsUseThePortsInTurn) {
  HardwareProfile profile = connect_ib();
  profile.port.ports = 2;
  TwoMachines machines{profile};
  for (std::size_t i = 0; i < 4; ++i) {
    QueuePair pair;
    open_queue_pair(pair, machines.near, machines.here, i);
    EXPECT_EQ(pair.id, i);
    EXPECT_EQ(pair.port, static_cast<int>(i % 2));
    EXPECT_EQ(pair.unit, &machines.near.nic().unit_of(pair.id));
    EXPECT_EQ(pair.owner, &machines.here);
  }
}

// One doorbell of 34 B goes down, and the NIC reads all WQEs of the list.
TEST(DoorbellPost, ADoorbellMakesTheNicReadTheList) {
  HardwareProfile profile = connect_ib();
  profile.mmio.last_of_list = true;  // a kernel does not
  TwoMachines machines{profile};
  const OperationPlan plan = make_plan(doorbell_operation(Verb::write, 4_KiB, 4), profile, profile);
  QueuePair pair;
  open_queue_pair(pair, machines.near, machines.here, 0);
  for (int i = 0; i < 4; ++i) {
    Message* message = machines.pool.take();
    message->plan = &plan;
    message->queue_pair = &pair;
    message->responder = &machines.far;
    message->wqe = pair.posted++;
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
