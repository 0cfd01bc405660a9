// The schemas in the repository are those that the declarations give.
#include "scenario/schema.hpp"

#include <gtest/gtest.h>

#include "workspace.hpp"

namespace doorbell::scenario::testing {
namespace {

TEST(Schemas, OfScenario) { EXPECT_EQ(read_all(repository / "scenarios/schema/scenario.json"), scenario_schema()); }
TEST(Schemas, OfHardware) { EXPECT_EQ(read_all(repository / "scenarios/schema/hardware.json"), hardware_schema()); }
TEST(Schemas, OfStorage) { EXPECT_EQ(read_all(repository / "scenarios/schema/storage.json"), storage_schema()); }
TEST(Schemas, OfStorageServer) {
  EXPECT_EQ(read_all(repository / "scenarios/schema/storage_server.json"), storage_server_schema());
}
TEST(Schemas, OfRemoteMemory) {
  EXPECT_EQ(read_all(repository / "scenarios/schema/remote_memory.json"), remote_memory_schema());
}
TEST(Schemas, OfSharedFiles) {
  EXPECT_EQ(read_all(repository / "scenarios/schema/shared_files.json"), shared_files_schema());
}
TEST(Schemas, OfClientNode) {
  EXPECT_EQ(read_all(repository / "scenarios/schema/client_node.json"), client_node_schema());
}
TEST(Schemas, OfTransfer) { EXPECT_EQ(read_all(repository / "scenarios/schema/transfers.json"), transfer_schema()); }
TEST(Schemas, OfDma) { EXPECT_EQ(read_all(repository / "scenarios/schema/dma.json"), dma_schema()); }
TEST(Schemas, OfDmaMachine) {
  EXPECT_EQ(read_all(repository / "scenarios/schema/dma_machine.json"), dma_machine_schema());
}
TEST(Schemas, OfNvmeDrive) {
  EXPECT_EQ(read_all(repository / "scenarios/schema/nvme_drive.json"), nvme_drive_schema());
}
TEST(Schemas, OfSoftware) { EXPECT_EQ(read_all(repository / "scenarios/schema/software.json"), software_schema()); }
TEST(Schemas, OfFabric) { EXPECT_EQ(read_all(repository / "scenarios/schema/fabric.json"), fabric_schema()); }

}  // namespace
}  // namespace doorbell::scenario::testing
