#include "cli/result_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "narrow.hpp"
#include "sample_report.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;

TEST(ResultText, OnePoint) {
  EXPECT_EQ(result_text(sample_report()), R"(Sequencer

Throughput   62.50 M/s +/- 250.0 k/s (95 % interval)
Latency      mean 2.000 us   p50 1.900 us   p99 5.000 us

Busy
  server/pcie downstream                    97.0 %  #######################.
  client/core                               25.0 %  ######..................

Counters
  server/PCIeRdCur                                  12345     24.69 M/s

Work requests: rate, payload, per call
  worker                                   62.50 M/s  2.000 GB/s   15.90

Bottleneck: The PCIe link of server carries all that it can (97 % busy): each
  response costs 64 B on it; next comes the client's core.
)");
}

TEST(ResultText, SeedsAreTold) {
  Report report = sample_report();
  report.seeds = 5;
  const std::string text = result_text(report);
  EXPECT_EQ(text.substr(0, text.find("Busy")), R"(Sequencer

Rates, latencies, utilisations, counters and levels are means of 5 runs with
seeds 7 to 11, and intervals those between runs that differ. The bottleneck is
that of seed 7.

Throughput   62.50 M/s +/- 250.0 k/s (95 % interval)
Latency      mean 2.000 us   p50 1.900 us   p99 5.000 us

)");
}

TEST(ResultText, SweepIsARowForEachPoint) {
  EXPECT_EQ(result_text(sample_sweep(), terminal(80)), R"(Sequencer

worker/threads  client/threads   M/s   +/-       p50  bottleneck
             1               4  62.5  0.25  1.900 us  server/pcie downstream ...
            10               4  62.5  0.25  1.900 us  server/pcie downstream ...

Highest: 62.5 M/s with worker/threads 1, client/threads 4. The PCIe link of
  server carries all that it can (97 % busy): each response costs 64 B on it;
  next comes the client's core.
1 more is within the 95 % intervals of it.
)");
}

TEST(ResultText, WhereNothingIsSaturatedLatencyLimits) {
  Report report = sample_sweep();
  report.results[1].bottleneck.saturated = false;
  report.results[1].bottleneck.busy = 0.38;
  const std::string text = result_text(report);
  EXPECT_NE(text.find("  server/pcie downstream (97 %)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  latency; server/pcie downstream (38 %)\n"), std::string::npos) << text;
}

TEST(ResultText, OnePointOfASweepIsToldInFull) {
  Report report = sample_sweep();
  report.points.pop_back();
  report.results.pop_back();
  const std::string text = result_text(report);
  EXPECT_EQ(text.rfind("Sequencer\nworker/threads 1, client/threads 4\n\nThroughput", 0), 0U) << text;
  EXPECT_NE(text.find("\nCounters\n"), std::string::npos) << text;
}

TEST(ResultText, WhatChangesTogetherIsToldOnce) {
  Report report = sample_sweep();
  report.points[0].coordinates[1].second = "2 KiB";
  report.points[1].coordinates[1].second = "20 KiB";
  const std::string text = result_text(report);
  EXPECT_NE(text.find("worker/threads   M/s   +/-       p50       p99  bottleneck"), std::string::npos) << text;
  EXPECT_NE(text.find("with worker/threads 1, client/threads 2 KiB"), std::string::npos);
}

TEST(ResultText, WhatLimitsIsToldHoweverManyAxes) {
  Report report = sample_sweep();
  const Report once = report;
  report.points.insert(report.points.end(), once.points.begin(), once.points.end());
  report.results.insert(report.results.end(), once.results.begin(), once.results.end());
  for (const std::string path : {"/a/a_long_name", "/b/another_long_name"}) {
    report.sweep_paths.push_back(path);
    for (std::size_t i = 0; i < report.points.size(); ++i)
      report.points[i].coordinates.emplace_back(path, path < "/b" ? std::to_string(i / 2) : std::to_string(i / 3));
  }
  const std::string text = result_text(report, terminal(80));
  EXPECT_NE(text.find("  server/p"), std::string::npos) << text;
  EXPECT_EQ(text.find("p50"), std::string::npos) << text;
  expect_narrow(text);
  const std::string in_a_pipe = result_text(report);
  EXPECT_NE(in_a_pipe.find("p50"), std::string::npos) << in_a_pipe;
  EXPECT_NE(in_a_pipe.find("  server/pcie downstream (97 %)\n"), std::string::npos) << in_a_pipe;
  expect_narrow(result_text(report, terminal(120)), 120);
}

TEST(ResultText, WhatChangesWithAColumnIsNamedBelowTheTable) {
  Report report = sample_sweep();
  report.sweep_paths[1] = "/programs/client/loop/0/post/window";
  for (std::size_t i = 0; i < 2; ++i) {
    report.points[i].coordinates[1] = {report.sweep_paths[1], i == 0 ? "2" : "8"};
    report.results[i].throughput_ci95 = {report.results[i].throughput.per_second * 2e-16};
  }
  const std::string text = result_text(report);
  EXPECT_NE(text.find("\nthreads   M/s  +/- "), std::string::npos) << text;
  EXPECT_NE(text.find("\nWith threads: window.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("  62.5    0  1.900 us"), std::string::npos) << text;  // not 1.2e-14
}

TEST(ResultText, ASweepEndsWithItsHighestPoint) {
  Report report = sample_sweep();
  report.results[1].throughput = {63.5e6};
  EXPECT_NE(result_text(report).find("\nHighest: 63.5 M/s with worker/threads 10, client/threads 4. The PCIe link"),
            std::string::npos);
  EXPECT_EQ(result_text(report).find("within the 95 %"), std::string::npos);

  // Half a million per second apart, the intervals meet.
  report.results[1].throughput = {63e6};
  EXPECT_NE(result_text(report).find("\n1 more is within the 95 % intervals of it.\n"), std::string::npos);
}

TEST(ResultText, OfPointsThatAreAsFastOthersMayBeBetter) {
  Report report = sample_sweep();
  report.results[0].latency.p99 = std::chrono::nanoseconds{4000};
  report.results[0].utilisations.push_back({"host/CPU", 0.5});
  report.results[1].utilisations.push_back({"host/CPU", 0.25});
  const std::string slower = result_text(report);
  EXPECT_EQ(slower.find("lower p99"), std::string::npos);
  EXPECT_NE(slower.find("worker/threads 10, client/threads 4\n  needs less CPU (25 instead of 50 %)."),
            std::string::npos)
      << slower;
  report.results[1].latency.p99 = std::chrono::nanoseconds{3500};
  EXPECT_EQ(result_text(report).find("lower p99"), std::string::npos);
  report.results[1].latency.p99 = std::chrono::nanoseconds{3000};
  EXPECT_NE(result_text(report).find("client/threads 4\n  has a lower p99 (3.000 us);"), std::string::npos);
}

TEST(ResultText, APointThatIsOnlyUncertainIsNotAsGood) {
  Report report = sample_sweep();
  report.results[0].utilisations.push_back({"host/CPU", 0.5});
  report.results[1].utilisations.push_back({"host/CPU", 0.25});
  report.results[1].throughput = {58e6};
  report.results[1].throughput_ci95 = {9e6};
  const std::string text = result_text(report);
  EXPECT_NE(text.find("1 more is within the 95 % intervals of it."), std::string::npos) << text;
  EXPECT_EQ(text.find("needs less CPU"), std::string::npos) << text;
}

TEST(ResultText, ASweepThatIsFastestAtItsEndIsToldToEndThere) {
  Report report = sample_sweep();
  report.points.push_back(report.points.back());
  report.results.push_back(report.results.back());
  report.points[2].coordinates[0].second = "12";
  report.results[2].throughput = {70e6};
  EXPECT_NE(result_text(report).find("The sweep ends there:\n  worker/threads 12. "), std::string::npos)
      << result_text(report);

  report.results[1].throughput = {69.9e6};  // fewer threads are within the interval
  EXPECT_EQ(result_text(report).find("ends there"), std::string::npos);
}

TEST(ResultText, ASweepInWhichNothingHappensHasNoHighestPoint) {
  Report report = sample_sweep();
  for (auto& result : report.results) result.throughput = {};
  EXPECT_EQ(result_text(report).find("Highest"), std::string::npos);
}

TEST(ResultText, WhatMovesBlocksIsComparedInBytes) {
  Report report = sample_sweep();
  for (auto& result : report.results) result.bandwidth = {1024.0 * 1024 * 100};
  report.results[1].bandwidth = {1024.0 * 1024 * 200};  // fewer requests, but larger
  report.results[1].throughput = {31e6};
  EXPECT_NE(result_text(report).find("Highest: 200 MiB/s with worker/threads 10"), std::string::npos);
}

TEST(ResultText, SmallLevelsKeepTheirDigits) {
  Report report = sample_report();
  report.results[0].levels = {{"few", 0.01234}, {"some", 0.4567}, {"none", 0}};
  const std::string text = result_text(report);
  for (const char* shown : {" 0.0123\n", " 0.46\n", " 0.00\n"}) EXPECT_NE(text.find(shown), std::string::npos) << shown;
}

TEST(ResultText, OfVeryManyLevelsTheFirstAreShown) {
  Report report = sample_report();
  for (int i = 0; i < 1000; ++i) report.results[0].levels.push_back({"level " + std::to_string(i), 1});
  const std::string text = result_text(report);
  EXPECT_NE(text.find("level 0 "), std::string::npos);
  EXPECT_EQ(text.find("level 999 "), std::string::npos);
  EXPECT_NE(text.find("  and 968 more\n"), std::string::npos);
}

TEST(ResultText, StaysWithinTheTerminal) {
  Report report = sample_report();
  report.title = std::string(100, 't');
  report.results[0].utilisations[0].resource = std::string(100, 'r');
  report.results[0].counters[0].name = std::string(100, 'c');
  report.results[0].programs[0].program = std::string(100, 'b');
  report.results[0].warnings = {std::string(100, 'w') + " " + std::string(100, 'v')};
  for (const std::size_t columns : {40U, 60U, 80U}) expect_narrow(result_text(report, terminal(columns)), columns);
  Report sweep = sample_sweep();
  sweep.points[0].coordinates[0].second = std::string(100, '9');
  sweep.results[0].bottleneck.resource = std::string(100, 'r');
  for (const std::size_t columns : {40U, 60U, 80U}) expect_narrow(result_text(sweep, terminal(columns)), columns);
}

TEST(ResultText, WarningsComeOnceEachWithTheirPoints) {
  Report report = sample_sweep();
  const auto warned = [&report] {
    const std::string text = result_text(report);
    const std::size_t first = text.find("Warning: ");
    if (first == std::string::npos) return text;
    EXPECT_EQ(text.find("Warning:", first + 1), std::string::npos);
    return text.substr(first);
  };
  for (auto& result : report.results) result.warnings = {"queue overflowed"};
  EXPECT_EQ(warned(), "Warning: queue overflowed (all points)\n");
  report.results[0].warnings.clear();
  EXPECT_EQ(warned(), "Warning: queue overflowed (worker/threads 10, client/threads 4)\n");
  report.points.insert(report.points.end(), 3, report.points[1]);
  report.results.insert(report.results.end(), 3, report.results[1]);
  EXPECT_EQ(warned(), "Warning: queue overflowed (worker/threads 10, client/threads 4 and 3 more\n  points)\n");
  EXPECT_EQ(result_text(sample_sweep()).find("Warning"), std::string::npos);
}

TEST(ResultText, WarningsOfOnePointNeedNoPlace) {
  Report report = sample_report();
  report.results[0].warnings = {"queue overflowed"};
  EXPECT_NE(result_text(report).find("Warning: queue overflowed\n"), std::string::npos);
}

TEST(ResultText, SaysWhenNoLatencyWasMeasured) {
  Report report = sample_report();
  report.results[0].latency = {};
  EXPECT_NE(result_text(report).find("Latency      none measured\n"), std::string::npos);
}

TEST(ResultText, ASweepTellsEachKindOfOperationsBelowItsTable) {
  Report report = sample_sweep();
  EXPECT_EQ(result_text(report).find("kind"), std::string::npos);
  report.results[1].kinds = sample_kinds();
  report.points.push_back(report.points[1]);
  report.points[2].coordinates[0].second = "12";
  report.results.push_back(report.results[1]);
  const std::string text = result_text(report, terminal(80));
  EXPECT_NE(text.find(R"(
worker/threads  client/threads  kind      M/s       p50       p99
            10               4  reads    62.5  950.0 ns  15.00 us
                                updates     0         -         -
            12               4  reads    62.5  950.0 ns  15.00 us
                                updates     0         -         -

Highest:)"),
            std::string::npos)
      << text;
  // With no room for these columns, as one point tells them.
  const std::string narrow = result_text(report, terminal(50));
  EXPECT_NE(narrow.find(R"(
worker/threads 10, client/threads 4
  reads      62.50 M/s
    mean 2.000 us   p50 950.0 ns   p99 15.00 us
  updates         0 /s
    none measured
worker/threads 12, client/threads 4
)"),
            std::string::npos)
      << narrow;
  expect_narrow(narrow, 50);
}

TEST(ResultText, EachKindOfOperationsHasALineBelowTheLatencyOfAll) {
  Report report = sample_report();
  report.results[0].kinds = sample_kinds();
  EXPECT_NE(result_text(report).find(R"(
Latency      mean 2.000 us   p50 1.900 us   p99 5.000 us
  reads      62.50 M/s   mean 2.000 us   p50 950.0 ns   p99 15.00 us
  updates         0 /s   none measured

Busy
)"),
            std::string::npos)
      << result_text(report);
  // Whole values at 50 columns, and further lines below the values.
  const std::string narrow = result_text(report, terminal(50));
  EXPECT_NE(narrow.find(R"(
Throughput   62.50 M/s +/- 250.0 k/s
             (95 % interval)
Latency      mean 2.000 us   p50 1.900 us
             p99 5.000 us
  reads      62.50 M/s
    mean 2.000 us   p50 950.0 ns   p99 15.00 us
  updates         0 /s
    none measured

Busy
)"),
            std::string::npos)
      << narrow;
  report.results[0].kinds[0].kind = "reads of the log";
  EXPECT_NE(result_text(report).find(R"(
  reads of the log  62.50 M/s   mean 2.000 us   p50 950.0 ns   p99 15.00 us
  updates                0 /s   none measured
)"),
            std::string::npos)
      << result_text(report);
  report.results[0].kinds[0].kind = std::string(100, 'k');
  for (const std::size_t columns : {40U, 60U, 80U}) expect_narrow(result_text(report, terminal(columns)), columns);
}

}  // namespace
}  // namespace doorbell::cli
