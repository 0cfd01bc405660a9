// Runs the doorbell command as a user would, and keeps what it says.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <string>
#include <vector>

#include "scenario/workspace.hpp"

namespace doorbell::cli::testing {

inline const std::string source_dir = DOORBELL_SOURCE_DIR;
inline const std::string first_example = source_dir + "/scenarios/examples/first.json";

struct Outcome {
  int status = -1;
  std::string out;
  std::string err;
};

inline std::string shell_word(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return word + "'";
}

inline Outcome doorbell(const std::vector<std::string>& arguments, const std::string& environment = "") {
  const scenario::testing::Workspace workspace;
  const auto out = workspace.folder() / "stdout";
  const auto err = workspace.folder() / "stderr";
  std::string line = "env " + environment + " " + shell_word(DOORBELL_COMMAND);
  for (const std::string& argument : arguments) line += " " + shell_word(argument);
  const int status = std::system((line + " >" + out.string() + " 2>" + err.string()).c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, scenario::testing::read_all(out),
          scenario::testing::read_all(err)};
}

inline void expect_one_line(const std::string& text) {
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1) << text;
  EXPECT_TRUE(text.ends_with('\n')) << text;
}

/// Exit status 2, one line on stderr, nothing on stdout.
inline void expect_users_mistake(const Outcome& outcome, const std::string& says) {
  EXPECT_EQ(outcome.status, 2);
  EXPECT_EQ(outcome.out, "");
  expect_one_line(outcome.err);
  EXPECT_THAT(outcome.err, ::testing::HasSubstr(says));
}

}  // namespace doorbell::cli::testing
