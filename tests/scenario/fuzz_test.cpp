// Good files with random damage: whatever the text, loading ends with a scenario or with one line of complaint.
#include <gtest/gtest.h>

#include "bad_input.hpp"
#include "damage.hpp"
#include "scenario/block_trace.hpp"

namespace doorbell::scenario::testing {
namespace {

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
