#include "cli/output.hpp"

#include <gtest/gtest.h>

#include "cli/session.hpp"
#include "scenario/workspace.hpp"

namespace doorbell::cli {
namespace {

using scenario::testing::read_all;
using scenario::testing::Workspace;

std::size_t files_in(const std::filesystem::path& folder) {
  const std::filesystem::directory_iterator files{folder};
  return static_cast<std::size_t>(std::distance(begin(files), end(files)));
}

TEST(Output, WritesTheWholeFileAndNothingBeside) {
  const Workspace workspace;
  const std::size_t before = files_in(workspace.folder());
  const auto file = workspace.folder() / "out.txt";
  Output{file}.write("text\n");
  EXPECT_EQ(read_all(file), "text\n");
  EXPECT_EQ(files_in(workspace.folder()), before + 1);
}

TEST(Output, LeavesAnOldFileAloneUntilTheNewOneIsWhole) {
  const Workspace workspace;
  const auto file = workspace.write("out.txt", "old");
  const std::size_t before = files_in(workspace.folder());
  { const Output abandoned{file}; }
  EXPECT_EQ(read_all(file), "old");
  EXPECT_EQ(files_in(workspace.folder()), before);
}

TEST(Output, RefusesAWrongPathBeforeAnythingRuns) {
  const Workspace workspace;
  EXPECT_THROW(Output{workspace.folder() / "no" / "such" / "folder.txt"}, UsageError);
  EXPECT_THROW(Output{workspace.folder()}, UsageError);
}

}  // namespace
}  // namespace doorbell::cli
