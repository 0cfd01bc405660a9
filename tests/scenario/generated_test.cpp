// What is generated and kept in the repository equals what the code generates, and what is kept there loads.
#include <gtest/gtest.h>

#include <algorithm>

#include "scenario/load.hpp"
#include "scenario/profile.hpp"
#include "scenario/reference_page.hpp"
#include "scenario/schema.hpp"
#include "workspace.hpp"

namespace doorbell::scenario::testing {
namespace {

const std::filesystem::path source{DOORBELL_SOURCE_DIR};

TEST(Generated, ErrorsPage) { EXPECT_EQ(read_all(source / "docs/errors.md"), error_page()); }
TEST(Generated, ReferencePage) { EXPECT_EQ(read_all(source / "docs/reference.md"), reference_page()); }
TEST(Generated, ScenarioSchema) { EXPECT_EQ(read_all(source / "scenarios/schema/scenario.json"), scenario_schema()); }
TEST(Generated, HardwareSchema) { EXPECT_EQ(read_all(source / "scenarios/schema/hardware.json"), hardware_schema()); }
TEST(Generated, StorageSchema) { EXPECT_EQ(read_all(source / "scenarios/schema/storage.json"), storage_schema()); }
TEST(Generated, StorageServerSchema) {
  EXPECT_EQ(read_all(source / "scenarios/schema/storage_server.json"), storage_server_schema());
}
TEST(Generated, RemoteMemorySchema) {
  EXPECT_EQ(read_all(source / "scenarios/schema/remote_memory.json"), remote_memory_schema());
}
TEST(Generated, SharedFilesSchema) {
  EXPECT_EQ(read_all(source / "scenarios/schema/shared_files.json"), shared_files_schema());
}
TEST(Generated, ClientNodeSchema) {
  EXPECT_EQ(read_all(source / "scenarios/schema/client_node.json"), client_node_schema());
}
TEST(Generated, TransferSchema) { EXPECT_EQ(read_all(source / "scenarios/schema/transfers.json"), transfer_schema()); }
TEST(Generated, DmaSchema) { EXPECT_EQ(read_all(source / "scenarios/schema/dma.json"), dma_schema()); }
TEST(Generated, DmaMachineSchema) {
  EXPECT_EQ(read_all(source / "scenarios/schema/dma_machine.json"), dma_machine_schema());
}
TEST(Generated, NvmeDriveSchema) {
  EXPECT_EQ(read_all(source / "scenarios/schema/nvme_drive.json"), nvme_drive_schema());
}
TEST(Generated, SoftwareSchema) { EXPECT_EQ(read_all(source / "scenarios/schema/software.json"), software_schema()); }
TEST(Generated, FabricSchema) { EXPECT_EQ(read_all(source / "scenarios/schema/fabric.json"), fabric_schema()); }

TEST(Generated, EveryCodeHasItsOwnNameAndARemedy) {
  std::vector<std::string_view> names;
  for (const ErrorKind& kind : error_kinds()) {
    names.push_back(kind.name);
    EXPECT_FALSE(kind.meaning.empty()) << kind.name;
    EXPECT_FALSE(kind.remedy.empty()) << kind.name;
  }
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(Repository, EveryScenarioAndProfileLoads) {
  int scenarios = 0;
  int profiles = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{source / "scenarios"}) {
    const std::filesystem::path& file = entry.path();
    if (file.extension() != ".json" || file.parent_path().filename() == "schema") continue;
    SCOPED_TRACE(file.string());
    try {
      if (is_profile(file)) {
        EXPECT_FALSE(load_profile(file).title.empty());
        ++profiles;
      } else {
        EXPECT_FALSE(load_file(file).points.empty());
        ++scenarios;
      }
    } catch (const ScenarioError& error) {
      ADD_FAILURE() << error.what();
    }
  }
  EXPECT_GE(scenarios, 29);
  EXPECT_GE(profiles, 1);
}

}  // namespace
}  // namespace doorbell::scenario::testing
