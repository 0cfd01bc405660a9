#include "scenario/file_kind.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenario/load.hpp"
#include "scenario/parse.hpp"
#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using testing::Workspace;

FileKind kind_of(const std::filesystem::path& file) { return file_kind(file, {}); }

TEST(FileKind, IsToldByTheSchemaThePartsOrWhatIsExtended) {
  const Workspace workspace;
  EXPECT_EQ(kind_of(workspace.write("s.json", testing::good_scenario)), FileKind::scenario);
  EXPECT_EQ(kind_of(workspace.folder() / "hardware.json"), FileKind::hardware);
  EXPECT_EQ(kind_of(workspace.write("a.json", R"({"$schema": "../schema/storage_server.json"})")),
            FileKind::storage_server);
  EXPECT_EQ(kind_of(workspace.write("b.json", R"({"$schema": "scenario.json", "nic": {}})")), FileKind::scenario);
  EXPECT_EQ(kind_of(workspace.write("c.json", R"({"extends": "hardware.json", "title": "Mine"})")), FileKind::hardware);
  EXPECT_EQ(kind_of(workspace.write("d.json", R"({"extends": "s.json"})")), FileKind::scenario);
  EXPECT_EQ(kind_of(workspace.write("e.json", R"({"extends": "e.json"})")), FileKind::scenario);
  EXPECT_EQ(kind_of(workspace.write("f.json", R"({"extends": "missing.json"})")), FileKind::scenario);
  EXPECT_EQ(kind_of(workspace.write("g.json", R"({"machines": {}, "nic": {}})")), FileKind::scenario);
  EXPECT_EQ(kind_of(workspace.write("h.json", "3")), FileKind::scenario);
}

TEST(FileKind, OfWhatComesWithDoorbellFitsItsFolder) {
  const std::filesystem::path source{DOORBELL_SOURCE_DIR};
  for (const auto& [folder, kind] :
       {std::pair{"scenarios/examples", FileKind::scenario}, std::pair{"scenarios/rdmabox", FileKind::scenario},
        std::pair{"plots/kalia16", FileKind::figure}, std::pair{"calib", FileKind::calibration}}) {
    for (const auto& entry : std::filesystem::directory_iterator{source / folder}) {
      const bool wanted = entry.path().extension() == ".json" && entry.path().filename() != "targets.json";
      if (wanted) {
        EXPECT_EQ(kind_of(entry.path()), kind) << entry.path();
      }
    }
  }
  EXPECT_EQ(kind_of(source / "scenarios/hardware/linux_3_13.json"), FileKind::software);
  EXPECT_EQ(kind_of(source / "scenarios/hardware/pm9a3.json"), FileKind::nvme_drive);
  EXPECT_EQ(kind_of(source / "scenarios/hardware/apt.json"), FileKind::fabric);
}

TEST(FileKind, OfAPartThatSeveralProfilesHaveIsNotGuessed) {
  const auto refused = [](const std::string& text, std::optional<FileKind> wanted) {
    try {
      refuse_other_kind(parse(text, "x.json"), wanted, {}, {});
    } catch (const ScenarioError& error) {
      EXPECT_EQ(error.code(), ErrorCode::wrong_file);
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refused(R"({"extends": "nfp6000.json", "pcie": {}})", FileKind::dma_machine));
  EXPECT_FALSE(refused(R"({"$schema": "mine.json", "dma_engine": {}, "pcie": {}})", FileKind::dma_machine));
  EXPECT_TRUE(refused(R"({"extends": "x.json", "$schema": "hardware.json"})", FileKind::dma_machine));
  EXPECT_FALSE(refused(R"({"title": "Nothing known"})", FileKind::software));
  EXPECT_TRUE(refused(R"({"series": [], "panels": []})", FileKind::calibration));
  EXPECT_TRUE(refused(R"({"series": [], "panels": []})", {}));
  EXPECT_FALSE(refused(R"({"cpu": {}, "bus": {}, "raid": {}})", FileKind::storage_server));
  EXPECT_FALSE(refused(R"({"cpu": {}, "bus": {}, "raid": {}})", {}));
}

TEST(FileKind, OtherThanAScenarioIsRefusedByThatName) {
  const Workspace workspace;
  const auto mine = workspace.write("mine.json", R"({"extends": "hardware.json", "title": "Mine"})");
  try {
    static_cast<void>(load(mine));
    ADD_FAILURE();
  } catch (const ScenarioError& error) {
    EXPECT_EQ(error.what(), mine.string() + ":1:1: DB111: expected a scenario, found a hardware profile");
  }
}

TEST(FileKind, TargetsAreToldByTheirSets) {
  const Workspace workspace;
  EXPECT_EQ(kind_of(std::filesystem::path{DOORBELL_SOURCE_DIR} / "plots/gmblock/targets.json"), FileKind::targets);
  EXPECT_EQ(kind_of(workspace.write("t.json", R"({"claims": "all"})")), FileKind::targets);
  EXPECT_EQ(kind_of(workspace.write("n.json", R"({"claims": [], "name": "x"})")), FileKind::scenario);
}

}  // namespace
}  // namespace doorbell::scenario
