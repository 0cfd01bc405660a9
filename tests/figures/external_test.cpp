#include "figures/external.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/scratch.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

using testing::HasSubstr;

constexpr const char* rates =
    "# somebody's logs\n"
    "log,threads,vms,mean,min,max\n"
    "read,2,1,10,9,11\n"
    "read,2,1,12,11.5,14\n"
    "read,4,1,20,19,21\n"
    "\n"
    "write,2,1,7,7,7\n"
    "read,2,3,5,4,6\n";

ExternalTable table_of(std::vector<ExternalSeries> series) {
  return {.file = "sub/rates.csv",
          .available = "somebody",
          .metric = "throughput",
          .unit = "M/s",
          .use = Use::validation,
          .value = "mean",
          .low = "min",
          .high = "max",
          .series = std::move(series)};
}

class External : public testing::Test {
 protected:
  std::vector<ReferencePoint> read(const ExternalSeries& series, const std::string& text = rates) {
    data_.write("sub/rates.csv", text);
    return read_external(table_of({series}), data_.path());
  }
  std::string refusal(const ExternalSeries& series, const std::string& text = rates) {
    try {
      static_cast<void>(read(series, text));
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "none";
  }

  Scratch data_;
};

const ExternalSeries reads{.series = "READ", .where = {{"log", "read"}, {"vms", "1"}}, .x = "threads", .scale = 1};

TEST_F(External, RowsThatRepeatAMeasurementAreOnePoint) {
  const std::vector<ReferencePoint> points = read(reads);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].series, "READ");
  EXPECT_EQ(points[0].x, Position{2.0});
  EXPECT_EQ(points[0].value, 11);
  EXPECT_EQ(points[0].uncertainty, 2.5) << "from 9 to 14";
  EXPECT_EQ(points[0].metric, "throughput");
  EXPECT_EQ(points[0].unit, "M/s");
  EXPECT_EQ(points[0].use, Use::validation);
  EXPECT_EQ(points[1].x, Position{4.0});
  EXPECT_EQ(points[1].value, 20);
}

TEST_F(External, PositionsAreScaled) {
  const std::vector<ReferencePoint> points =
      read({.series = "READ", .where = {{"log", "read"}, {"threads", "2"}}, .x = "vms", .scale = 6});
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].x, Position{6.0});
  EXPECT_EQ(points[1].x, Position{18.0});
}

TEST_F(External, RowsBeforeTheFirstPositionAreLeftOut) {
  ExternalSeries later = reads;
  later.scale = 10;
  later.from = 40;
  const std::vector<ReferencePoint> points = read(later);
  ASSERT_EQ(points.size(), 1U);
  EXPECT_EQ(points[0].x, Position{40.0});
}

TEST_F(External, FilesWithBlanksBetweenTheCellsAreReadByNamedColumns) {
  data_.write("sub/read.dat", "#  test size  Gb/s\n  READ   64  32.5\n\n  READ  128  43.7\n WRITE   64  24.3\n");
  data_.write("sub/write.dat", "WRITE 64 24.5\n");
  ExternalTable table{.file = "sub/read.dat",
                      .columns = {"test", "size", "gbps"},
                      .available = "somebody",
                      .metric = "bandwidth",
                      .unit = "MB/s",
                      .use = Use::validation,
                      .value = "gbps",
                      .scale = 125,
                      .series = {{.series = "reads", .where = {{"test", "READ"}}, .x = "size", .fit = {128}},
                                 {.series = "writes", .x = "size", .file = "sub/write.dat"},
                                 {.series = "sizes", .x = "size", .file = "sub/write.dat", .value = "size"}}};
  const std::vector<ReferencePoint> points = read_external(table, data_.path());
  ASSERT_EQ(points.size(), 4U);
  EXPECT_EQ(points[0].x, Position{64.0});
  EXPECT_EQ(points[0].value, 32.5 * 125);
  EXPECT_EQ(points[0].uncertainty, 0) << "the table tells none";
  EXPECT_EQ(points[0].use, Use::validation);
  EXPECT_EQ(points[1].use, Use::fit);
  EXPECT_EQ(points[2].series, "writes");
  EXPECT_EQ(points[2].value, 24.5 * 125) << "of its own file";
  EXPECT_EQ(points[3].value, 64 * 125) << "of its own column";
  table.series[0].fit = {96};
  EXPECT_THROW(static_cast<void>(read_external(table, data_.path())), scenario::ScenarioError);
}

TEST_F(External, LinesOfOtherSystemsAreRead) {
  EXPECT_EQ(read(reads, "log,threads,vms,mean,min,max\r\nread,2,1,10,9,11\r\n").front().value, 10);
}

TEST_F(External, RefusesWhatItDoesNotUnderstandAndNamesThePlace) {
  EXPECT_THAT(refusal({.series = "READ", .where = {{"logs", "read"}}, .x = "threads", .scale = 1}),
              HasSubstr("rates.csv:2:1: DB509: expected a column \"logs\", found none; did you mean \"log\"?"));
  EXPECT_THAT(
      refusal({.series = "READ", .where = {{"log", "atomic"}}, .x = "threads", .scale = 1}),
      HasSubstr("rates.csv:2:1: DB509: expected rows of \"READ\", with \"atomic\" in column \"log\", found none"));
  EXPECT_THAT(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,ten,9,11\n"),
              HasSubstr("rates.csv:2:10: DB103: expected a number, found \"ten\""));
  EXPECT_THAT(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1\n"),
              HasSubstr("rates.csv:2:9: DB509: expected 6 cells, found 3"));
  EXPECT_THAT(refusal(reads, "# nothing\n"), HasSubstr("rates.csv:1:1: DB509: expected a line of columns, found none"));
}

TEST_F(External, PointsStandWhereTheirFirstRowDoes) {
  const std::vector<ReferencePoint> points = read(reads);
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].at.line, 3);
  EXPECT_EQ(points[1].at.line, 5);
  EXPECT_EQ(points[0].place_of(Cell::x).column, 6);
  EXPECT_EQ(points[0].place_of(Cell::value).column, 10);
  EXPECT_EQ(points[0].place_of(Cell::uncertainty).column, 15);
}

TEST_F(External, RefusesWhatIsNoText) {
  EXPECT_THAT(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,10,9,11\nr\xE4,2,1,10,9,11\n"),
              HasSubstr("rates.csv:3:2: DB006: expected UTF-8 text, found another byte"));
  EXPECT_THAT(refusal(reads, std::string{"log,threads,vms,mean,min,max\nread,2,1,10,9,11\nre\0d,2,1,10,9,11\n", 63}),
              HasSubstr("rates.csv:3:1: DB010"));
  EXPECT_EQ(refusal(reads, std::string{"# sm\xE4ll\n"} + rates), "none") << "comments are nobody's";
}

TEST_F(External, NamesLineAndCellOfWhatCannotBe) {
  EXPECT_THAT(
      refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,5,5,5\nread,2,1,-9,-9,-9\n"),
      HasSubstr("rates.csv:3:10: DB105: expected a value above 0 for throughput, found -2, the mean of 2 rows"));
  EXPECT_TRUE(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,-9,-9,-9\n").ends_with("found -9"));
  EXPECT_THAT(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,10,11,9\n"),
              HasSubstr("rates.csv:2:16: DB509: expected at least 11, the \"min\", found \"9\""));
  EXPECT_THAT(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,50,9,11\n"),
              HasSubstr("rates.csv:2:10: DB509: expected from 9 to 11, the \"min\" and the \"max\", found \"50\""));
  EXPECT_THAT(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,8,9,11\n"), HasSubstr("found \"8\""));
  EXPECT_EQ(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,9,9,11\nread,2,1,11,9,11\n"), "none");
  EXPECT_THAT(refusal(reads, "log,threads,vms,mean,min,mean\nread,2,1,10,9,11\n"),
              HasSubstr("rates.csv:1:26: DB509: expected one column \"mean\", found a second one"));
  EXPECT_THAT(refusal(reads, "log,threads,vms,mean,min,max\nread,2,1,1e300,9,11\n"),
              HasSubstr("rates.csv:2:10: DB509: expected a number from -1e+100 to 1e+100, found \"1e300\""));
  EXPECT_THAT(refusal({.series = "READ", .where = {{"log", "reed"}}, .x = "threads", .scale = 1}),
              HasSubstr("did you mean \"read\"?"));
  EXPECT_THAT(refusal({.series = "READ", .where = {{"log", "write"}, {"vms", "3"}}, .x = "threads", .scale = 1}),
              HasSubstr("rates.csv:2:1: DB509: expected rows of \"READ\", found none"))
      << "each of them is there";
  EXPECT_THAT(refusal({.series = "READ", .where = {{"log", "read"}}, .x = "threads", .scale = 1, .fit = {3}}),
              HasSubstr("rates.csv:2:5: DB509: expected a row of \"READ\" at 3, found none"));
}

}  // namespace
}  // namespace doorbell::figures
