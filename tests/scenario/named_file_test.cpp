#include "scenario/named_file.hpp"

#include <gtest/gtest.h>

#include "scenario/load.hpp"
#include "workspace.hpp"

namespace doorbell::scenario {
namespace {

using namespace testing;

TEST(NamedFile, IsWithoutDetours) {
  const Workspace workspace;
  const auto file = workspace.write("a/x.json", "{}");
  EXPECT_EQ(named_file(workspace.folder() / "b", "../a/./x.json"), file);
  workspace.write("b/y.json", "{}");
  EXPECT_EQ(named_file(workspace.folder() / "b", "../a/./x.json"), file);
  EXPECT_EQ(named_file(workspace.folder() / "b", file.string()), file);
  EXPECT_EQ(named_file("", "x.json"), std::filesystem::path{"x.json"});
}

TEST(NamedFile, OfALinkedFolderLiesWhereTheLinkPoints) {
  const Workspace workspace;
  workspace.write("real/base.json", good_scenario);
  workspace.write("real/hardware.json", read_all(workspace.folder() / "hardware.json"));
  workspace.write("real/deep/heir.json", R"({"extends": "../base.json", "title": "Heir"})");
  std::filesystem::create_directory_symlink(workspace.folder() / "real/deep", workspace.folder() / "link");
  EXPECT_EQ(load_file(workspace.folder() / "link/heir.json").title, "Heir");
  // Of two of that name, the one beside the file counts, not the one beside the link.
  workspace.write("base.json", "{}");
  EXPECT_EQ(load_file(workspace.folder() / "link/heir.json").points.front().scenario.machines.size(), 2U);
}

TEST(NamedFile, MayLieBesideALink) {
  const Workspace workspace;
  workspace.write("real/deep/heir.json", R"({"extends": "../base.json", "title": "Heir"})");
  workspace.write("base.json", good_scenario);
  std::filesystem::create_directory_symlink(workspace.folder() / "real/deep", workspace.folder() / "link");
  EXPECT_EQ(load_file(workspace.folder() / "link/heir.json").title, "Heir");
}

}  // namespace
}  // namespace doorbell::scenario
