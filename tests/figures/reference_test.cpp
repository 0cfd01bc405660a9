#include "figures/reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/scratch.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* header = "series,x,metric,unit,value,uncertainty,set,note\n";

class Reference : public testing::Test {
 protected:
  std::vector<ReferencePoint> read(const std::string& rows) {
    return read_reference(scratch_.write("reference.csv", "# source: a test\n" + std::string{header} + rows));
  }
  std::string complaint(const std::string& rows) {
    try {
      static_cast<void>(read(rows));
    } catch (const scenario::ScenarioError& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  Scratch scratch_;
};

TEST(CsvLine, SplitsAtCommasOutsideQuotes) {
  EXPECT_THAT(split_csv_line("a,,\"b, c\",\"say \"\"d\"\"\"", {}).cells, ElementsAre("a", "", "b, c", "say \"d\""));
}

TEST(CsvLine, KnowsTheColumnsOfItsCells) {
  EXPECT_THAT(split_csv_line("\u00b5s,,\"b, c\",\"\"\"\",d", {}).columns, ElementsAre(1, 4, 5, 12, 17, 18));
}

TEST_F(Reference, ReadsPointsWithNumbersAndNames) {
  const auto points = read(
      "batching,6,throughput,M/s,77.5,0.4,validation,\"digitised, plotted\"\nCIB,recv,throughput,M/s,82,0.5,fit,\n");
  ASSERT_EQ(points.size(), 2U);
  EXPECT_EQ(points[0].series, "batching");
  EXPECT_EQ(points[0].x, Position{6.0});
  EXPECT_DOUBLE_EQ(points[0].value, 77.5);
  EXPECT_DOUBLE_EQ(points[0].uncertainty, 0.4);
  EXPECT_EQ(points[0].use, Use::validation);
  EXPECT_EQ(points[0].note, "digitised, plotted");
  EXPECT_EQ(points[1].x, Position{std::string{"recv"}});
  EXPECT_EQ(points[1].use, Use::fit);
}

TEST_F(Reference, SaysWhereWhatIsWrong) {
  EXPECT_THAT(complaint("a,1,throughput,M/s,many,0,fit,\n"),
              HasSubstr("reference.csv:3:20: DB103: expected a number as value, found \"many\""));
  EXPECT_THAT(
      complaint("a,1,throughput,M/s,\"0,80\",0,fit,\n"),
      EndsWith("reference.csv:3:20: DB103: expected a number as value, found \"0,80\"; did you mean \"0.80\"?"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,0,guess,\n"),
              HasSubstr("csv:3:24: DB104: expected \"none\", \"fit\" or \"validation\", found \"guess\""));
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,0,val,\n"), EndsWith("found \"val\"; did you mean \"validation\"?"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,-1,fit,\n"),
              HasSubstr("csv:3:22: DB105: expected an uncertainty not below 0, found -1"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,0,fit,\na,1.0,throughput,M/s,2,0,fit,\n"),
              HasSubstr("csv:4:1: DB506: expected another series, x or metric than in line 3, found throughput of "
                        "\"a\" at 1 again"));
  EXPECT_THAT(complaint("a,\x1b[31m,throughput,M/s,1,0,fit,\n"),
              HasSubstr("csv:3:3: DB010: expected text without control characters"));
  EXPECT_THAT(complaint("a,1\n"), HasSubstr("csv:3:4: DB509: expected 8 cells, found 2"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,0,5,0,fit,\n"), HasSubstr("csv:3:30: DB509: expected 8 cells, found 9"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,nan,0,fit,\n"), HasSubstr("DB103: expected a number as value"));
}

TEST_F(Reference, NumbersStayNumbersWhenTheyAreMultiplied) {
  const std::string expected = "DB509: expected a number from -1e+100 to 1e+100, found \"1e308\"";
  EXPECT_THAT(complaint("a,1,throughput,M/s,1e308,0,fit,\n"), HasSubstr("reference.csv:3:20: " + expected));
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,1e308,fit,\n"), HasSubstr("reference.csv:3:22: " + expected));
  EXPECT_THAT(complaint("a,1e308,throughput,M/s,1,0,fit,\n"), HasSubstr("reference.csv:3:3: " + expected));
  EXPECT_EQ(complaint("a,1,throughput,M/s,1e100,0,fit,\n"), "no error");
}

TEST_F(Reference, IsOfUtf8) {
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,0,fit,\na,2,throughput,M/s,1,0,fit,\u00b5 sm\xE4ll\n"),
              HasSubstr("csv:4:32: DB006: expected UTF-8 text, found another byte"));
  EXPECT_EQ(complaint("a,1,throughput,M/s,1,0,fit,\u00b5\n"), "no error");
}

TEST_F(Reference, AQuoteEndsOnItsLine) {
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,0,fit,\"open\nb,1,throughput,M/s,1,0,fit,\"\n"),
              HasSubstr("reference.csv:3:28: DB509: expected a quote that ends on its line"));
  EXPECT_EQ(complaint("a,1,throughput,M/s,1,0,fit,\"\"\n"), "no error");
}

TEST_F(Reference, RatesAndTimesAreAboveZero) {
  EXPECT_THAT(complaint("a,1,PCIeRdCur,M/s,-1,0,fit,\n"),
              HasSubstr("reference.csv:3:19: DB105: expected a value not below 0 for PCIeRdCur, found -1"));
  EXPECT_EQ(complaint("a,1,PCIeRdCur,M/s,0,0.8,fit,\n"), "no error") << "nothing was counted";
  for (const char* metric :
       {"throughput", "relative_throughput", "bandwidth", "latency_p50", "latency_mean", "time per PCIeRdCur"}) {
    for (const char* value : {"0", "-1"}) {
      EXPECT_THAT(complaint(std::string{"a,1,"} + metric + ",M/s," + value + ",0.1,fit,\n"),
                  HasSubstr(std::string{"DB105: expected a value above 0 for "} + metric + ", found " + value));
    }
  }
}

std::string refusal(const std::filesystem::path& file) {
  try {
    static_cast<void>(read_reference(file));
  } catch (const scenario::ScenarioError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ReferenceFile, MayNotBeAFolder) {
  const Scratch scratch;
  EXPECT_THAT(refusal(scratch.path()), HasSubstr(scratch.path().string() + ":1:1: DB002: expected a file, found"));
}

TEST(ReferenceFile, MustExistAndHaveItsHeader) {
  const Scratch scratch;
  EXPECT_THAT(refusal(scratch.path() / "none.csv"), HasSubstr("DB001: expected a file that exists"));
  EXPECT_THAT(refusal(scratch.write("empty.csv", "# nothing\n")), HasSubstr("DB509: expected the columns series,x,"));
  EXPECT_THAT(refusal(scratch.write("none.csv", "series,x,metric,unit,value,uncertainty,set,note\n")),
              HasSubstr("none.csv:1:1: DB509: expected rows below the columns, found none"));
  EXPECT_THAT(refusal(scratch.write("twice.csv", "series,x,metric,unit,value,uncertainty,set,set\n")),
              EndsWith("found \"set\"; did you mean \"note\"?"));
  EXPECT_THAT(refusal(scratch.write("other.csv", "a,b\n")), HasSubstr("other.csv:1:1: DB509: expected the columns"));
  EXPECT_THAT(refusal(scratch.write("near.csv", "series,x,metrik,unit,value,uncertainty,set,note\n")),
              EndsWith("near.csv:1:10: DB509: expected the columns series,x,metric,unit,value,uncertainty,set,note, "
                       "found \"metrik\"; did you mean \"metric\"?"));
  EXPECT_THAT(refusal(scratch.write("short.csv", "series,x,metric\n")), HasSubstr("short.csv:1:16: DB509"));
}

TEST(ShippedReferences, AllReadAndSayWhereTheyComeFrom) {
  int files = 0;
  for (const auto& item :
       std::filesystem::recursive_directory_iterator{std::filesystem::path{DOORBELL_SOURCE_DIR} / "calib/reference"}) {
    if (item.path().extension() != ".csv") continue;
    ++files;
    EXPECT_FALSE(read_reference(item.path()).empty()) << item.path();
    const std::string text = read_text(item.path());
    for (const char* key : {"# source: ", "# figure: ", "# how obtained: ", "# error estimate: "}) {
      EXPECT_THAT(text, HasSubstr(key)) << item.path();
    }
  }
  EXPECT_GE(files, 14);
}

TEST(ReferenceFile, MayBeginWithAByteOrderMark) {
  const Scratch folder;
  const std::string row = "a,1,throughput,M/s,2,0,fit,\n";
  for (const std::string& begin : {std::string{header}, "# a comment\n" + std::string{header}}) {
    const auto points = read_reference(folder.write("marked.csv", "\xEF\xBB\xBF" + begin + row));
    ASSERT_EQ(points.size(), 1U);
    EXPECT_DOUBLE_EQ(points.front().value, 2);
  }
}

}  // namespace
}  // namespace doorbell::figures
