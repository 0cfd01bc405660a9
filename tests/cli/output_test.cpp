#include "cli/output.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <sstream>
#include <thread>

#include "cli/session.hpp"
#include "command.hpp"
#include "scenario/workspace.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;
using scenario::testing::read_all;
using scenario::testing::Workspace;

std::string refusal_of(const std::filesystem::path& file) {
  try {
    const Output output{file, "--there"};
  } catch (const UsageError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Output, WritesTheWholeFile) {
  const Workspace workspace;
  const auto file = workspace.folder() / "out.txt";
  Output{file}.write("text\n");
  EXPECT_EQ(read_all(file), "text\n");
}

TEST(Output, ADashIsStandardOutput) {
  ::testing::internal::CaptureStdout();
  Output{"-"}.write("text\n");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "text\n");
  EXPECT_FALSE(std::filesystem::exists("-"));
  ::testing::internal::CaptureStdout();
  Output stream{"-"};
  stream.stream() << "much text\n";
  stream.finish();
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "much text\n");
  EXPECT_NO_THROW(require_other_file("--out", "-", "--requests", "-")) << "one after the other";
}

TEST(Output, RefusesAWrongPathBeforeAnythingRuns) {
  const Workspace workspace;
  EXPECT_EQ(refusal_of(workspace.folder() / "no/file"),
            "--there " + (workspace.folder() / "no/file").string() + ": cannot write there: No such file or directory");
  EXPECT_EQ(refusal_of(workspace.folder()), "--there " + workspace.folder().string() + ": it is a folder");
  EXPECT_EQ(refusal_of(""), "--there \"\": expected the name of a file");
}

/// The exit status, and what is on standard error, when standard output goes `where`.
Outcome with_output_to(const std::string& where, const std::string& arguments) {
  const Workspace workspace;
  const auto err = workspace.folder() / "stderr";
  const std::string line = "{ " + shell_word(DOORBELL_COMMAND) + " " + arguments + "; echo $? >" +
                           (workspace.folder() / "status").string() + "; } 2>" + err.string() + " " + where;
  EXPECT_EQ(std::system(line.c_str()), 0);
  return {std::stoi("0" + read_all(workspace.folder() / "status")), {}, read_all(err)};
}

TEST(Output, AFullDiskIsAFailureOfEveryCommand) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const std::string brief = " --set 'measure.duration=20 us'";
  for (const std::string& arguments :
       {std::string{"--help"}, std::string{"--version"}, std::string{"run --help"}, "run " + first_example + brief,
        "analyze " + first_example, "check " + first_example, "path " + first_example, "graph " + first_example,
        "explain " + first_example, "list --data-dir " + source_dir, std::string{"schema"}, std::string{"reference"},
        std::string{"reproduce kalia16/table4"}}) {
    const Outcome outcome = with_output_to(">/dev/full", arguments);
    EXPECT_EQ(outcome.status, 1) << arguments;
    EXPECT_EQ(outcome.err, "doorbell: cannot write to standard output: No space left on device\n") << arguments;
  }
}

TEST(Output, APipeThatNobodyReadsIsNoNews) {
  for (const char* before : {"", "trap '' PIPE; "}) {
    const Workspace workspace;
    const auto err = workspace.folder() / "stderr";
    const std::string line =
        std::string{before} + shell_word(DOORBELL_COMMAND) + " reference 2>" + err.string() + " | true";
    EXPECT_EQ(std::system(line.c_str()), 0);
    EXPECT_EQ(read_all(err), "");
  }
}

TEST(Output, EveryFileThatACommandWritesIsWrittenWhole) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const Workspace workspace;
  const std::filesystem::path full = workspace.folder() / "full";
  std::filesystem::create_symlink("/dev/full", full);
  for (const std::vector<std::string>& call :
       std::vector<std::vector<std::string>>{{"graph", first_example, "--svg"},
                                             {"graph", first_example, "--dot"},
                                             {"path", first_example, "--svg"},
                                             {"run", first_example, "--set", "measure.duration=20 us", "--out"},
                                             {"run", first_example, "--set", "measure.duration=20 us", "--trace"}}) {
    std::vector<std::string> arguments = call;
    arguments.push_back(full.string());
    const Outcome outcome = doorbell(arguments);
    EXPECT_EQ(outcome.status, 1) << call.front();
    EXPECT_EQ(outcome.err, "doorbell: cannot write " + full.string() + ": No space left on device\n");
    EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
    arguments.back() = "/nowhere/file";
    expect_users_mistake(doorbell(arguments), call.back() + " /nowhere/file: cannot write there");
  }
}

TEST(Output, TwoOptionsDoNotNameOneFile) {
  const Workspace workspace;
  const auto file = workspace.folder() / "file";
  const std::string same = (workspace.folder() / "." / "file").string();
  const std::string brief = "measure.duration=20 us";
  expect_users_mistake(doorbell({"run", first_example, "--set", brief, "--out", file.string(), "--trace", same}),
                       "doorbell: DB704 --trace " + same + ": expected another file than that of --out");
  expect_users_mistake(doorbell({"graph", first_example, "--svg", file.string(), "--dot", same}),
                       "doorbell: DB704 --dot " + same + ": expected another file than that of --svg");
  EXPECT_FALSE(std::filesystem::exists(file));
  const Outcome both = doorbell({"graph", first_example, "--svg", "/dev/stdout", "--dot", "/dev/stdout"});
  EXPECT_EQ(both.status, 0) << both.err;
}

TEST(Output, NothingIsLeftBehindByASignal) {
  const Workspace workspace;
  const std::string folder = workspace.folder().string();
  // Ends itself by the signal as soon as both temporary files are there.
  const std::string line = "cd " + folder + "; " + shell_word(DOORBELL_COMMAND) + " run " + first_example +
                           " --set 'measure.duration=10 s' --trace t --trace-length '10 s' --out o >/dev/null & "
                           "while [ ! -e t.$!.tmp ]; do sleep 0.02; done; kill -TERM $!; wait $!";
  const int status = std::system(line.c_str());
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM);
  for (const auto& entry : std::filesystem::directory_iterator{workspace.folder()})
    EXPECT_FALSE(entry.path().string().ends_with(".tmp")) << entry.path();
}

TEST(Output, ProcessesOfASimulationEndWithTheCommand) {
  const Workspace workspace;
  const std::string line =
      "cd " + workspace.folder().string() + "; " + shell_word(DOORBELL_COMMAND) + " run " + source_dir +
      "/scenarios/today/fat_tree.json --jobs 2 >/dev/null & "
      "while ! grep . /proc/$!/task/$!/children >children; do sleep 0.02; done; kill -TERM $!; wait $!";
  EXPECT_EQ(WEXITSTATUS(std::system(line.c_str())), 128 + SIGTERM);
  std::istringstream children{read_all(workspace.folder() / "children")};
  pid_t child = 0;
  EXPECT_TRUE(children >> child);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  while (::kill(child, 0) == 0 && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
  EXPECT_NE(::kill(child, 0), 0);
}

}  // namespace
}  // namespace doorbell::cli
