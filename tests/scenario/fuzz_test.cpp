// Good files with random damage: whatever the text, loading ends with a scenario or with one line of complaint.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>

#include "bad_input.hpp"
#include "scenario/block_trace.hpp"

namespace doorbell::scenario::testing {
namespace {

int runs() {
  const char* wanted = std::getenv("DOORBELL_FUZZ_RUNS");
  return wanted == nullptr ? 3000 : std::atoi(wanted);
}

/// The same damage for the same seed on every platform: only the generator itself is used, no distribution.
class Damage {
 public:
  explicit Damage(std::uint32_t seed) : random_{seed} {}

  [[nodiscard]] std::string done_to(std::string text) {
    for (std::size_t i = below(4) + 1; i-- > 0;) hurt(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  void hurt(std::string& text) {
    // Words that mean something to the reader go deeper than single bytes do.
    static const std::array<std::string, 26> words{"0",   "-1",      "1e308",    "99999999999999999999",
                                                   "0.5", "null",    "true",     "\"\"",
                                                   "{}",  "[]",      "{",        "}",
                                                   "[",   "]",       "\"",       ":",
                                                   ",",   "\"8 B\"", "\n",       "//",
                                                   "/*",  "\\u0000", "\"1 ns\"", "\xff",
                                                   "@",   "value"};
    if (text.empty()) text = "{";
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(below(12) + 1, text.size() - at);
    switch (below(6)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, words.at(below(words.size()))); break;
      case 3: text.insert(below(text.size()), text.substr(at, length)); break;
      case 4: replace_value(text, at, words.at(below(words.size()))); break;
      default: text.resize(below(50) == 0 ? at : text.size()); break;
    }
  }

  /// Keeps the syntax whole, so that the damage reaches the checks behind the parser.
  static void replace_value(std::string& text, std::size_t at, const std::string& word) {
    const std::size_t start = text.find(": ", at);
    if (start == std::string::npos) return;
    const std::size_t end = text.find_first_of(",}]\n", start + 2);
    if (end != std::string::npos) text.replace(start + 2, end - start - 2, word);
  }

  std::mt19937 random_;
};

/// Loads one damaged text; returns whether it was refused.
bool refused(const std::filesystem::path& file, const std::string& what) {
  try {
    static_cast<void>(load_file(file));
    return false;
  } catch (const ScenarioError& error) {
    expect_one_line(error);
    EXPECT_GE(error.line(), 1);
    EXPECT_GE(error.column(), 1);
  } catch (const std::exception& other) {
    ADD_FAILURE() << "not a ScenarioError: " << other.what() << "\n" << what;
  }
  return true;
}

TEST(Fuzz, DamagedScenarios) {
  const Workspace workspace;
  Damage damage{20160622};
  int refusals = 0;
  const std::string with_sweep = replaced(
      good_scenario, R"("500 us"})",
      R"("500 us"}, "sweep": [{"path": "/programs/worker/threads", "values": [1, 2]}, {"paths": ["/seed"], "values": [[1]]}])");
  const std::string& start = with_sweep;
  for (int i = 0; i < runs() && !::testing::Test::HasFailure(); ++i) {
    const std::string text = damage.done_to(start);
    refusals += refused(workspace.write("x.json", text), text) ? 1 : 0;
  }
  EXPECT_GT(refusals, runs() / 2);
}

TEST(Fuzz, DamagedProfiles) {
  const Workspace workspace;
  const auto scenario = workspace.write("x.json", good_scenario);
  const std::string profile = read_all(workspace.folder() / "hardware.json");
  Damage damage{4711};
  int refusals = 0;
  for (int i = 0; i < runs() / 3 && !::testing::Test::HasFailure(); ++i) {
    const std::string text = damage.done_to(profile);
    workspace.write("hardware.json", text);
    refusals += refused(scenario, text) ? 1 : 0;
  }
  EXPECT_GT(refusals, runs() / 6);
}

TEST(Fuzz, DamagedOverrides) {
  const Workspace workspace;
  const auto file = workspace.write("x.json", good_scenario);
  Damage damage{42};
  for (int i = 0; i < runs() / 3 && !::testing::Test::HasFailure(); ++i) {
    const std::string set = damage.done_to(i % 2 == 0 ? "programs.worker.loop.2.post.payload=8 B"
                                                      : R"(sweep=[{"path": "/seed", "values": [1, 2]}])");
    try {
      static_cast<void>(load_file(file, {.sets = {set}, .seed = {}}));
    } catch (const ScenarioError& error) {
      expect_one_line(error);
    } catch (const std::exception& other) {
      ADD_FAILURE() << "not a ScenarioError: " << other.what() << "\n" << set;
    }
  }
}

TEST(Fuzz, DamagedTraces) {
  Damage damage{1711};
  for (int i = 0; i < runs() / 3 && !::testing::Test::HasFailure(); ++i) {
    const std::string text = damage.done_to(
        i % 2 == 0
            ? "fio version 2 iolog\n/dev/sda add\n/dev/sda wait 500\n/dev/sda read 0 4096\n/dev/sda write 8192 512\n"
            : "  8,0    3        2     0.000100000   697  Q   R 223490 + 8 [kjournald]\n"
              "  8,0    3        4     0.002100000   697  Q  WS 100 + 16 [kjournald]\nCPU0 (8,0):\n");
    try {
      for (const model::TraceRequest& request : parse_block_trace(text, "trace")) {
        EXPECT_GE(request.when, Time{0});
        EXPECT_GE(request.offset, Bytes{0});
        EXPECT_GT(request.size, Bytes{0});
      }
    } catch (const ScenarioError& error) {
      expect_one_line(error);
    } catch (const std::exception& other) {
      ADD_FAILURE() << "not a ScenarioError: " << other.what() << "\n" << text;
    }
  }
}

}  // namespace
}  // namespace doorbell::scenario::testing
