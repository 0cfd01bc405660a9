// Runs the doorbell command as a user would, and keeps what it says.
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <initializer_list>
#include <string>

#include "scenario/workspace.hpp"

namespace doorbell::cli::testing {

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

}  // namespace doorbell::cli::testing
