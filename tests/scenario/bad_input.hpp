// One wrong input: a small edit of the good scenario, and the complaint it must lead to.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "scenario/load.hpp"
#include "workspace.hpp"

namespace doorbell::scenario::testing {

// Places of the good scenario.
inline const std::string worker = "/programs/worker";
inline const std::string threads = worker + "/threads";
inline const std::string reply = worker + "/loop/2/post";
inline const std::string client_program = "/programs/client";
inline const std::string client_request = client_program + "/loop/0/post";

struct BadInput {
  std::string name;
  std::string from;  ///< Replaced in the good scenario; empty: `to` is the whole file.
  std::string to;    ///< '@' marks the place that the message must name, and is not part of the text.
  ErrorCode code;
  std::string pointer;
  std::string says = {};                ///< Part of the message.
  std::vector<std::string> sets = {};   ///< Overrides; with them the place is in the override's text.
  std::string file = "sequencer.json";  ///< Which file is edited: this one or hardware.json.
};
inline void PrintTo(const BadInput& input, std::ostream* stream) { *stream << input.name; }

struct Marked {
  std::string text;
  int line = 0;  ///< 0 when there is no mark.
  int column = 0;
};

/// Takes the mark out of a text.
inline Marked unmarked(std::string text) {
  const std::size_t mark = text.find('@');
  if (mark == std::string::npos) return {std::move(text)};
  text.erase(mark, 1);
  Marked found{text, 1, 1};
  for (std::size_t i = 0; i < mark; ++i) {
    const bool starts_character = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    found.column = text[i] == '\n' ? 1 : found.column + (starts_character ? 1 : 0);
    found.line += text[i] == '\n' ? 1 : 0;
  }
  return found;
}

/// The complaint that loading leads to. Anything else that is thrown fails the test.
inline ScenarioError complaint_of(const std::filesystem::path& file, const LoadOptions& options = {}) {
  try {
    static_cast<void>(load_file(file, options));
  } catch (const ScenarioError& error) {
    return error;
  }
  throw std::logic_error{"accepted: " + read_all(file)};
}

inline void expect_one_line(const ScenarioError& error) {
  const std::string message = error.what();
  EXPECT_FALSE(message.empty());
  EXPECT_EQ(message.find_first_of("\r\n"), std::string::npos) << message;
  EXPECT_LT(message.size(), 1500U) << message;
  EXPECT_NE(message.find(code_text(error.code())), std::string::npos) << message;
}

/// Loading is refused for one reason, at one place.
inline void expect_refused_at(const std::filesystem::path& file, ErrorCode code, const std::string& pointer,
                              const LoadOptions& options = {}) {
  const ScenarioError error = complaint_of(file, options);
  EXPECT_EQ(code_text(error.code()), code_text(code)) << error.what();
  EXPECT_EQ(error.pointer(), pointer) << error.what();
  expect_one_line(error);
}

inline void expect_complaint(const BadInput& input) {
  const Workspace workspace;
  const std::string good = input.file == "hardware.json" ? read_all(workspace.folder() / input.file) : good_scenario;
  const Marked edited = unmarked(input.from.empty() ? input.to : replaced(good, input.from, input.to));
  if (input.file != "sequencer.json") workspace.write("sequencer.json", good_scenario);
  const auto changed = workspace.write(input.file, edited.text);
  const ScenarioError error = complaint_of(workspace.folder() / "sequencer.json", {.sets = input.sets, .seed = {}});
  EXPECT_EQ(code_text(error.code()), code_text(input.code)) << error.what();
  EXPECT_EQ(error.pointer(), input.pointer) << error.what();
  EXPECT_NE(std::string{error.what()}.find(input.says), std::string::npos) << error.what();
  expect_one_line(error);
  if (!input.sets.empty()) {
    EXPECT_EQ(error.file(), "--set") << error.what();
    EXPECT_EQ(error.line(), static_cast<int>(input.sets.size())) << error.what();
    return;
  }
  EXPECT_EQ(error.file(), changed.string()) << error.what();
  EXPECT_GT(edited.line, 0) << "the table does not say where";
  EXPECT_EQ(error.line(), edited.line) << error.what();
  EXPECT_EQ(error.column(), edited.column) << error.what();
}

/// Variants of the good scenario.
class Variants : public ::testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file(const std::string& text) const {
    return workspace_.write("sequencer.json", text);
  }
  void expect_complaint(const std::string& text, ErrorCode code, const std::string& pointer) const {
    expect_refused_at(file(text), code, pointer);
  }

  /// `text`, with software on the clients' machines.
  [[nodiscard]] std::string with_software(const std::string& text) const {
    workspace_.write("software.json", sample_profile(form_of<model::HostSoftware>(), 1));
    return replaced(text, R"("client": {"hardware": "hardware.json")",
                    R"("client": {"hardware": "hardware.json", "software": "software.json")");
  }

  Workspace workspace_;
};

class BadInputs : public ::testing::TestWithParam<BadInput> {};

inline std::string name_of(const ::testing::TestParamInfo<BadInput>& info) { return info.param.name; }

}  // namespace doorbell::scenario::testing
