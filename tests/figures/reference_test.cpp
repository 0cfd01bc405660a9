#include "figures/reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/scratch.hpp"

namespace doorbell::figures {
namespace {

using testing::ElementsAre;
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
    } catch (const DefinitionError& error) {
      return error.what();
    }
    return "no error";
  }

 private:
  Scratch scratch_;
};

TEST(CsvLine, SplitsAtCommasOutsideQuotes) {
  EXPECT_THAT(split_csv_line("a,,\"b, c\",\"say \"\"d\"\"\""), ElementsAre("a", "", "b, c", "say \"d\""));
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

TEST_F(Reference, SaysFileAndLineOfWhatIsWrong) {
  EXPECT_THAT(complaint("a,1,throughput,M/s,many,0,fit,\n"),
              HasSubstr("reference.csv:3: value is not a number: 'many'"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,0,guess,\n"),
              HasSubstr("set is 'guess', expected none, fit or validation"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,-1,fit,\n"), HasSubstr("uncertainty is negative"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,1,0,fit,\na,1.0,throughput,M/s,2,0,fit,\n"),
              HasSubstr("reference.csv:4: throughput of 'a' at 1 has a value already"));
  EXPECT_THAT(complaint("a\x1b[31m,1,throughput,M/s,1,0,fit,\n"),
              HasSubstr("reference.csv:3: expected text without control characters"));
  EXPECT_THAT(complaint("a,1\n"), HasSubstr("2 cells, expected 8"));
  EXPECT_THAT(complaint("a,1,throughput,M/s,nan,0,fit,\n"), HasSubstr("value is not a number"));
}

TEST_F(Reference, RatesAndTimesAreAboveZero) {
  EXPECT_THAT(complaint("a,1,PCIeRdCur,M/s,-1,0,fit,\n"),
              HasSubstr("reference.csv:3: expected a value not below 0 for PCIeRdCur, found -1"));
  EXPECT_EQ(complaint("a,1,PCIeRdCur,M/s,0,0.8,fit,\n"), "no error") << "nothing was counted";
  for (const char* metric :
       {"throughput", "relative_throughput", "bandwidth", "latency_p50", "latency_mean", "time per PCIeRdCur"}) {
    for (const char* value : {"0", "-1"}) {
      EXPECT_THAT(
          complaint(std::string{"a,1,"} + metric + ",M/s," + value + ",0.1,fit,\n"),
          HasSubstr(std::string{"reference.csv:3: expected a value above 0 for "} + metric + ", found " + value));
    }
  }
}

TEST(ReferenceFile, MayNotBeAFolder) {
  const Scratch scratch;
  try {
    static_cast<void>(read_reference(scratch.path()));
    FAIL() << "nothing was thrown";
  } catch (const DefinitionError& error) {
    EXPECT_EQ(error.what(), scratch.path().string() + ": expected a file, found a folder");
  }
}

TEST(ReferenceFile, MustExistAndHaveItsHeader) {
  const Scratch scratch;
  EXPECT_THROW(static_cast<void>(read_reference(scratch.path() / "none.csv")), DefinitionError);
  EXPECT_THROW(static_cast<void>(read_reference(scratch.write("empty.csv", "# nothing\n"))), DefinitionError);
  EXPECT_THROW(static_cast<void>(read_reference(scratch.write("other.csv", "a,b\n"))), DefinitionError);
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
