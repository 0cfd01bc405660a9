#include "scenario/data_directory.hpp"

#include <gtest/gtest.h>

#include <cstdlib>

#include "scenario/error.hpp"
#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using namespace testing;

/// Sets DOORBELL_DATA for one test.
class DataDirectory : public ::testing::Test {
 protected:
  void SetUp() override { ::unsetenv("DOORBELL_DATA"); }
  void TearDown() override { ::unsetenv("DOORBELL_DATA"); }

  const Workspace workspace_;
};

TEST_F(DataDirectory, TheUsersChoiceComesFirst) {
  workspace_.write("given/scenarios/x.json", "{}");
  workspace_.write("named/scenarios/x.json", "{}");
  ::setenv("DOORBELL_DATA", (workspace_.folder() / "named").c_str(), 1);
  EXPECT_EQ(data_directory(workspace_.folder() / "given"), workspace_.folder() / "given");
  EXPECT_EQ(data_directory(), workspace_.folder() / "named");
}

TEST_F(DataDirectory, TheSourceTreeServesWhoeverNamesNone) {
  EXPECT_TRUE(std::filesystem::is_directory(data_directory() / "scenarios" / "schema"));
  ::setenv("DOORBELL_DATA", "", 1);
  EXPECT_TRUE(std::filesystem::is_directory(data_directory() / "scenarios" / "schema"));
}

TEST_F(DataDirectory, AnyFolderMustExist) {
  EXPECT_NO_THROW(require_folder(workspace_.folder(), "--data"));
  EXPECT_THROW(require_folder(workspace_.folder() / "none", "--data"), ScenarioError);
  EXPECT_THROW(require_folder(workspace_.write("file.csv", ""), "--data"), ScenarioError);
}

TEST_F(DataDirectory, AWrongChoiceIsNotPassedOverInSilence) {
  const auto complains_of = [](const auto& call) -> std::string {
    try {
      static_cast<void>(call());
    } catch (const ScenarioError& error) {
      EXPECT_EQ(error.code(), ErrorCode::file_not_found);
      return error.file();
    }
    return "nothing";
  };
  EXPECT_EQ(complains_of([&] { return data_directory(workspace_.folder()); }), "--data-dir");
  ::setenv("DOORBELL_DATA", "/nowhere", 1);
  EXPECT_EQ(complains_of([] { return data_directory(); }), "DOORBELL_DATA");
}

}  // namespace
}  // namespace doorbell::scenario
