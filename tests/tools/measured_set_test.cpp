// From output to a fitted profile: what the tool would have printed on a machine that is known is read, and the
// machine must come out.
#include "tools/measured_set.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "calibrate/fit.hpp"
#include "figures/reproduce.hpp"
#include "figures/scratch.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"
#include "tools/perftest_output.hpp"
#include "tools/perftest_set.hpp"

namespace doorbell::tools {
namespace {

using figures::read_text;
using testing::HasSubstr;

const std::string cib = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/hardware/cib.json";

class MeasuredSets : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path folder() const { return scratch_.path() / "set"; }
  [[nodiscard]] Measurements measured(const std::string& output, const std::filesystem::path& server = cib) const {
    return measured_by_perftest({scratch_.write("out.txt", output + rule)}, cib, server, folder());
  }
  [[nodiscard]] MeasuredSet write(const std::string& output, figures::Use use = figures::Use::validation) const {
    return write_measured_set(measured(output), folder(), use);
  }
  [[nodiscard]] std::string complaint_about(const std::string& output) const {
    try {
      static_cast<void>(write(output));
    } catch (const OutputError& error) {
      return error.what();
    }
    return "was accepted";
  }
  figures::Scratch scratch_;
};

TEST_F(MeasuredSets, HoldScenarioReferenceAndFigure) {
  const MeasuredSet set = write(heading("RDMA_Write BW") + rates + "64 1000 0 335.69 5.5\n4096 1000 0 5859.38 1.5\n" +
                                heading("RDMA_Read Latency") + latencies + "8 1000 1 9 1.5 2 0 3 4\n");
  EXPECT_EQ(set.points, 3);
  EXPECT_TRUE(set.plan.empty());
  const figures::Figure figure = figures::read_figure(set.figure);
  ASSERT_EQ(figure.series.size(), 2U);
  ASSERT_EQ(figure.reference.size(), 3U);
  EXPECT_DOUBLE_EQ(figure.reference[0].value, 5.5);
  EXPECT_EQ(figure.reference[0].use, figures::Use::validation);
  ASSERT_EQ(figure.panels.size(), 2U);
  // Pictures of several imports go into one folder.
  for (const figures::Panel& panel : figure.panels)
    EXPECT_TRUE(("measured/" + panel.name).starts_with(figure.id + "-"));
}

TEST_F(MeasuredSets, AreNamedAfterTheirFolder) {
  const Measurements some = measured(heading("RDMA_Write BW") + rates + "64 1000 0 335.69 5.5\n");
  for (const char* name : {"\u6e2c\u5b9a", "..."}) {
    const std::filesystem::path nameless = scratch_.path() / name;
    EXPECT_THROW((void)write_measured_set(some, nameless, figures::Use::validation), figures::DefinitionError);
    EXPECT_FALSE(std::filesystem::exists(nameless));
  }
  const MeasuredSet set = write_measured_set(some, scratch_.path() / "\u6e2c\u5b9a 2", figures::Use::validation);
  EXPECT_EQ(figures::read_figure(set.figure).id, "measured/2");
}

TEST_F(MeasuredSets, CompareWithSimulations) {
  const MeasuredSet set = write(heading("RDMA_Read BW") + rates + "8 1000 0 38.15 5\n64 1000 0 305.18 5\n");
  figures::ReproduceOptions options;
  options.ids = {set.figure.string()};
  const figures::Reproduction reproduction =
      figures::reproduce(options, DOORBELL_SOURCE_DIR, figures::default_engine(), [](const std::string&) {});
  ASSERT_EQ(reproduction.results.size(), 1U);
  EXPECT_EQ(reproduction.results[0].points.size(), 2U);
  for (const auto& point : reproduction.results[0].points) EXPECT_TRUE(point.error().has_value());
}

TEST_F(MeasuredSets, DoubleWhatTheToolHalves) {
  const MeasuredSet set = write(heading("RDMA_Write Latency") + latencies + "8 1000 1 9 1.5 2 0 3 4\n");
  EXPECT_DOUBLE_EQ(figures::read_figure(set.figure).reference[0].value, 3);
}

TEST_F(MeasuredSets, CompareMeansWithMeans) {
  const MeasuredSet set =
      write(heading("Send Latency") + latencies + "2 1000 1 9 1.5 2 0 3 4\n" + heading("Send Latency") +
            " #bytes #iterations t_avg[usec] tps average\n 2 5324571 1.6 532457.10\n");
  const figures::Figure figure = figures::read_figure(set.figure);
  ASSERT_EQ(figure.reference.size(), 2U);
  EXPECT_EQ(figure.reference[0].metric, "latency_p50");
  EXPECT_EQ(figure.reference[1].metric, "latency_mean");
  EXPECT_DOUBLE_EQ(figure.reference[1].value, 3.2) << "halves are doubled";
}

TEST_F(MeasuredSets, AverageRepeatedMeasurements) {
  const std::string run = heading("RDMA_Read BW") + rates;
  const MeasuredSet set = write(run + "8 1000 0 37.38 4.9\n" + run + "8 1000 0 38.91 5.1\n");
  const auto reference = figures::read_figure(set.figure).reference;
  ASSERT_EQ(reference.size(), 1U);
  EXPECT_DOUBLE_EQ(reference[0].value, 5);
  EXPECT_NEAR(reference[0].uncertainty, 0.1, 1e-9);
}

TEST_F(MeasuredSets, TakeNoSpreadThatHappensToBeSmallForNone) {
  const std::string run = heading("RDMA_Read BW") + rates;
  const MeasuredSet set = write(run + "8 1000 0 38.15 5.0\n16 1000 0 61.04 4.0\n32 1000 0 91.55 3\n" + run +
                                "8 1000 0 38.15 5.0\n16 1000 0 64.09 4.2\n");
  const auto reference = figures::read_figure(set.figure).reference;
  ASSERT_EQ(reference.size(), 3U);
  // 4.1 deviates by 0.1 twice: two squares, of which the two points that were repeated leave two to spare.
  const double deviation = 0.1 / 4.1;
  EXPECT_NEAR(reference[0].uncertainty, 5.0 * deviation / std::sqrt(2), 1e-3);
  EXPECT_NEAR(reference[1].uncertainty, 0.1, 1e-3);
  EXPECT_NEAR(reference[2].uncertainty, 3.0 * deviation, 1e-3);
}

TEST_F(MeasuredSets, SayWhereToolAndProfileDisagree) {
  std::string output = heading("RDMA_Read BW", " Outstand reads  : 8\n") + rates + "8 1000 0 38.15 5\n";
  output.replace(output.find("4096[B]"), 7, "1024[B]");
  const std::vector<std::string> notes = measured(output).notes;
  ASSERT_EQ(notes.size(), 2U);
  EXPECT_THAT(notes[0], HasSubstr("MTU of 1024 B"));
  EXPECT_THAT(notes[1], HasSubstr("8 READs"));
}

TEST_F(MeasuredSets, SayThatATableMayBeIncomplete) {
  const std::string test = heading("RDMA_Write BW") + rates + "8 1000 0 38.15 5\n";
  const std::vector<std::string> notes = measured(test + test).notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("out.txt:17: no line of dashes follows the table"));
}

TEST_F(MeasuredSets, TakeTheSameFileForNoRepetition) {
  const auto file = scratch_.write("out.txt", heading("RDMA_Write BW") + rates + "8 1000 0 38.15 5\n" + rule);
  EXPECT_THROW(static_cast<void>(measured_by_perftest({file, file}, cib, cib, folder())), OutputError);
}

TEST_F(MeasuredSets, SayThatTheScenariosShareNoReceiveQueue) {
  const std::string output =
      heading("Send BW", " Connection type : RC\t\tUsing SRQ      : ON\n") + rates + "8 1000 0 38.15 5\n";
  ASSERT_EQ(measured(output).notes.size(), 1U);
  EXPECT_THAT(measured(output).notes[0], HasSubstr("a shared receive queue (SRQ)"));

  std::string document = json_rates;
  document.replace(document.find("\"Using_SRQ\": \"OFF\""), 18, "\"Using_SRQ\": \"ON\"");
  EXPECT_EQ(measured(document).notes.size(), 1U);
}

TEST_F(MeasuredSets, SayThatPacketsOfRoceAreLonger) {
  std::string output = heading("RDMA_Write BW") + rates + "8 1000 0 38.15 5\n";
  EXPECT_TRUE(measured(output).notes.empty());
  output.replace(output.find("type       : IB"), 15, "type       : Ethernet");
  ASSERT_EQ(measured(output).notes.size(), 1U);
  EXPECT_THAT(measured(output).notes[0], HasSubstr("82 B of headers"));
  EXPECT_THAT(measured(output).notes[0], HasSubstr("/port/framing of 12 B the profile has InfiniBand's 38"));
  const auto roce = scratch_.write(
      "roce.json",
      nlohmann::json{{"extends", cib},
                     {"title", "RoCE"},
                     {"port", {{"framing", {{"value", "56 B"}, {"provenance", "stated"}, {"source", "RoCE v2"}}}}}}
          .dump());
  EXPECT_TRUE(measured_by_perftest({scratch_.write("out.txt", output + rule)}, roce, roce, folder()).notes.empty());

  std::string document = json_rates;
  document.replace(document.find("\"Link_type\": \"IB\""), 17, "\"Link_type\": \"Ethernet\"");
  EXPECT_EQ(measured(document).notes.size(), 1U);
}

TEST_F(MeasuredSets, LeaveNothingBehindWhenSomethingIsWrong) {
  // A packet that no datagram of this profile can be.
  std::string output = heading("Send BW") + rates + "8192 1000 0 39062.50 5\n";
  output.replace(output.find("type : RC"), 9, "type : UD");
  EXPECT_THROW(static_cast<void>(write(output)), OutputError);
  // Only the output itself is there.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator{scratch_.path()}, {}), 1);
  EXPECT_THROW(static_cast<void>(
                   write_measured_set(measured(output), scratch_.path() / "new/deep/set", figures::Use::validation)),
               OutputError);
  EXPECT_FALSE(std::filesystem::exists(scratch_.path() / "new")) << "nor the folders around it";
}

TEST_F(MeasuredSets, DoNotTakeThePlaceOfALink) {
  for (const char* target : {"there", "nowhere"}) {
    std::filesystem::create_directories(scratch_.path() / "there");
    std::filesystem::create_symlink(scratch_.path() / target, folder());
    EXPECT_THROW(static_cast<void>(write(heading("RDMA_Read BW") + rates + "8 1000 0 38.15 5\n")),
                 figures::DefinitionError)
        << target;
    std::filesystem::remove(folder());
  }
}

TEST_F(MeasuredSets, SayWhichValueOfTheOutputNoScenarioTakes) {
  std::string output = heading("RDMA_Read BW") + rates + "8 1000 0 38.15 5\n";
  output.replace(output.find("inline data : 0"), 15, "inline data : 5000");
  EXPECT_THAT(complaint_about(output),
              testing::StartsWith((scratch_.path() / "out.txt").string() + ":10:20: DB105: expected a size"));
  EXPECT_THAT(complaint_about(output),
              HasSubstr("as /programs/client/queue_pairs/queue pairs/max_inline of \"RC READ, 1 queue "
                        "pair of 128, 1 in 100 signaled, inline to 5...\", found \"5000 B\""));
  std::string datagrams = heading("Send BW") + rates + "64 1000 0 305.18 5\n  8192 1000 0 39062.50 5\n";
  datagrams.replace(datagrams.find("type : RC"), 9, "type : UD");
  EXPECT_THAT(complaint_about(datagrams),
              HasSubstr("out.txt:18:3: DB420: expected at most one packet (4096 B) over UD as "
                        "/programs/client/loop/0/post/payload of \"UD SEND"));
}

TEST_F(MeasuredSets, FindTheFirstValueThatNoScenarioTakesWhereverItIs) {
  constexpr int rows = 11;
  for (int wrong = 0; wrong < rows; ++wrong) {
    std::string datagrams = heading("Send BW") + rates;
    datagrams.replace(datagrams.find("type : RC"), 9, "type : UD");
    for (int row = 0; row < rows; ++row) {
      // The last one is wrong, too.
      const int size = row == wrong || row + 1 == rows ? 8192 + row : 1 + row;
      datagrams += fmt::format("{} 1000 0 {:.2f} 5\n", size, size * 5 / 1.048576);
    }
    EXPECT_THAT(complaint_about(datagrams), HasSubstr(fmt::format("out.txt:{}:1: DB420", 17 + wrong))) << wrong;
  }
}

TEST_F(MeasuredSets, DoNotTouchAFolderInUse) {
  scratch_.write("set/mine.txt", "precious");
  EXPECT_THROW(static_cast<void>(write(heading("RDMA_Read BW") + rates + "8 1000 0 38.15 5\n")),
               figures::DefinitionError);
  EXPECT_EQ(read_text(scratch_.path() / "set/mine.txt"), "precious");
  const std::filesystem::path file = scratch_.write("file", "");
  EXPECT_THROW(static_cast<void>(write_measured_set({}, file, figures::Use::fit)), figures::DefinitionError);
}

std::string with_queue_pairs(int count) {
  const std::string one = " : 1\t";
  std::string text = heading("RDMA_Write BW");
  return text.replace(text.find(one), one.size(), fmt::format(" : {}\t", count));
}

/// Simulates the tests on a machine and prints what the tool would have printed.
std::string print_as_measured(const std::filesystem::path& scenarios, const std::filesystem::path& machine,
                              const figures::Scratch& scratch) {
  std::string output;
  for (const auto& item : std::filesystem::directory_iterator{scenarios}) {
    if (!item.path().filename().string().starts_with("rc-")) continue;
    nlohmann::json tree = nlohmann::json::parse(read_text(item.path()));
    for (auto& [name, group] : tree["machines"].items()) group["hardware"] = machine.string();
    const bool latency = tree["title"].get<std::string>().ends_with("latency");
    const int pairs = tree["programs"]["client"]["queue_pairs"]["queue pairs"]["count"];
    output += latency ? heading("RDMA_Read Latency") + latencies : with_queue_pairs(pairs) + rates;
    for (const auto& point : scenario::load(scratch.write("asked.json", tree.dump()))) {
      const model::RunResult run = model::run(point.scenario);
      const std::string size = point.coordinates.front().second;
      output += size.substr(0, size.find(' ')) +
                (latency ? fmt::format(" 1000 0 9 {:.3f} 2 0 3 4\n", to_seconds(run.latency.p50) * 1e6)
                         : fmt::format(" 1000 0 {:.6f} {:.6f}\n", run.throughput.per_second * std::stod(size) / 1048576,
                                       run.throughput.per_second / 1e6));
    }
  }
  return output;
}

TEST_F(MeasuredSets, BringBackTheMachineThatWasMeasured) {
  // A machine with dearer posts, a slower port and a slower NIC than the profile.
  nlohmann::json machine = nlohmann::json::parse(read_text(cib));
  machine["cpu"]["wqe_cost"]["value"] = "70 ns";
  machine["port"]["bandwidth"]["value"] = "3.1 GB/s";
  machine["nic"]["latency"]["value"] = "260 ns";
  const auto real = scratch_.write("machine.json", machine.dump());

  // The sizes that are to be measured; the values are not used.
  const std::string asked = heading("RDMA_Write BW") + rates +
                            "8 1000 0 7.63 1\n64 1000 0 61.04 1\n16384 1000 0 15625.00 1\n" +
                            heading("RDMA_Read Latency") + latencies + "8 1000 1 9 1.5 2 0 3 4\n";
  static_cast<void>(write(asked));
  const std::string output = print_as_measured(folder(), real, scratch_);
  std::filesystem::remove_all(folder());

  const MeasuredSet set = write(output, figures::Use::fit);
  ASSERT_FALSE(set.plan.empty());
  const nlohmann::json plan = nlohmann::json::parse(read_text(set.plan));
  ASSERT_EQ(plan["stages"].size(), 2U);
  EXPECT_EQ(plan["stages"][0]["name"], "network");
  EXPECT_EQ(plan["stages"][1]["name"], "posting and latency") << "what depends on both is found together";
  EXPECT_EQ(plan["stages"][1]["unknowns"].size(), 2U);
  const calibrate::Fit fit =
      calibrate::fit(calibrate::read_plan(set.plan), figures::default_engine(), 2, [](const std::string&) {});
  std::map<std::string, double> found;
  for (const calibrate::Found& parameter : fit.parameters) found[parameter.pointer] = parameter.found;
  ASSERT_EQ(found.size(), 3U);
  EXPECT_NEAR(found["/cpu/wqe_cost"], 70e-9, 2e-9);
  EXPECT_NEAR(found["/port/bandwidth"], 3.1e9, 0.03e9);
  EXPECT_NEAR(found["/nic/latency"], 260e-9, 5e-9);
}

/// The output with other numbers, as if it had been measured again: a spread of so much.
std::string measured_again(const std::string& output, double spread, std::uint32_t seed) {
  std::mt19937 generator{seed};
  std::normal_distribution<double> noise{1, spread};
  std::istringstream lines{output};
  std::string text;
  for (std::string line; std::getline(lines, line); text += line + "\n") {
    const bool is_latency = line.ends_with(" 2 0 3 4");
    if (line.empty() || std::isdigit(static_cast<unsigned char>(line.front())) == 0) continue;
    std::istringstream cells{line};
    std::string size;
    double iterations = 0;
    double least = 0;
    double most = 0;
    double value = 0;
    cells >> size >> iterations >> least >> most >> value;
    value *= noise(generator);
    line = fmt::format("{} 1000 0 {} {:.6f}", size,
                       is_latency ? "9" : fmt::format("{:.6f}", value * std::stod(size) * 1e6 / 1048576), value);
    if (is_latency) line += " 2 0 3 4";
  }
  return text;
}

TEST_F(MeasuredSets, BringBackANoisyMachineOfWhichSmallMessagesAreSlowForAnotherReason) {
  nlohmann::json machine = nlohmann::json::parse(read_text(cib));
  machine["port"]["bandwidth"]["value"] = "3.1 GB/s";
  machine["nic"]["pu_wqe"]["value"] = "400 ns";  // unknown to the one who fits the port to all sizes
  machine["nic"]["latency"]["value"] = "260 ns";
  const auto real = scratch_.write("machine.json", machine.dump());
  std::string asked = heading("RDMA_Write BW") + rates;
  for (const int size : {16, 64, 256, 1024, 4096, 16384, 65536})
    asked += fmt::format("{} 1000 0 {:.6f} 1\n", size, size * 1e6 / 1048576);
  asked += heading("RDMA_Read Latency") + latencies;
  for (const int size : {8, 32, 64}) asked += fmt::format("{} 1000 1 9 1.5 2 0 3 4\n", size);
  static_cast<void>(write(asked));
  const std::string output = print_as_measured(folder(), real, scratch_);
  std::filesystem::remove_all(folder());
  const MeasuredSet set = write(measured_again(output, 0.02, 1) + measured_again(output, 0.02, 2), figures::Use::fit);
  nlohmann::json plan = nlohmann::json::parse(read_text(set.plan));
  for (auto& stage : plan["stages"]) {
    if (stage["name"] == "network") stage["observations"][0]["x"] = {16, 64, 256, 1024, 4096, 16384, 65536};
  }
  const auto whole = scratch_.write("set/whole.json", plan.dump());
  const calibrate::Fit fit =
      calibrate::fit(calibrate::read_plan(whole), figures::default_engine(), 2, [](const std::string&) {});
  const std::map<std::string, double> known{{"/port/bandwidth", 3.1e9}, {"/nic/latency", 260e-9}};
  std::size_t checked = 0;
  for (const calibrate::Found& parameter : fit.parameters) {
    const auto truth = known.find(parameter.pointer);
    if (truth == known.end()) continue;
    ++checked;
    EXPECT_LE(std::abs(parameter.found - truth->second), parameter.half_width) << parameter.pointer;
    EXPECT_NEAR(parameter.found, truth->second, 0.1 * truth->second) << parameter.pointer;
  }
  EXPECT_EQ(checked, known.size());
  for (const calibrate::Residual& residual : fit.residuals) {
    if (residual.stage != "network") continue;
    const double size = std::get<double>(residual.x);
    const bool decides = residual.say == calibrate::Say::decides;
    EXPECT_TRUE(size < 2000 || decides) << size;
    EXPECT_FALSE(size < 500 && decides) << size;
  }
}

std::vector<std::string> fitted(const MeasuredSet& set) {
  std::vector<std::string> paths;
  if (set.plan.empty()) return paths;
  const nlohmann::json plan = nlohmann::json::parse(read_text(set.plan));
  for (const auto& stage : plan["stages"]) {
    for (const auto& unknown : stage["unknowns"]) paths.push_back(unknown["path"]);
  }
  return paths;
}

TEST_F(MeasuredSets, FitAProcessingUnitWhereMoreQueuePairsAreFaster) {
  // In the profile, a core is a little slower than a processing unit.
  const auto told = [&](const std::string& one, const std::string& four) {
    std::filesystem::remove_all(folder());
    return fitted(write(with_queue_pairs(1) + rates + one + with_queue_pairs(4) + rates + four, figures::Use::fit));
  };
  using testing::ElementsAre;
  EXPECT_THAT(told("64 1000 0 549.32 9\n", "64 1000 0 732.42 12\n"), ElementsAre("/nic/pu_wqe", "/cpu/wqe_cost"));
  EXPECT_THAT(told("64 1000 0 549.32 9\n", "64 1000 0 555.42 9.1\n"), ElementsAre("/cpu/wqe_cost"));
  EXPECT_THAT(told("64 1000 0 549.32 9\n", "8 1000 0 91.55 12\n"), ElementsAre("/cpu/wqe_cost"));
  // Repetitions differ by more than the queue pairs do.
  EXPECT_THAT(
      told("64 1000 0 549.32 9\n", "64 1000 0 549.32 9\n" + with_queue_pairs(4) + rates + "64 1000 0 732.42 12\n"),
      ElementsAre("/cpu/wqe_cost"));
}

TEST_F(MeasuredSets, BringBackAProcessingUnitBehindACore) {
  nlohmann::json machine = nlohmann::json::parse(read_text(cib));
  machine["nic"]["pu_wqe"]["value"] = "250 ns";
  machine["cpu"]["wqe_cost"]["value"] = "80 ns";
  const auto real = scratch_.write("machine.json", machine.dump());
  const std::string row = "64 1000 0 61.04 1\n";
  static_cast<void>(write(with_queue_pairs(1) + rates + row + with_queue_pairs(4) + rates + row));
  const std::string output = print_as_measured(folder(), real, scratch_);
  std::filesystem::remove_all(folder());
  const calibrate::Plan plan = calibrate::read_plan(write(output, figures::Use::fit).plan);
  const calibrate::Fit fit = calibrate::fit(plan, figures::default_engine(), 2, [](const std::string&) {});
  ASSERT_EQ(fit.parameters.size(), 2U);
  EXPECT_NEAR(fit.parameters[0].found, 250e-9, 5e-9) << fit.parameters[0].pointer;
  EXPECT_NEAR(fit.parameters[1].found, 80e-9, 4e-9) << fit.parameters[1].pointer;
}

}  // namespace
}  // namespace doorbell::tools
