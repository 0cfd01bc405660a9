#include "tools/fio.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "figures/scratch.hpp"
#include "tools/fio_output.hpp"

namespace doorbell::tools {
namespace {

using nlohmann::json;
using testing::HasSubstr;

class Fio : public testing::Test {
 protected:
  [[nodiscard]] std::vector<FioResult> read(const std::string& output) const {
    return read_fio(scratch_.write("fio.json", output)).results;
  }
  [[nodiscard]] FioJob job(const json& options) const {
    return read(fio_output({fio_job(options, 1e6, 0)})).front().job;
  }
  void expect_refused(const std::string& output, const std::string& says) const {
    try {
      static_cast<void>(read(output));
      ADD_FAILURE() << "was accepted";
    } catch (const OutputError& error) {
      EXPECT_THAT(error.what(), HasSubstr(says));
      EXPECT_THAT(error.what(), HasSubstr("fio.json:"));
      EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos);
    }
  }

  figures::Scratch scratch_;
};

TEST_F(Fio, ReadsWorkloadAndResult) {
  const auto results = read(
      fio_output({fio_job({{"rw", "randwrite"}, {"bs", "64k"}, {"iodepth", "16"}, {"ioengine", "libaio"}}, 0, 3e9)},
                 {{"direct", "1"}, {"numjobs", "2"}, {"group_reporting", "1"}}));
  ASSERT_EQ(results.size(), 1U);
  EXPECT_EQ(results[0].job.block, 65536);
  EXPECT_EQ(results[0].job.depth, 16);
  EXPECT_EQ(results[0].job.clones, 2);
  EXPECT_EQ(results[0].job.read_percent, 0);
  EXPECT_TRUE(results[0].job.random);
  EXPECT_TRUE(results[0].direct);
  EXPECT_TRUE(read(fio_output({fio_job({{"buffered", "0"}}, 1e6, 0)}))[0].direct);
  EXPECT_FALSE(read(fio_output({fio_job({{"buffered", "1"}}, 1e6, 0)}))[0].direct);
  EXPECT_DOUBLE_EQ(results[0].bandwidth.bytes_per_second, 3e9);
  EXPECT_EQ(results[0].write_median, from_seconds(100e-6));
  EXPECT_EQ(results[0].read_median, Time{0}) << "of which there are none";
}

TEST_F(Fio, ReadsSeveralRunsOfOneFileWithWarningsBetween) {
  const json options{{"rw", "read"}, {"bs", "64k"}, {"numjobs", "2"}, {"group_reporting", "1"}};
  std::string output = "fio: this platform does not support process shared mutexes {yet}\r\n" +
                       fio_output({fio_job(options, 1e9, 0)}) + "\n\nfio: terminating on signal 2\r\n" +
                       fio_output({fio_job(options, 2e9, 0)}) + "\r\n";
  const auto results = read(output);
  ASSERT_EQ(results.size(), 2U);
  EXPECT_DOUBLE_EQ(results[0].bandwidth.bytes_per_second, 1e9);
  EXPECT_DOUBLE_EQ(results[1].bandwidth.bytes_per_second, 2e9);
  output.resize(output.size() - 40);
  expect_refused(output, "no complete JSON");
  output.resize(output.find_last_not_of(" \n") + 1);
  expect_refused(output, fmt::format("fio.json:{}:", 1 + std::count(output.begin(), output.end(), '\n')));
}

TEST_F(Fio, ReadsAndWritesOfOneJobHaveMediansOfTheirOwn) {
  json mixed = fio_job({{"rw", "randrw"}}, 1e9, 2e9);
  mixed["write"]["clat_ns"]["percentile"]["50.000000"] = 70e3;
  const FioResult result = read(fio_output({mixed})).front();
  EXPECT_DOUBLE_EQ(result.bandwidth.bytes_per_second, 3e9);
  EXPECT_EQ(result.read_median, from_seconds(100e-6));
  EXPECT_EQ(result.write_median, from_seconds(70e-6));
}

TEST_F(Fio, KnowsItsDefaults) {
  const FioJob usual = job(json::object());
  EXPECT_EQ(usual.block, 4096);
  EXPECT_EQ(usual.depth, 1);
  EXPECT_EQ(usual.clones, 1);
  EXPECT_EQ(usual.read_percent, 100);
  EXPECT_FALSE(usual.random);
  EXPECT_EQ(job({{"iodepth", "32"}}).depth, 1) << "the default engine is synchronous";
  EXPECT_EQ(job({{"rw", "randrw"}}).read_percent, 50);
  EXPECT_EQ(job({{"readwrite", "rw"}, {"rwmixread", "70"}}).read_percent, 70);
  EXPECT_EQ(job({{"rw", "rw"}, {"rwmixwrite", "90"}}).read_percent, 10);
}

TEST_F(Fio, ReadsSizes) {
  EXPECT_EQ(job({{"bs", "512"}}).block, 512);
  EXPECT_EQ(job({{"bs", "4K"}}).block, 4096);
  EXPECT_EQ(job({{"bs", "2mb"}}).block, 2 << 20);
  EXPECT_EQ(job({{"blocksize", "1MiB"}}).block, 1'000'000) << "fio's default is the wrong way round";
  EXPECT_EQ(job({{"bs", "4KiB"}, {"kb_base", "1000"}}).block, 4096);
  EXPECT_EQ(job({{"bs", "4k"}, {"kb_base", "1000"}}).block, 4000);
}

TEST_F(Fio, AddsClonesThatAreReportedOneByOne) {
  json clone = fio_job({{"numjobs", "2"}}, 1e6, 0);
  clone["groupid"] = 0;
  const auto results = read(fio_output({clone, clone, fio_job({{"bs", "8k"}}, 5e6, 0)}));
  ASSERT_EQ(results.size(), 2U);
  EXPECT_DOUBLE_EQ(results[0].bandwidth.bytes_per_second, 2e6);
  EXPECT_EQ(results[0].read_median, Time{0}) << "medians do not add up";
  EXPECT_DOUBLE_EQ(results[1].bandwidth.bytes_per_second, 5e6);
}

TEST_F(Fio, AddsEqualJobsThatRanAtTheSameTime) {
  json job = fio_job({{"bs", "64k"}, {"stonewall", ""}}, 1e6, 0);
  job["groupid"] = 1;
  const auto results = read(fio_output({job, job, job}));
  ASSERT_EQ(results.size(), 1U);
  EXPECT_DOUBLE_EQ(results[0].bandwidth.bytes_per_second, 3e6);
  EXPECT_EQ(results[0].job.clones, 3);
  json next = job;
  next["groupid"] = 2;
  EXPECT_EQ(read(fio_output({job, next})).size(), 2U) << "one after the other";
  next["job options"] = {{"bs", "64k"}, {"new_group", ""}};
  EXPECT_EQ(read(fio_output({job, next})).size(), 1U) << "a group of its own, which waits for nobody";
}

TEST_F(Fio, JobsThatWaitForOneAnotherRunOneAfterTheOther) {
  const auto job = [](const std::string& name, json options) {
    json one = fio_job(options, 1e6, 0);
    one["jobname"] = name;
    one["groupid"] = 0;
    return one;
  };
  const json first = job("a", {{"bs", "64k"}});
  const json next = job("b", {{"bs", "64k"}, {"wait_for", "a"}});
  EXPECT_EQ(read(fio_output({first, next})).size(), 2U);
  EXPECT_EQ(read(fio_output({first, job("b", {{"bs", "8k"}, {"wait_for", "a"}})})).size(), 2U);
  // Both others wait for the first, and run at the same time.
  EXPECT_EQ(read(fio_output({first, next, job("c", {{"bs", "64k"}, {"wait_for", "a"}})})).size(), 2U);
  EXPECT_EQ(read(fio_output({first, next, job("c", {{"bs", "64k"}, {"wait_for", "b"}})})).size(), 3U);
  EXPECT_EQ(read(fio_output({first, next, next})).size(), 2U) << "clones, each by itself";
}

TEST_F(Fio, RefusesDifferentJobsThatRanAtTheSameTime) {
  json one = fio_job({{"bs", "64k"}}, 1e6, 0);
  json other = fio_job({{"bs", "1m"}, {"rw", "write"}}, 0, 1e6);
  one["groupid"] = other["groupid"] = 0;
  expect_refused(fio_output({one, other}), "/jobs/1: expected jobs one after the other");
  // What group_reporting makes of two such jobs has the options of the first.
  expect_refused(fio_output({fio_job({{"rw", "read"}}, 1e6, 1e6)}), "/jobs/0/write/bw_bytes: expected nothing");
  expect_refused(fio_output({fio_job({{"rw", "randwrite"}}, 1e6, 1e6)}), "/jobs/0/read/bw_bytes: expected nothing");
}

TEST_F(Fio, RefusesTheOutputOfFio2) {
  json old = fio_job(json::object(), 1e6, 0);
  old["read"].erase("bw_bytes");
  old["read"]["bw"] = 976;
  expect_refused(fio_output({old}), "/jobs/0/read: expected \"bw_bytes\", which fio 3 prints");
}

TEST_F(Fio, PassesOverWarningsBeforeTheOutput) {
  EXPECT_EQ(read("fio: this platform does not support process shared mutexes\n" +
                 fio_output({fio_job(json::object(), 1e6, 0)}))
                .size(),
            1U);
}

TEST_F(Fio, LosesNoRunThatBeginsALine) {
  const std::string run = fio_output({fio_job(json::object(), 1e6, 0)});
  EXPECT_EQ(read("\xEF\xBB\xBF" + run + "\n" + run).size(), 2U) << "a byte-order mark";
  EXPECT_EQ(read(run + "\nJobs: 1 (f=1): [R(1)][100.0%][eta 00m:00s]\r" + run).size(), 2U) << "shown progress";
  EXPECT_EQ(read(run + "\n \t" + run).size(), 2U) << "blanks";
  EXPECT_EQ(read(run + run).size(), 2U) << "nothing between";
}

TEST_F(Fio, SaysWhereARunBeginsNoLine) {
  const std::string run = fio_output({fio_job(json::object(), 1e6, 0)});
  expect_refused("a\nb\nlast: " + run,
                 "fio.json:4:3: DB601: expected runs that begin a line, found one behind other text");
  expect_refused(run + "\nfirst: " + run, "expected runs that begin a line");
  expect_refused(run + "\nfirst: " + run + "\n" + run, "expected runs that begin a line");
}

TEST_F(Fio, SaysLineAndColumnOfAMistake) {
  const std::string good = fio_output({fio_job({{"rw", "read"}}, 1e6, 0)});
  std::string paced = fio_output({fio_job({{"rw", "read"}, {"rate", "10m"}}, 1e6, 0)});
  const auto line = [](const std::string& text, std::size_t at) {
    return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  };
  const std::size_t rate = paced.find("\"10m\"");
  const auto column = rate - paced.rfind('\n', rate);
  expect_refused(paced,
                 fmt::format("fio.json:{}:{}: DB601 /jobs/0/job options/rate: expected", line(paced, rate), column));
  const std::string two = good + "\n" + paced;
  expect_refused(two, fmt::format("fio.json:{}:{}: DB601 /jobs/0/job options/rate (run 2): expected",
                                  line(two, two.find("\"10m\"")), column));
  paced.replace(rate, 5, "10,m");
  expect_refused(paced, fmt::format("fio.json:{}:", line(paced, rate)));
  expect_refused(paced, "found no valid JSON");
}

TEST_F(Fio, RefusesOptionsThatAreNoObject) {
  expect_refused(fio_output({fio_job(json::object(), 1e6, 0)}, "hi"),
                 "/global options: expected an object of options, found \"hi\"");
  expect_refused(fio_output({fio_job({1}, 1e6, 0)}),
                 "/jobs/0/job options: expected an object of options, found an array");
}

TEST_F(Fio, RefusesOptionsNestedDeeperThanAnyStack) {
  const std::string deep(1'000'000, '[');
  const std::string nested = deep + std::string(deep.size(), ']');
  std::string output = fio_output({fio_job("NESTED", 1e6, 0)});
  output.replace(output.find("\"NESTED\""), 8, nested);
  expect_refused(output, "/jobs/0/job options: expected an object of options, found an array");
}

TEST_F(Fio, NamesOptionsThatItDoesNotKnow) {
  const json options{{"rw", "read"},
                     {"name", "job"},
                     {"nrfiles", "4"},
                     {"write_bw_log", "log"},
                     {"rate_process", "x"},
                     {"cpus_allowed", "1"},
                     {"refill_buffers", "1"},
                     {"iodepth_batch", "16"},
                     {"thinktime_blocks", "2"},
                     {"random_distribution", "random"}};
  const FioOutput output =
      read_fio(scratch_.write("fio.json", fio_output({fio_job(options, 1e6, 0)}, {{"write_hint", "short"}})));
  EXPECT_THAT(output.unknown_options, testing::ElementsAre("iodepth_batch", "nrfiles", "write_hint"));
}

TEST_F(Fio, KnowsWhenTheQueueIsKeptFull) {
  const auto with_low = [](const char* low, const char* engine = "libaio") {
    return fio_output({fio_job({{"iodepth", "8"}, {"ioengine", engine}, {"iodepth_low", low}}, 1e6, 0)});
  };
  expect_refused(with_low("1"), "/jobs/0/job options/iodepth_low: expected the depth, 8, found \"1\"");
  EXPECT_EQ(read(with_low("0")).size(), 1U) << "not set";
  EXPECT_EQ(read(with_low("8")).size(), 1U);
  EXPECT_EQ(read(with_low("1", "psync")).size(), 1U) << "one request at a time";
}

TEST_F(Fio, RefusesWhatIsNoOutput) {
  expect_refused("", "expected the output of fio");
  expect_refused("{\"jobs\": []}", "expected the output of fio");
  expect_refused(fio_output({}), "at least one job");
  expect_refused(fio_output({json{{"jobname", "job"}}}), "/jobs/0: expected a job of fio");
  json clone = fio_job({{"numjobs", "3"}}, 1e6, 0);
  clone["groupid"] = 0;
  expect_refused(fio_output({clone, clone}), "3 clones of a job, found 2");
  EXPECT_THROW(static_cast<void>(read_fio("/no/such/file")), OutputError);
  EXPECT_THROW(static_cast<void>(read_fio("/tmp")), OutputError);
}

TEST_F(Fio, RefusesWhatAScenarioCannotDescribe) {
  const auto with = [](const json& options) {
    json all = options;
    if (!all.contains("rw")) all["rw"] = "rw";
    return fio_output({fio_job(all, 1e6, 1e6)});
  };
  expect_refused(with({{"rw", "trim"}}), "/jobs/0/job options/rw: expected read, write");
  expect_refused(with({{"bs", "4k-64k"}}), "/jobs/0/job options/bs: expected one block size, found \"4k-64k\"");
  expect_refused(with({{"bs", "0"}}), "one block size");
  expect_refused(with({{"iodepth", "many"}, {"ioengine", "io_uring"}}),
                 "/jobs/0/job options/iodepth: expected a count");
  expect_refused(with({{"rw", "rw"}, {"rwmixread", "170"}}), "at most 100");
  expect_refused(with({{"rw", "rw"}, {"rwmixwrite", "170"}}),
                 "/jobs/0/job options/rwmixwrite: expected at most 100, found 170");
  expect_refused(with({{"ioengine", "null"}}), "moves data");
  for (const char* option : {"bsrange", "bssplit", "rate", "rate_iops", "thinktime", "percentage_random", "fsync",
                             "fdatasync", "sync", "zonesize", "zoneskip", "iodepth_batch_complete_min",
                             "latency_target", "flow", "verify", "end_fsync", "write_barrier"}) {
    EXPECT_EQ(read(with({{"rw", "rw"}, {option, "0"}})).size(), 1U);
    expect_refused(with({{option, "1000"}}),
                   std::string{"/jobs/0/job options/"} + option + ": expected no such option");
  }
  expect_refused(with({{"random_distribution", "zipf:1.2"}}),
                 "/jobs/0/job options/random_distribution: expected no such option or random, found \"zipf:1.2\"");
  expect_refused(with({{"zonemode", "strided"}}), "/jobs/0/job options/zonemode: expected no such option or none");
  expect_refused(with({{"rw", "randrw"}, {"percentage_random", "0"}}), "expected 100 for random requests");
  EXPECT_EQ(read(with({{"sync", "none"}, {"percentage_random", "100"}})).size(), 1U);
  expect_refused(fio_output({fio_job({{"rw", "rw"}}, 1e6, 1e6)}, {{"fsync", "1"}}), "/global options/fsync");
  expect_refused(fio_output({fio_job(json::object(), 0, 0)}), "above 0");
  json failed = fio_job(json::object(), 1e6, 0);
  failed["error"] = 5;
  expect_refused(fio_output({failed}), "/jobs/0/error: expected 0, found 5");
}

TEST_F(Fio, PointsToValuesThatAreNoNumbers) {
  const std::string output = fio_output({fio_job({{"bs", "4k"}}, 1234567, 0, 7777)});
  const auto with = [&](const std::string& old, const std::string& changed) {
    std::string text = output;
    return text.replace(text.find(old), old.size(), changed);
  };
  expect_refused(with("1234567.0", "\"fast\""), "DB601 /jobs/0/read/bw_bytes: expected a number, found \"fast\"");
  expect_refused(with("1234567.0", "1e300"),
                 "/jobs/0/read/bw_bytes: expected a bandwidth above 0 and below 1000000000000000 B/s");
  expect_refused(with("7777.0", "null"), "/jobs/0/read/clat_ns/percentile/50.000000: expected a number, found null");
  json job = fio_job({{"bs", "4k"}}, 1e6, 0);
  job["read"]["clat_ns"]["percentile"] = 5;
  expect_refused(fio_output({job}),
                 "DB601 /jobs/0/read/clat_ns/percentile: expected an object of percentiles, found 5");
  job["read"]["clat_ns"] = 5;
  expect_refused(fio_output({job}), "DB601 /jobs/0/read/clat_ns: expected an object of latencies, found 5");
  job["read"]["clat_ns"] = json::object();
  EXPECT_EQ(read(fio_output({job})).size(), 1U) << "without percentiles";
}

TEST_F(Fio, RefusesGroupsThatAreNoCounts) {
  for (const json& group : {json(-1), json(1.5), json(1e300), json("x"), json::array({1})}) {
    json job = fio_job({{"bs", "4k"}}, 1e6, 0);
    job["groupid"] = group;
    expect_refused(fio_output({job}), "DB601 /jobs/0/groupid: expected a count of at most 1000000000, found ");
  }
}

TEST_F(Fio, RefusesFilesThatAreNoText) {
  const std::string output = fio_output({fio_job({{"bs", "4k"}}, 1e6, 0)});
  expect_refused(output + "\n" + std::string(3, '\0'), "DB006: expected text in UTF-8 or ASCII, found a NUL character");
  expect_refused("a" + std::string(1, '\0') + output, "fio.json:1:2: DB006");
}

}  // namespace
}  // namespace doorbell::tools
