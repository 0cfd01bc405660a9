#include "figures/csv_field.hpp"

#include <gtest/gtest.h>

namespace doorbell::figures {
namespace {

TEST(CsvField, QuotesOnlyWhatMustBe) {
  EXPECT_EQ(csv_field("64 B"), "64 B");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

TEST(CsvField, DoublesQuotes) { EXPECT_EQ(csv_field("say \"64\""), "\"say \"\"64\"\"\""); }

}  // namespace
}  // namespace doorbell::figures
