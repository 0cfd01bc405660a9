// Files that cannot be read, or that lead to such files.
#include <sys/stat.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

void expect_at(const ScenarioError& error, ErrorCode code, const std::filesystem::path& file, int line, int column,
               const std::string& pointer) {
  expect_one_line(error);
  EXPECT_EQ(code_text(error.code()), code_text(code)) << error.what();
  EXPECT_EQ(error.file(), file.string()) << error.what();
  EXPECT_EQ(error.line(), line) << error.what();
  EXPECT_EQ(error.column(), column) << error.what();
  EXPECT_EQ(error.pointer(), pointer) << error.what();
}

TEST(BadFile, Missing) {
  const Workspace workspace;
  const auto file = workspace.folder() / "nowhere.json";
  expect_at(complaint_of(file), file_not_found, file, 1, 1, "");
}

TEST(BadFile, BelowAFile) {
  const Workspace workspace;
  const auto file = workspace.folder() / "hardware.json" / "below.json";
  expect_at(complaint_of(file), file_not_found, file, 1, 1, "");
}

TEST(BadFile, Folder) {
  const Workspace workspace;
  expect_at(complaint_of(workspace.folder()), not_a_file, workspace.folder(), 1, 1, "");
}

TEST(BadFile, PipeIsNotWaitedFor) {
  const Workspace workspace;
  const auto file = workspace.folder() / "pipe.json";
  ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
  expect_at(complaint_of(file), not_a_file, file, 1, 1, "");
}

TEST(BadFile, TooLarge) {
  const Workspace workspace;
  const auto file = workspace.write("large.json", good_scenario);
  std::filesystem::resize_file(file, std::uintmax_t{17} << 20U);
  expect_at(complaint_of(file), file_too_large, file, 1, 1, "");
}

TEST(BadFile, NameWithLineBreakStaysOneLine) {
  const Workspace workspace;
  expect_one_line(complaint_of(workspace.folder() / "no\nwhere.json"));
}

TEST(BadFile, MissingHardwareIsReportedWhereItIsNamed) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", replaced(good_scenario, "hardware.json", "nowhere.json"));
  expect_at(complaint_of(file), file_not_found, file, 4, 28, "/machines/server/hardware");
}

TEST(BadFile, HardwareIsAFolder) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", replaced(good_scenario, "hardware.json", "."));
  expect_at(complaint_of(file), not_a_file, file, 4, 28, "/machines/server/hardware");
}

TEST(BadFile, HardwareIsAScenario) {
  const Workspace workspace;
  workspace.write("other.json", good_scenario);
  const auto file = workspace.write("x.json", replaced(good_scenario, "hardware.json", "other.json"));
  expect_at(complaint_of(file), wrong_file, file, 4, 28, "/machines/server/hardware");
}

TEST(BadFile, HardwareExtendsAScenario) {
  const Workspace workspace;
  workspace.write("other.json", good_scenario);
  const auto profile = workspace.write("mine.json", "{\n  \"extends\": \"other.json\"}");
  const auto file = workspace.write("x.json", replaced(good_scenario, "hardware.json", "mine.json"));
  expect_at(complaint_of(file), wrong_file, profile, 2, 14, "/extends");
}

TEST(BadFile, HardwareIsAProfileOfAnotherKind) {
  const Workspace workspace;
  const std::string drive = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/pm9a3.json";
  const auto file = workspace.write("x.json", replaced(good_scenario, "hardware.json", drive));
  const ScenarioError error = complaint_of(file);
  expect_at(error, wrong_file, file, 4, 28, "/machines/server/hardware");
  EXPECT_NE(std::string{error.what()}.find("found the profile of an NVMe drive"), std::string::npos) << error.what();
}

TEST(BadFile, MisspeltKeyOfAProfileMayBeOneOfItsFile) {
  const Workspace workspace;
  const std::string good = read_all(workspace.folder() / "hardware.json");
  workspace.write("hardware.json", "{\"titel\": \"Mine\"," + good.substr(good.find('{') + 1));
  const ScenarioError error = complaint_of(workspace.write("x.json", good_scenario));
  EXPECT_NE(std::string{error.what()}.find("did you mean \"title\"?"), std::string::npos) << error.what();
}

TEST(BadFile, ExtendsMissing) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", "{\n  \"extends\": \"nowhere.json\"}");
  expect_at(complaint_of(file), file_not_found, file, 2, 14, "/extends");
}

TEST(BadFile, ExtendsIsNoText) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", "{\n  \"extends\": 5}");
  expect_at(complaint_of(file), wrong_type, file, 2, 14, "/extends");
}

TEST(BadFile, ExtendsItself) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", "{\"extends\": \"./x.json\"}");
  expect_at(complaint_of(file), extends_cycle, file, 1, 13, "/extends");
}

TEST(BadFile, ExtendsInACircle) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", "{\"extends\": \"y.json\"}");
  const auto other = workspace.write("y.json", "{\"extends\": \"folder/../x.json\"}");
  expect_at(complaint_of(file), extends_cycle, other, 1, 13, "/extends");
}

TEST(BadFile, HardwareExtendsItself) {
  const Workspace workspace;
  const auto profile = workspace.write("loop.json", "{\"extends\": \"loop.json\"}");
  const auto file = workspace.write("x.json", replaced(good_scenario, "hardware.json", "loop.json"));
  expect_at(complaint_of(file), extends_cycle, profile, 1, 13, "/extends");
}

TEST(BadFile, ChainTooLong) {
  const Workspace workspace;
  workspace.write("0.json", good_scenario);
  for (int i = 1; i <= 32; ++i) {
    workspace.write(std::to_string(i) + ".json", "{\"extends\": \"" + std::to_string(i - 1) + ".json\"}");
  }
  EXPECT_NO_THROW(static_cast<void>(load_file(workspace.folder() / "30.json")));
  EXPECT_EQ(complaint_of(workspace.folder() / "32.json").code(), extends_cycle);
}

TEST(BadFile, MistakeInAnInheritedFileIsReportedThere) {
  const Workspace workspace;
  const auto base = workspace.write("base.json", replaced(good_scenario, R"("threads": 6)", R"("threads": 0)"));
  const auto file = workspace.write("x.json", R"({"extends": "base.json"})");
  expect_at(complaint_of(file), out_of_range, base, 10, 39, "/programs/worker/threads");
}

}  // namespace
}  // namespace doorbell::scenario::testing
