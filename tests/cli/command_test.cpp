// The command as a whole: exit statuses, what goes to which stream, and the width of what people read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "narrow.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;
using scenario::testing::good_scenario;
using scenario::testing::read_all;
using scenario::testing::replaced;
using scenario::testing::Workspace;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string spec = source_dir + "/scenarios/kalia16/fig07_spec_s0.json";
const std::vector<std::string> briefly{"--set", "measure.warmup=5 us", "--set", "measure.duration=20 us"};

std::vector<std::string> run_briefly(std::vector<std::string> more) {
  more.insert(more.begin(), {"run", spec});
  more.insert(more.end(), briefly.begin(), briefly.end());
  return more;
}

TEST(Command, HelpAndVersionSucceed) {
  for (const char* option : {"--help", "--version"}) {
    const Outcome outcome = doorbell({option});
    EXPECT_EQ(outcome.status, 0);
    EXPECT_NE(outcome.out, "");
    EXPECT_EQ(outcome.err, "");
  }
}

TEST(Command, MistakesOfUseAreOneLine) {
  expect_users_mistake(doorbell({}), "doorbell: DB703 A subcommand is required");
  expect_users_mistake(doorbell({"frobnicate"}), "no subcommand \"frobnicate\"");
  expect_users_mistake(doorbell({"rnu", spec}), "did you mean \"run\"?");
  expect_users_mistake(doorbell({"run"}), "doorbell: DB703 FILE is required");
  expect_users_mistake(doorbell({"run", spec, "--format", "xml"}), "doorbell: DB702 --format: xml");
  expect_users_mistake(doorbell({"run", spec, "--jobs", "many"}), "doorbell: DB702 --jobs: expected a whole number");
  expect_users_mistake(doorbell({"run", spec, "--seed", "-1"}), "doorbell: DB702 --seed: expected");
  expect_users_mistake(doorbell({"run", spec, "--point"}), "doorbell: DB703 --point");
  expect_users_mistake(doorbell({"run", spec, "--seed", "1", "--seed", "2"}), "doorbell: DB703 --seed");
  expect_users_mistake(doorbell({"run", spec, "more"}), "doorbell: DB701 ");
  expect_users_mistake(doorbell({"run", spec, "--trace-length", "2 us"}), "doorbell: DB704 --trace-length");
  expect_users_mistake(doorbell({"run", spec, "--trace", "t.json"}), "doorbell: DB707 --trace");
  expect_users_mistake(doorbell({"reproduce", "unheard-of", "--out", "o"}), "doorbell: DB705 no figure is named");
  expect_users_mistake(doorbell({"run", spec, "--seeds", "0"}), "doorbell: DB702 --seeds: expected a whole number");
  expect_users_mistake(doorbell({"run", spec, "--seeds", "3", "--trace", "t.json"}),
                       "doorbell: DB704 --seeds excludes --trace");
  expect_users_mistake(doorbell({"run", spec, "--seeds", "3", "--requests", "r.csv"}), "--seeds excludes --requests");
}

TEST(Command, MistakesInFilesAreOneLineWithTheirPlace) {
  const Workspace workspace;
  const auto file = workspace.write("bad.json", replaced(good_scenario, "\"threads\": 6", "\"threads\": \"six\""));
  for (const char* command : {"run", "check", "explain"}) {
    expect_users_mistake(doorbell({command, file.string()}),
                         file.string() +
                             ":10:39: DB103 /programs/worker/threads: expected a count from 1 to 4096, "
                             "found \"six\"");
  }
  expect_users_mistake(doorbell({"run", "no\nsuch.json"}), "no?such.json:1:1: DB001");
}

TEST(Command, ImportsNeedPaths) {
  const std::string profile = source_dir + "/scenarios/hardware/cib.json";
  expect_users_mistake(doorbell({"import", "perftest", "x.txt", "--hardware", profile, "--out", ""}),
                       "DB702 --out: expected a path");
  expect_users_mistake(doorbell({"import", "perftest", "x.txt", "--hardware", "", "--out", "o"}),
                       "DB702 --hardware: expected a path");
  expect_users_mistake(doorbell({"import", "fio", "x.txt", "--scenario", first_example, "--out", ""}),
                       "DB702 --out: expected a path");
}

TEST(Command, MistakesInToolOutputAreOneLineWithTheirPlace) {
  const Workspace workspace;
  const auto file = workspace.write("bw.txt", "no table\n");
  const std::vector<std::string> common{"--hardware", source_dir + "/scenarios/hardware/cib.json", "--out",
                                        (workspace.folder() / "set").string()};
  const auto import = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"import", "perftest"});
    arguments.insert(arguments.end(), common.begin(), common.end());
    return doorbell(arguments);
  };
  expect_users_mistake(import({file.string()}), file.string() + ":1:1: DB601: expected the output");
  expect_users_mistake(import({"no-such-file.txt"}), "no-such-file.txt:1:1: DB001: expected a file that exists");
  expect_users_mistake(import({file.string(), "--use", "both"}), "both");
  expect_users_mistake(doorbell({"import", "perftest", file.string()}), "--out is required");
  expect_users_mistake(doorbell({"import"}), "subcommand is required");
  expect_users_mistake(
      doorbell({"import", "fio", file.string(), "--scenario", source_dir + "/scenarios/rdmabox/fig01.json", "--out",
                (workspace.folder() / "set").string()}),
      file.string() + ":1:1: DB601: expected the output of fio");
  EXPECT_FALSE(std::filesystem::exists(workspace.folder() / "set"));
}

TEST(Command, MistakesInOverridesNameTheOption) {
  const Outcome outcome = doorbell({"run", spec, "--set", "seed=1", "--set", "programs.worker.threads=0"});
  expect_users_mistake(outcome, "--set:2:25: DB105 /programs/worker/threads");
  expect_users_mistake(doorbell({"run", spec, "--set", "threads"}), "--set:1:1: DB301");
}

TEST(Command, OnePointOfASweepIsRunAlone) {
  const Outcome one = doorbell({"run", spec, "--point", "1", "--format", "json"});
  EXPECT_EQ(one.status, 0) << one.err;
  const Outcome all = doorbell({"run", spec, "--format", "json"});
  const auto points = nlohmann::json::parse(one.out).at("points");
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points.at(0), nlohmann::json::parse(all.out).at("points").at(1));
  // One point tells everything, not a row.
  const std::string text = doorbell({"run", spec, "--point", "1"}).out;
  EXPECT_THAT(text, HasSubstr("threads 3"));
  EXPECT_THAT(text, HasSubstr("server/PCIeRdCur"));
  EXPECT_THAT(text, HasSubstr("Bottleneck: "));
  // Their workers differ in number, which no path tells, but their batches do.
  const std::string by_batch = "sweep=[{\"path\": \"/programs/worker/loop/3/post/batch\", \"values\": [4, 8]}]";
  EXPECT_THAT(doorbell({"path", spec, "--program", "worker", "--set", by_batch, "--point", "1"}).out,
              HasSubstr("batch 8"));
}

TEST(Command, AFileNeedsAName) {
  for (const char* command : {"run", "check", "calibrate"}) {
    expect_users_mistake(doorbell({command, ""}), "\"\":1:1: DB001: expected the name of a file, found \"\"");
  }
}

TEST(Command, AnalyzeBoundsWhatMovesBlocksInBytes) {
  const std::string storage = source_dir + "/scenarios/gmblock/raid_ram_1_a.json";
  const Outcome text = doorbell({"analyze", storage, "--set", "storage.request=512 KiB"});
  EXPECT_EQ(text.status, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("Bound        168.9 MiB/s"));
  EXPECT_THAT(text.out, HasSubstr("Bottleneck   client/requests in flight"));
  expect_narrow(text.out);
  const Outcome json = doorbell({"analyze", storage, "--set", "storage.request=512 KiB", "--format", "json"});
  const auto point = nlohmann::json::parse(json.out).at(0);
  EXPECT_NEAR(point.at("bandwidth_bytes_per_second").get<double>(),
              point.at("throughput_mops").get<double>() * 1e6 * 512 * 1024, 1);
  const Outcome transfers = doorbell({"analyze", source_dir + "/scenarios/today/nvme_memory.json"});
  EXPECT_THAT(transfers.out, HasSubstr("Bottleneck   port"));
  expect_users_mistake(doorbell({"path", storage}), "DB429 /storage: expected a scenario of machines and programs");
  const Outcome files = doorbell({"analyze", source_dir + "/scenarios/gmblock/cluster/iozone_ramcache.json"});
  EXPECT_THAT(files.out, HasSubstr("Bottleneck   server/host bridge"));
  expect_narrow(files.out);
}

TEST(Command, PathShowsEveryOperationOfAMix) {
  const Outcome store = doorbell({"path", source_dir + "/scenarios/kalia16/fig10_cib.json", "--set",
                                  R"(sweep=[{"path": "/programs/client/loop/0/post/mix/0/share", "values": [0.5]}])"});
  EXPECT_EQ(store.status, 0) << store.err;
  EXPECT_THAT(store.out, HasSubstr("RC READ, 64 B"));
  EXPECT_THAT(store.out, HasSubstr("RC FETCH_ADD, 8 B"));
}

TEST(Command, PathShowsWhatANicReadsAgainAndDrawsTheOperationAskedFor) {
  const Workspace workspace;
  const std::string reads = source_dir + "/scenarios/kalia16/fig13_cx3_read.json";
  EXPECT_THAT(doorbell({"path", reads}).out, Not(HasSubstr("read WQE again")));
  const Outcome displaced = doorbell({"path", reads, "--displaced"});
  EXPECT_THAT(displaced.out, HasSubstr("read WQE again, for the request"));
  EXPECT_THAT(displaced.out, HasSubstr("read WQE again, for the response"));
  // What is fetched for a doorbell is not lost before it is sent.
  const std::string sends = source_dir + "/scenarios/kalia16/table4_ud_recv.json";
  expect_users_mistake(doorbell({"path", sends, "--displaced"}),
                       "doorbell: DB707 path: --displaced: expected WQEs by MMIO, READs or atomics");
  const std::string mixed = source_dir + "/scenarios/kalia16/fig10_cib.json";
  const std::string half = R"(sweep=[{"path": "/programs/client/loop/0/post/mix/0/share", "values": [0.5]}])";
  const std::string file = (workspace.folder() / "path.svg").string();
  EXPECT_EQ(doorbell({"path", mixed, "--set", half, "--svg", file, "--operation", "1"}).status, 0);
  EXPECT_THAT(read_all(file), HasSubstr("FETCH_ADD"));
  expect_users_mistake(doorbell({"path", mixed, "--set", half, "--svg", file, "--operation", "2"}),
                       "--operation: expected a number up to 1, found 2");
}

TEST(Command, PathShowsWhatReachesAProgramThatPostsNothing) {
  const std::string receives = source_dir + "/scenarios/kalia16/table4_ud_recv.json";
  const Outcome sends = doorbell({"path", receives});
  EXPECT_EQ(sends.status, 0) << sends.err;
  EXPECT_EQ(sends.out, doorbell({"path", receives, "--program", "sender"}).out);
  // Who asks for it gets no other.
  expect_users_mistake(doorbell({"path", receives, "--program", "receiver"}),
                       "path: program \"receiver\" posts nothing; see --program sender");
  expect_users_mistake(doorbell({"path", receives, "--program", "sendr"}),
                       "DB705 path: no program \"sendr\" in this scenario, but receiver, sender; did you mean "
                       "\"sender\"?");
}

TEST(Command, PathShowsWhatARemoteMemoryDevicePosts) {
  const std::string pages = source_dir + "/scenarios/rdmabox/voltdb_rdmabox.json";
  const Outcome device = doorbell({"path", pages});
  EXPECT_EQ(device.status, 0) << device.err;
  EXPECT_THAT(device.out, HasSubstr("RC WRITE"));
  EXPECT_THAT(device.out, HasSubstr("RC READ, 4096 B, doorbell, batch 16"));
  expect_users_mistake(doorbell({"path", pages, "--set", "remote_memory.records.resident=1"}),
                       "doorbell: DB707 path: everything is in memory, and nothing is posted");
}

TEST(Command, GraphDrawsEveryKindOfScenario) {
  for (const char* file : {"examples/first.json", "gmblock/raid_sram_1_a.json", "gmblock/cluster/web_sram.json",
                           "today/nvme_memory.json", "rdmabox/fig01.json", "pciebench/latency.json"}) {
    const Outcome outcome = doorbell({"graph", source_dir + "/scenarios/" + file});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("digraph")) << file;
    EXPECT_THAT(outcome.out, HasSubstr("GB/s")) << file;
  }
}

TEST(Command, ADrawingHoldsNamesAsTheyAre) {
  Workspace workspace;
  const std::string renamed = replaced(good_scenario, R"("client": {"hardware")", R"("a<b&c": {"hardware")");
  const auto file = workspace.write("odd.json", replaced(renamed, R"("machine": "client")", R"("machine": "a<b&c")"));
  const Outcome drawn = doorbell({"graph", file.string(), "--svg", (workspace.folder() / "odd.svg").string()});
  EXPECT_EQ(drawn.status, 0) << drawn.err;
  const std::string svg = read_all(workspace.folder() / "odd.svg");
  EXPECT_THAT(svg, HasSubstr("a&lt;b&amp;c"));
  EXPECT_THAT(svg, Not(HasSubstr("a<b")));
}

TEST(Command, RunPrintsATableForPeople) {
  const Outcome outcome = doorbell(run_briefly({"--set", "programs.worker.threads=1"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"Throughput", "Latency", "Busy", "Counters", "Work requests", "Bottleneck: "}) {
    EXPECT_THAT(outcome.out, HasSubstr(part));
  }
  expect_narrow(outcome.out);
  const Outcome sweep = doorbell(run_briefly({}));
  EXPECT_EQ(sweep.status, 0) << sweep.err;
  expect_narrow(sweep.out);
}

TEST(Command, RunGivesTheSameBytesForAnyNumberOfJobs) {
  const Outcome one = doorbell(run_briefly({"--format", "json", "--jobs", "1"}));
  EXPECT_EQ(one.status, 0) << one.err;
  EXPECT_GT(nlohmann::json::parse(one.out).at("points").size(), 1U);
  EXPECT_EQ(one.out, doorbell(run_briefly({"--format", "json", "--jobs", "4"})).out);
  EXPECT_NE(one.out, doorbell(run_briefly({"--format", "json", "--seed", "99"})).out);
}

TEST(Command, RunWritesToAFile) {
  const Workspace workspace;
  const auto file = workspace.folder() / "result.csv";
  const Outcome outcome = doorbell(run_briefly({"--format", "csv", "--out", file.string()}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_THAT(read_all(file), StartsWith("# doorbell "));
}

TEST(Command, RunRefusesAnOutputItCannotWrite) {
  expect_users_mistake(doorbell(run_briefly({"--out", "/nowhere/result.csv"})),
                       "doorbell: DB706 --out /nowhere/result.csv");
}

TEST(Command, RunWritesATraceThatIsJson) {
  const Workspace workspace;
  const std::string file = (workspace.folder() / "trace.json").string();
  const std::string one_point = "programs.worker.threads=1";
  const Outcome outcome = doorbell(run_briefly({"--set", one_point, "--trace", file, "--trace-length", "2 us"}));
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto records = nlohmann::json::parse(read_all(file));
  EXPECT_GT(std::count_if(records.begin(), records.end(), [](const auto& record) { return record.at("ph") == "X"; }),
            10);
}

TEST(Command, ATraceOfStorageComesFromTheProcessThatSimulatesIt) {
  const Workspace workspace;
  const std::string file = (workspace.folder() / "trace.json").string();
  const Outcome outcome = doorbell({"run", source_dir + "/scenarios/examples/trace.json", "--trace", file});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const auto records = nlohmann::json::parse(read_all(file));
  const auto of_name = [&](const std::string& name) {
    return std::count_if(records.begin(), records.end(), [&](const auto& record) { return record.at("name") == name; });
  };
  EXPECT_GT(of_name("seeks"), 0);
  EXPECT_GT(of_name("flows on PCI bus"), 0);
}

TEST(Command, ATraceIsRefusedBeforeAnythingRuns) {
  const Workspace workspace;
  const std::string file = (workspace.folder() / "trace.json").string();
  const auto refusal = [&](const std::vector<std::string>& more) {
    const Outcome outcome = doorbell(run_briefly(more));
    EXPECT_EQ(outcome.status, 2);
    expect_one_line(outcome.err);
    EXPECT_FALSE(std::filesystem::exists(file));
    return outcome.err;
  };
  const std::string one_point = "programs.worker.threads=1";
  EXPECT_THAT(refusal({"--trace", file}), HasSubstr("one point"));
  EXPECT_THAT(refusal({"--set", one_point, "--trace", "/nowhere/x"}), HasSubstr("--trace /nowhere/x"));
  EXPECT_THAT(refusal({"--set", one_point, "--trace", file, "--trace-length", "2 kg"}), HasSubstr("2 kg"));
  EXPECT_THAT(refusal({"--set", one_point, "--trace-length", "2 us"}), HasSubstr("--trace"));
}

TEST(Command, AFailureOfTheOutputIsNoMistakeOfTheUser) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const int status = std::system((shell_word(DOORBELL_COMMAND) + " schema >/dev/full 2>/dev/null").c_str());
  EXPECT_EQ(WEXITSTATUS(status), 1);
}

TEST(Command, CheckReportsEveryFile) {
  const Workspace workspace;
  const auto bad = workspace.write("bad.json", "{");
  const auto good = workspace.write("good.json", good_scenario);
  const auto profile = workspace.folder() / "hardware.json";
  const Outcome outcome = doorbell({"check", bad.string(), good.string(), profile.string()});
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.out, HasSubstr("good.json: good, 1 point\n"));
  EXPECT_THAT(outcome.out, HasSubstr("hardware.json: good profile\n"));
  expect_one_line(outcome.err);
  EXPECT_THAT(outcome.err, HasSubstr("DB003"));
}

TEST(Command, CheckReadsFigures) {
  const std::filesystem::path plots = std::filesystem::path{source_dir} / "plots";
  expect_users_mistake(doorbell({"check", (plots / "kalia16/table5.json").string(), "--set", "foo=1"}),
                       "doorbell: DB707 --set: expected scenarios to override, found");
  const Outcome good = doorbell({"check", (plots / "kalia16/table5.json").string()});
  EXPECT_EQ(good.status, 0) << good.err;
  EXPECT_THAT(good.out, HasSubstr("table5.json: good figure\n"));

  const Workspace workspace;
  workspace.write("good.json", good_scenario);
  const auto figure = workspace.write("figure.json", R"({"id": "my/figure", "title": "Mine",
    "series": [{"name": "one", "scenario": "good.json", "x": {"sweep": "/programs/sender/threads"}}],
    "panels": [{"name": "p", "x": {"label": "x"}, "y": {"label": "y"}, "series": ["one"]}]})");
  expect_users_mistake(doorbell({"check", figure.string()}), "figure.json:2:72: DB507 /series/0/x/sweep: expected");
  expect_users_mistake(doorbell({"reproduce", figure.string()}), "figure.json:2:72: DB507 /series/0/x/sweep: expected");
}

TEST(Command, EveryFileThatComesWithDoorbellIsGood) {
  std::vector<std::string> arguments{"check"};
  for (const auto& entry : std::filesystem::recursive_directory_iterator{source_dir + "/scenarios"}) {
    const bool schema = entry.path().parent_path().filename() == "schema";
    if (entry.path().extension() == ".json" && !schema) arguments.push_back(entry.path().string());
  }
  ASSERT_GT(arguments.size(), 2U);
  const Outcome outcome = doorbell(arguments);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
}

TEST(Command, ListShowsWhatIsInTheDataFolder) {
  const Workspace workspace;
  workspace.write("data/scenarios/hardware.json", read_all(workspace.folder() / "hardware.json"));
  workspace.write("data/scenarios/deep/sequencer.json",
                  replaced(good_scenario, "\"hardware.json\"", "\"../hardware.json\""));
  const std::string data = (workspace.folder() / "data").string();
  const Outcome broken = doorbell({"list", "--data-dir", data});
  EXPECT_EQ(broken.status, 0);
  EXPECT_THAT(broken.out, HasSubstr("Not complete by itself, or wrong: DB001"));
  workspace.write("data/scenarios/deep/hardware.json", read_all(workspace.folder() / "hardware.json"));
  const Outcome outcome = doorbell({"list"}, "DOORBELL_DATA=" + data);
  EXPECT_EQ(outcome.status, 0);
  EXPECT_THAT(outcome.out, HasSubstr("deep/sequencer.json\n    Sequencer\n    Machines: server, 5 x client\n"));
  expect_narrow(replaced(outcome.out, data, ""));
  expect_users_mistake(doorbell({"list", "--data-dir", "/nowhere"}), "DB001");
  const Outcome shipped = doorbell({"list", "--data-dir", source_dir});
  for (const char* subject : {"A storage server", "A host with memory on", "Streams of data", "shared by 1 machine\n"})
    EXPECT_THAT(shipped.out, HasSubstr(subject));
  EXPECT_THAT(shipped.out, Not(HasSubstr("Machines: \n")));
}

TEST(Command, ExplainTellsWhereEveryNumberComesFrom) {
  const Outcome outcome = doorbell({"explain", spec, "--set", "machines.server.hardware.nic.processing_units=8"});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("processing_units         8              override: --set:1"));
  EXPECT_THAT(outcome.out, HasSubstr("default"));
  expect_users_mistake(doorbell({"explain", spec, "--point", "1000"}), "doorbell: DB705 --point 1000");
  const auto parameters = nlohmann::json::parse(doorbell({"explain", spec, "--format", "json"}).out);
  EXPECT_GT(parameters.size(), 50U);
  EXPECT_TRUE(parameters.at(0).contains("provenance"));
}

TEST(Command, SchemasAndPagesAreThoseInTheTree) {
  EXPECT_EQ(doorbell({"schema"}).out, read_all(source_dir + "/scenarios/schema/scenario.json"));
  EXPECT_EQ(doorbell({"schema", "hardware"}).out, read_all(source_dir + "/scenarios/schema/hardware.json"));
  EXPECT_EQ(doorbell({"reference"}).out, read_all(source_dir + "/docs/reference.md"));
  EXPECT_EQ(doorbell({"reference", "--errors"}).out, read_all(source_dir + "/docs/errors.md"));
}

TEST(Command, OneSeedIsNoHindranceToATrace) {
  const Workspace workspace;
  const std::string trace = (workspace.folder() / "trace.json").string();
  EXPECT_EQ(doorbell(run_briefly({"--point", "0", "--seeds", "1", "--trace", trace})).status, 0);
  EXPECT_TRUE(std::filesystem::exists(trace));
}

TEST(Command, CheckKnowsAllFilesOfItsOwn) {
  const Workspace workspace;
  const std::string targets = source_dir + "/plots/kalia16/targets.json";
  EXPECT_EQ(doorbell({"check", targets}).out, targets + ": good targets\n");
  const std::string plan = source_dir + "/calib/kalia16-cx.json";
  EXPECT_EQ(doorbell({"check", plan}).out, plan + ": good calibration file\n");
  std::string mistaken = scenario::testing::read_all(plan);
  for (const char* folder : {"../scenarios", "../plots"}) {
    for (std::size_t at = mistaken.find(folder); at != std::string::npos; at = mistaken.find(folder))
      mistaken.replace(at, 2, source_dir);
  }
  mistaken.replace(mistaken.find("\"/nic/"), 6, "\"/nci/");
  const scenario::testing::Workspace folder;
  const std::string mistake = folder.write("plan.json", mistaken).string();
  const Outcome checked = doorbell({"check", mistake});
  expect_users_mistake(checked, "DB302 /stages/0/unknowns/0/path: expected the path of a number in");
  EXPECT_EQ(checked.err, doorbell({"calibrate", mistake}).err);
  const std::string wrong = workspace.write("targets.json", R"({"fit": {"mean": "4 %"}})").string();
  expect_users_mistake(doorbell({"check", wrong}), "DB101 /fit/mean");
  const std::string results = workspace.write("results.json", R"({"figures": [], "collections": []})").string();
  expect_users_mistake(doorbell({"check", results}),
                       "DB111: expected a scenario, a profile, a figure, targets or a calibration file, found results");
  expect_users_mistake(doorbell({"check", targets, "--set", "seed=2"}),
                       "doorbell: DB707 --set: expected scenarios to override");
}

}  // namespace
}  // namespace doorbell::cli
