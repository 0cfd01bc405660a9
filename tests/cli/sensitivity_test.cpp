// Sensitivities as they are printed: what is varied, and designs beside one another.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "narrow.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;
using scenario::testing::Workspace;
using ::testing::HasSubstr;

const std::string sequencer = source_dir + "/scenarios/kalia16/fig07_spec_s0.json";
const std::vector<std::string> short_run{"--set", "measure.warmup=5 us", "--set", "measure.duration=20 us"};

TEST(SensitivityCommand, VariesWhatIsAssumed) {
  const std::string first = source_dir + "/scenarios/examples/first.json";
  const std::vector<std::string> call{"sensitivity",         first,   "--set",
                                      "measure.warmup=5 us", "--set", "measure.duration=200 us"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), call.begin(), call.end());
    return doorbell(more);
  };
  const auto text = with({"--jobs", "2"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_EQ(text.err, "");
  EXPECT_THAT(text.out, HasSubstr("mmio/line_cost"));
  expect_narrow(text.out);
  EXPECT_EQ(text.out, with({"--jobs", "1"}).out);

  const auto fitted = with({"--provenance", "fitted", "--factor", "1.5", "--format", "json"});
  const auto all = nlohmann::json::parse(fitted.out);
  // A core that needs longer for a WQE, and nothing else, sends less.
  const auto& parameters = all.at("parameters");
  const auto cost = std::find_if(parameters.begin(), parameters.end(), [](const auto& one) {
    return one.at("pointers").at(0).template get<std::string>().ends_with("cpu/wqe_cost");
  });
  ASSERT_NE(cost, parameters.end());
  EXPECT_EQ(cost->at("provenance"), "fitted");
  EXPECT_LT(cost->at("high").at("throughput_mops"), all.at("baseline").at("throughput_mops"));
  EXPECT_GT(cost->at("low").at("throughput_mops"), all.at("baseline").at("throughput_mops"));
}

TEST(SensitivityCommand, ComparesTwoDesigns) {
  const std::string first = source_dir + "/scenarios/examples/first.json";
  const auto outcome = doorbell({"sensitivity", first, "--with", "programs.sender.loop.0.post.batch=16", "--with",
                                 "programs.sender.queue_pairs.sends.count=4", "--set", "measure.duration=100 us"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("times: better"));
  EXPECT_THAT(outcome.out, HasSubstr("The other design is better in 69 of 69 runs."));
  expect_narrow(outcome.out);
  // What makes the difference is not varied.
  const auto core = doorbell({"sensitivity", first, "--with", "machines.server.hardware.mmio.line_cost=20 ns", "--set",
                              "measure.duration=20 us", "--format", "json"});
  EXPECT_THAT(core.out, Not(HasSubstr("server/hardware/mmio/line_cost")));
  EXPECT_THAT(core.out, HasSubstr("client/hardware/mmio/line_cost"));
  expect_users_mistake(doorbell({"sensitivity", first, "--set", "seed=2", "--with", "programs.sender.threads=none"}),
                       "--with:1:25: DB103 /programs/sender/threads: expected a count");
}

TEST(SensitivityCommand, ValuesMayHoldEqualSignsAndSizesAnyUnit) {
  const auto with = [](std::vector<std::string> design) {
    std::vector<std::string> call{"sensitivity",  source_dir + "/scenarios/kalia16/table4_read_64.json",
                                  "--set",        "measure.duration=20 us",
                                  "--provenance", "fitted",
                                  "--format",     "json"};
    call.insert(call.end(), design.begin(), design.end());
    const auto outcome = doorbell(call);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out);
  };
  const auto bytes = with({"--with", "programs.reader.loop.0.post.payload=256 B"});
  const auto kibibytes = with({"--with", "title=a = b", "--with", "programs.reader.loop.0.post.payload=0.25 KiB"});
  EXPECT_EQ(kibibytes.at("baseline"), bytes.at("baseline"));
  EXPECT_EQ(kibibytes.at("with").at(0), "title=a = b");
  EXPECT_EQ(with({"--set", "title=a=b", "--with", "seed=2"}).at("scenario").at("title"), "a=b");
  expect_users_mistake(doorbell({"sensitivity", sequencer, "--with", "programs.worker.threads"}),
                       "--with:1:1: DB301: expected path=value");
}

TEST(SensitivityCommand, VariesWhatOnlyOneOfTwoDesignsUses) {
  const auto outcome = doorbell({"sensitivity", source_dir + "/scenarios/gmblock/raid_ram_1_a.json", "--with",
                                 "storage.medium=fast_device", "--provenance", "fitted", "--set",
                                 "storage.duration=50 ms", "--format", "json"});
  const auto parameters = nlohmann::json::parse(outcome.out).at("parameters");
  ASSERT_EQ(parameters.size(), 1U);
  EXPECT_EQ(parameters.at(0).at("pointers").at(0), "/storage/hardware/raid/command");
  EXPECT_GT(parameters.at(0).at("low").at("throughput_mops"), parameters.at(0).at("high").at("throughput_mops"));
}

TEST(SensitivityCommand, AValueThatIsTooLargeIsNotOneWithoutEffect) {
  // The clients put 60 B: half of what is asked for is less, twice as much is more.
  const auto outcome = doorbell({"sensitivity", source_dir + "/scenarios/kalia16/fig09_baseline.json", "--provenance",
                                 "override", "--set", "programs.worker.loop.1.compute.keep.carrying=40 B", "--set",
                                 "measure.warmup=5 us", "--set", "measure.duration=20 us", "--format", "json"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto parameters = nlohmann::json::parse(outcome.out).at("parameters");
  ASSERT_EQ(parameters.size(), 1U);
  EXPECT_EQ(parameters.at(0).at("pointers").at(0), "/programs/worker/loop/1/compute/keep/carrying");
  EXPECT_TRUE(parameters.at(0).at("low").is_object());
  EXPECT_TRUE(parameters.at(0).at("high").is_null()) << parameters.at(0).at("high");
}

TEST(SensitivityCommand, LeavesOutWhatNoDesignUses) {
  // Of what the profile has from datasheets, all but the front-side bus is of heads that do not seek.
  const auto outcome = doorbell({"sensitivity", source_dir + "/scenarios/gmblock/raid_tcp_a.json", "--provenance",
                                 "datasheet", "--set", "storage.duration=50 ms"});
  EXPECT_THAT(outcome.out, HasSubstr("Varied       1 parameter (datasheet)"));
  EXPECT_THAT(outcome.out, HasSubstr("In all 2 runs"));
}

TEST(SensitivityCommand, TakesEveryPointThatARunTakes) {
  const std::string folder = source_dir + "/scenarios/hardware/";
  const Workspace workspace;
  // Half of the points have no use for disks, and without the sweep there is no request to serve.
  const auto file = workspace.write("swept.json", R"({"storage": {"hardware": ")" + folder +
                                                      R"(server_a.json", "path": "ram", "duration": "50 ms"},
      "sweep": [{"path": "/storage/request", "values": ["64 KiB"]},
                {"path": "/storage/medium", "values": ["raid", "fast_device"]},
                {"path": "/storage/hardware/raid/disks", "values": [4, 8]}]})");
  const auto rate = [&](const std::vector<std::string>& more) {
    std::vector<std::string> call{"sensitivity", file.string(), "--provenance", "stated", "--format", "json"};
    call.insert(call.end(), more.begin(), more.end());
    const auto outcome = doorbell(call);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("baseline").at("throughput_mops").get<double>();
  };
  EXPECT_GT(rate({"--point", "2"}), rate({"--point", "0"})) << "the fast device";
  expect_users_mistake(doorbell({"sensitivity", file.string(), "--with", "storage.medium=fast_device"}),
                       file.string() + ":4:69: DB460 /storage/hardware/raid/disks: ");
}

TEST(SensitivityCommand, LeavesOutWhatOnlyOtherPointsUse) {
  const Workspace workspace;
  const auto file = workspace.write(
      "swept.json", R"({"storage": {"hardware": ")" + source_dir +
                        R"(/scenarios/hardware/server_a.json", "path": "ram", "request": "64 KiB", "duration": "50 ms"},
      "sweep": [{"path": "/storage/medium", "values": ["raid", "fast_device"]},
                {"path": "/storage/hardware/raid/disks", "values": [4, 8]}]})");
  const auto of_disks = [&](const std::string& point) {
    const auto outcome = doorbell(
        {"sensitivity", file.string(), "--point", point, "--provenance", "fitted,assumed", "--format", "json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const auto parameters = nlohmann::json::parse(outcome.out).at("parameters");
    EXPECT_FALSE(parameters.empty());
    return std::ranges::count_if(parameters, [](const nlohmann::json& one) {
      return one.at("pointers").at(0).get<std::string>().find("/raid/") != std::string::npos;
    });
  };
  EXPECT_GT(of_disks("0"), 0);
  EXPECT_EQ(of_disks("3"), 0);
}

TEST(SensitivityCommand, TakesTheProfileOfThePoint) {
  const Workspace workspace;
  const std::string folder = source_dir + "/scenarios/hardware/";
  workspace.write("b.json", R"({"extends": ")" + folder + R"(server_b.json", "title": "Server B"})");
  const auto file = workspace.write("swept.json", R"({"storage": {"hardware": ")" + folder +
                                                      R"(server_a.json", "path": "ram", "request": "64 KiB",
      "duration": "50 ms"}, "sweep": [{"path": "/storage/hardware", "values": [")" +
                                                      folder + R"(server_a.json", "b.json"]}]})");
  const auto rate = [&](const std::vector<std::string>& call) {
    const auto outcome = doorbell(call);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("baseline").at("throughput_mops").get<double>();
  };
  const double a = rate({"sensitivity", file.string(), "--format", "json"});
  const double b = rate({"sensitivity", file.string(), "--point", "1", "--format", "json"});
  const double only_b = rate({"sensitivity", file.string(), "--format", "json", "--set",
                              "storage.hardware=" + (workspace.folder() / "b.json").string()});
  EXPECT_DOUBLE_EQ(b, only_b);
  EXPECT_NE(a, b);
  // The sweep names files beside its own.
  workspace.write("elsewhere/heir.json", R"({"extends": "../swept.json"})");
  const std::string heir = (workspace.folder() / "elsewhere/heir.json").string();
  EXPECT_DOUBLE_EQ(b, rate({"sensitivity", heir, "--point", "1", "--format", "json"}));
}

TEST(SensitivityCommand, ComparesTwoFiles) {
  const std::string folder = source_dir + "/scenarios/";
  std::vector<std::string> call{"sensitivity", folder + "kalia16/fig07_baseline.json", "--point", "2",
                                "--against",   folder + "kalia16/fig07_batching.json"};
  call.insert(call.end(), short_run.begin(), short_run.end());
  const auto outcome = doorbell(call);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("/programs/worker/threads = 6\n"));
  EXPECT_THAT(outcome.out, HasSubstr("fig07_batching.json"));
  EXPECT_THAT(outcome.out, HasSubstr("times: better"));
  expect_users_mistake(doorbell({"sensitivity", sequencer, "--against", folder + "rdmabox/fig01.json"}),
                       "expected a scenario of the same kind");
  expect_users_mistake(doorbell({"sensitivity", sequencer, "--against", "no-such.json"}), "no-such.json:1:1: DB001");
}

TEST(SensitivityCommand, RefusesToCompareBytesWithOperations) {
  const std::string folder = source_dir + "/scenarios/rdmabox/";
  const auto compared = [&](const std::string& metric) {
    return doorbell({"sensitivity", folder + "voltdb_sys.json", "--against", folder + "fig01.json", "--provenance",
                     "override", "--set", "remote_memory.hardware.nic.latency=500 ns", "--set",
                     "remote_memory.duration=5 ms", "--metric", metric});
  };
  expect_users_mistake(compared("throughput"),
                       "fig01.json: expected a design whose rate is one of operations, as that "
                       "of the scenario, found one of bytes");
  EXPECT_EQ(compared("mean").status, 0);
}

TEST(SensitivityCommand, ComparesPointsOfASweep) {
  std::vector<std::string> call{"sensitivity", sequencer, "--point", "3", "--with", "programs.worker.threads=1",
                                "--factor",    "1.5"};
  call.insert(call.end(), short_run.begin(), short_run.end());
  const auto outcome = doorbell(call);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("/programs/worker/threads = 10\n"));
  EXPECT_THAT(outcome.out, HasSubstr("times: worse"));
}

TEST(SensitivityCommand, RefusesWhatLeavesNothingToVary) {
  const std::string first = source_dir + "/scenarios/examples/first.json";
  expect_users_mistake(doorbell({"sensitivity", first, "--point", "1"}), "--point 1: the scenario has only point 0");
  expect_users_mistake(doorbell({"sensitivity", first, "--factor", "1"}), "--factor");
  expect_users_mistake(doorbell({"sensitivity", first, "--provenance", "measured"}), "measured");
  expect_users_mistake(doorbell({"sensitivity", first, "--provenance", "override"}),
                       "--provenance override: expected one of which the scenario has numbers: assumed, fitted");
  expect_users_mistake(doorbell({"sensitivity", first, "--metric", "p99"}), "the scenario measures no latency");
}

}  // namespace
}  // namespace doorbell::cli
