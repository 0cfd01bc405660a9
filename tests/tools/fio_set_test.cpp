#include "tools/fio_set.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "calibrate/fit.hpp"
#include "figures/definition.hpp"
#include "figures/scratch.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"
#include "tools/fio_output.hpp"

namespace doorbell::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;

const std::string source = DOORBELL_SOURCE_DIR;

class FioSets : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path folder() const { return scratch_.path() / "set"; }
  [[nodiscard]] Measurements measured(const std::vector<json>& jobs, const std::filesystem::path& base) const {
    return measured_by_fio({scratch_.write("fio.json", fio_output(jobs))}, base, folder());
  }
  [[nodiscard]] std::filesystem::path server(const std::string& hardware = source + "/scenarios/hardware/server_b.json",
                                             const std::string& name = "base.json") const {
    return scratch_.write(name, json{{"storage",
                                      {{"hardware", hardware},
                                       {"medium", "raid"},
                                       {"path", "local_ram"},
                                       {"request", "64 KiB"},
                                       {"duration", "200 ms"}}}}
                                    .dump());
  }
  const std::filesystem::path device_ = source + "/scenarios/rdmabox/fig01.json";
  figures::Scratch scratch_;
};

json options(const std::string& block, int jobs, int depth, const std::string& mode = "read") {
  return {{"bs", block},
          {"numjobs", std::to_string(jobs)},
          {"iodepth", std::to_string(depth)},
          {"ioengine", "libaio"},
          {"group_reporting", "1"},
          {"direct", "1"},
          {"rw", mode}};
}

TEST_F(FioSets, PutWhatVariesMostOnTheAxis) {
  const auto jobs = [](int clones) { return fio_job(options("4k", clones, 8), 1e9, 0); };
  const Measurements by_jobs = measured({jobs(1), jobs(2), jobs(4)}, device_);
  ASSERT_EQ(by_jobs.series.size(), 2U);
  EXPECT_EQ(by_jobs.series[0].name, "reads of 4096 B, 8 in flight");
  EXPECT_EQ(by_jobs.series[0].path, "/remote_memory/block/threads");
  EXPECT_EQ(by_jobs.series[1].quantity, Quantity::latency);
  ASSERT_EQ(by_jobs.series[0].points.size(), 3U);
  EXPECT_EQ(by_jobs.series[0].points[2].x, 4);

  const auto sizes = [](const char* block, const char* mode) {
    const bool reads = std::string_view{mode} == "read";
    return fio_job(options(block, 1, 8, mode), reads ? 1e9 : 0, reads ? 0 : 1e9);
  };
  const Measurements by_size = measured(
      {sizes("4k", "read"), sizes("64k", "read"), sizes("4k", "randwrite"), sizes("64k", "randwrite")}, device_);
  ASSERT_EQ(by_size.series.size(), 4U);
  EXPECT_EQ(by_size.series[0].path, "/remote_memory/block/size");
  EXPECT_EQ(by_size.series[0].name, "random writes, 1 job, 8 in flight");
}

TEST_F(FioSets, NameTheirAxisAfterWhatTheScenarioSweeps) {
  const auto label = [&](const std::vector<json>& jobs, const std::filesystem::path& base) {
    return measured(jobs, base).series.front().x_label;
  };
  const std::vector<json> by_clones{fio_job(options("64k", 1, 2), 1e8, 0), fio_job(options("64k", 3, 2), 2e8, 0)};
  const std::vector<json> by_depth{fio_job(options("64k", 2, 1), 1e8, 0), fio_job(options("64k", 2, 4), 2e8, 0)};
  EXPECT_EQ(label(by_clones, device_), "Jobs");
  EXPECT_EQ(label(by_depth, device_), "Requests in flight of each job");
  // Of all jobs: /storage/outstanding is 2 and 6, and 2 and 8.
  EXPECT_EQ(label(by_clones, server()), "Requests in flight");
  EXPECT_EQ(label(by_depth, server()), "Requests in flight");
}

TEST_F(FioSets, RunAsTheJobsDid) {
  const Measurements set = measured({fio_job(options("16k", 3, 5, "randwrite"), 0, 1e9)}, device_);
  static_cast<void>(write_measured_set(set, folder(), figures::Use::validation));
  const figures::Figure figure = figures::read_figure(folder() / "figure.json");
  const auto points = scenario::load(std::get<figures::Simulation>(figure.series[0].source).scenario);
  ASSERT_EQ(points.size(), 1U);
  const model::BlockLoad& load = *std::get<model::RemoteMemoryScenario>(points[0].scenario.instead).block;
  EXPECT_EQ(load.threads, 3);
  EXPECT_EQ(load.depth, 5);
  EXPECT_EQ(load.size, Bytes{16384});
  EXPECT_DOUBLE_EQ(load.read_share, 0);
}

TEST_F(FioSets, TellReadsAndWritesOfOneJobApart) {
  const Measurements set = measured({fio_job(options("4k", 2, 4, "randrw"), 1e9, 1e9)}, device_);
  ASSERT_EQ(set.series.size(), 3U);
  EXPECT_EQ(set.series[0].quantity, Quantity::bandwidth);
  EXPECT_EQ(set.series[1].name, set.series[0].name + ", latency of reads");
  EXPECT_EQ(set.series[2].name, set.series[0].name + ", latency of writes");
  static_cast<void>(write_measured_set(set, folder(), figures::Use::validation));
  const figures::Figure figure = figures::read_figure(folder() / "figure.json");
  const auto& metric = std::get<figures::Simulation>(figure.series[2].source).metric;
  EXPECT_EQ(metric.kind, figures::Metric::Kind::latency_p50);
  EXPECT_EQ(metric.subject, "writes");
  // What is simulated has these kinds.
  const auto points = scenario::load(std::get<figures::Simulation>(figure.series[2].source).scenario);
  const model::RunResult run = model::run(points.front().scenario);
  ASSERT_EQ(run.kinds.size(), 2U);
  EXPECT_EQ(run.kinds[1].kind, metric.subject);
}

TEST_F(FioSets, AverageJobsThatAreAlike) {
  const Measurements set =
      measured({fio_job(options("4k", 1, 1), 1 << 20, 0), fio_job(options("4k", 1, 1), 3 << 20, 0)}, device_);
  EXPECT_EQ(set.series[0].points.size(), 1U);
  EXPECT_THAT(set.series[0].points[0].values, testing::ElementsAre(1.0, 3.0));
}

TEST_F(FioSets, SayThatAPageCacheTookPart) {
  EXPECT_EQ(measured({fio_job({{"bs", "4k"}}, 1e9, 0)}, device_).notes.size(), 1U);
  EXPECT_TRUE(measured({fio_job(options("4k", 1, 1), 1e9, 0)}, device_).notes.empty());
}

TEST_F(FioSets, SayWhichLatenciesAreLeftOut) {
  const auto medians = [&](double first, double second) {
    return measured({fio_job(options("4k", 1, 8), 1e9, 0, first), fio_job(options("64k", 1, 8), 1e9, 0, second)},
                    device_);
  };
  const Measurements one = medians(1e5, 0);
  EXPECT_EQ(one.series.size(), 1U);
  EXPECT_THAT(one.notes,
              testing::ElementsAre(
                  "\"reads, 1 job, 8 in flight, latency\" is left out: 1 of its 2 jobs has no median latency"));
  EXPECT_TRUE(medians(0, 0).notes.empty()) << "fio was told to measure none";
  EXPECT_EQ(medians(1e5, 1e5).series.size(), 2U);
}

TEST_F(FioSets, SayWhichOptionsMayMatter) {
  json job = options("4k", 1, 8);
  job["nrfiles"] = "4";
  EXPECT_THAT(measured({fio_job(job, 1e9, 0)}, device_).notes, testing::ElementsAre(HasSubstr("the load: nrfiles")));
}

TEST_F(FioSets, NeedEachFileOnce) {
  const auto file = scratch_.write("fio.json", fio_output({fio_job(options("4k", 1, 8), 1e9, 0)}));
  std::filesystem::create_symlink(file, scratch_.path() / "link.json");
  try {
    static_cast<void>(measured_by_fio({file, scratch_.path() / "link.json"}, device_, folder()));
    ADD_FAILURE() << "was accepted";
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("link.json:1:1: DB602: expected another file, found "));
    EXPECT_THAT(error.what(), HasSubstr("fio.json again"));
  }
}

TEST_F(FioSets, CountManyRequestsInFlight) {
  const Measurements set = measured({fio_job(options("64k", 2'000'000, 2000), 1e9, 0)}, server());
  EXPECT_EQ(set.series[0].scenario["storage"]["outstanding"], 4'000'000'000);
}

TEST_F(FioSets, RefuseWhatTheBaseCannotRun) {
  const auto refused = [&](const json& job, const std::filesystem::path& base, const std::string& says) {
    try {
      static_cast<void>(measured({job}, base));
      ADD_FAILURE() << "was accepted";
    } catch (const OutputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(says));
    }
  };
  refused(fio_job(options("4k", 1, 1, "randread"), 1e9, 0), server(), "sequential requests");
  refused(fio_job(options("4k", 1, 1, "rw"), 1e9, 1e9), server(), "found both");
  const auto refused_base = [&](const std::string& base, const std::string& says) {
    refused(fio_job(options("4k", 1, 1), 1e9, 0), source + "/scenarios/" + base, says);
  };
  refused_base("kalia16/fig07_baseline.json", "found another kind of scenario");
  refused_base("today/nvme_memory.json", "found another kind of scenario");
  refused_base("rdmabox/voltdb_rdmabox.json", "found an application that swaps");
  refused_base("rdmabox/fig14_rdmabox.json", "found a load of files");
  refused_base("rdmabox/fig05_adaptive.json", "found a loop over verbs");
}

TEST_F(FioSets, SayWhichAxesOfTheBaseAreLost) {
  const std::vector<json> jobs{fio_job(options("4k", 1, 8), 1e9, 0)};
  const auto base = [&](const std::string& path, const json& value) {
    return scratch_.write("swept.json",
                          json{{"extends", device_}, {"sweep", {{{"path", path}, {"values", {value}}}}}}.dump());
  };
  EXPECT_TRUE(measured(jobs, base("/remote_memory/block/threads", 2)).notes.empty());
  const std::vector<std::string> notes = measured(jobs, base("/remote_memory/access/peers", 2)).notes;
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_THAT(notes[0], HasSubstr("swept.json sweeps /remote_memory/access/peers: "));
}

TEST_F(FioSets, BringBackTheServerThatWasMeasured) {
  // A slower bridge and slower commands than the profile's.
  std::ifstream profile{source + "/scenarios/hardware/server_b.json"};
  json machine = json::parse(profile);
  machine["raid"]["command"]["value"] = "500 us";
  machine["bus"]["bridge"]["value"] = "150 MB/s";
  const auto real = server(scratch_.write("machine.json", machine.dump()).string(), "real.json");
  std::vector<json> jobs;
  for (const int size : {16384, 65536, 1048576}) {
    // Two large requests fill the bridge.
    for (auto& point : scenario::load(
             real, {.sets = {fmt::format("storage.request={} B", size), "storage.outstanding=2"}, .seed = {}})) {
      const double measured = model::run(point.scenario).bandwidth.bytes_per_second;
      jobs.push_back(fio_job(options(std::to_string(size), 1, 2), measured, 0));
    }
  }
  const MeasuredSet set = write_measured_set(measured(jobs, server()), folder(), figures::Use::fit);
  const calibrate::Fit fit =
      calibrate::fit(calibrate::read_plan(set.plan), figures::default_engine(), 2, [](const std::string&) {});
  std::map<std::string, double> found;
  for (const calibrate::Found& parameter : fit.parameters) found[parameter.pointer] = parameter.found;
  EXPECT_NEAR(found["/raid/command"], 500e-6, 15e-6);
  EXPECT_NEAR(found["/bus/bridge"], 150e6, 3e6) << "one of the 71 large requests that were measured is 1.4 %";
}

TEST_F(FioSets, SayWhichOptionNoScenarioTakes) {
  const Measurements deep =
      measured({fio_job(options("64k", 1, 2), 1e9, 0), fio_job(options("64k", 1, 99999), 1e9, 0)}, server());
  try {
    static_cast<void>(write_measured_set(deep, folder(), figures::Use::validation));
    FAIL() << "was accepted";
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("fio.json:"));
    EXPECT_THAT(error.what(), HasSubstr(" /jobs/1/job options/iodepth: expected a count from 1 to 1024 as "
                                        "/storage/outstanding of \"reads of 65536 B, 1 job\", found 99999"));
  }
}

}  // namespace
}  // namespace doorbell::tools
