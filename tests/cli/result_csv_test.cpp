#include "cli/result_csv.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <vector>

#include "sample_report.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream{text};
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

TEST(ResultCsv, TellsOfHowManySeedsItHasMeans) {
  Report report = sample_report();
  EXPECT_EQ(result_csv(report).find("# seeds"), std::string::npos);
  report.seeds = 5;
  EXPECT_NE(result_csv(report).find("# seed: 7\n# seeds: 5\n"), std::string::npos);
}

TEST(ResultCsv, HasOneRowForEachPoint) {
  const auto lines = lines_of(result_csv(sample_sweep()));
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_TRUE(lines[0].starts_with("# doorbell "));
  EXPECT_EQ(lines[1], "# scenario: Sequencer");
  EXPECT_EQ(lines[2], "# hash: 0123456789abcdef");
  EXPECT_EQ(lines[3], "# seed: 7");
  EXPECT_TRUE(lines[4].starts_with("/programs/worker/threads,/programs/client/threads,throughput (M/s),")) << lines[4];
  EXPECT_TRUE(lines[5].starts_with("1,4,62.5,0.25,2000,1900,5000,1000,")) << lines[5];
  EXPECT_TRUE(lines[6].starts_with("10,4,62.5,")) << lines[6];
}

TEST(ResultCsv, ColumnsDoNotFollowTheOrderOfUtilisations) {
  Report report = sample_sweep();
  std::swap(report.results[1].utilisations[0], report.results[1].utilisations[1]);
  EXPECT_EQ(result_csv(report), result_csv(sample_sweep()));
}

TEST(ResultCsv, PointsThatLackAColumnLeaveItEmpty) {
  Report report = sample_sweep();
  report.results[0].programs.clear();
  const auto lines = lines_of(result_csv(report));
  const auto commas = [](const std::string& line) { return std::count(line.begin(), line.end(), ','); };
  EXPECT_EQ(commas(lines[4]), commas(lines[5]));
  EXPECT_EQ(commas(lines[4]), commas(lines[6]));
}

TEST(ResultCsv, QuotesWhatNeedsIt) {
  Report report = sample_report();
  report.title = "two\nlines";
  report.results[0].warnings = {"a, \"b\""};
  const std::string csv = result_csv(report);
  EXPECT_NE(csv.find("# scenario: two lines\n"), std::string::npos);
  EXPECT_TRUE(csv.ends_with(",\"a, \"\"b\"\"\"\n")) << csv;
}

TEST(ResultCsv, EachKindOfOperationsHasItsColumns) {
  Report report = sample_sweep();
  report.results[1].kinds = sample_kinds();
  const auto lines = lines_of(result_csv(report));
  EXPECT_NE(lines[4].find(",throughput reads (M/s),latency mean reads (ns),latency p50 reads (ns),"
                          "latency p99 reads (ns),latency samples reads,throughput updates (M/s),"),
            std::string::npos)
      << lines[4];
  EXPECT_NE(lines[6].find(",62.5,2000,950,15000,1000,0,,,,0"), std::string::npos) << lines[6];
  EXPECT_EQ(lines[5].find(",62.5,2000,950,"), std::string::npos) << lines[5];
}

}  // namespace
}  // namespace doorbell::cli
