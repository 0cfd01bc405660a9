#include "cli/request_csv.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sample_report.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

TEST(RequestCsv, HasARowForEachRequestOfEachPoint) {
  Report report = sample_sweep();
  report.results[0].requests = {{5us, false, Bytes{4096}, Bytes{512}, 20us}};
  report.results[1].requests = {{6us, true, Bytes{0}, Bytes{4096}, 30us}};
  EXPECT_EQ(
      request_csv(report),
      "/programs/worker/threads,/programs/client/threads,started (ns),operation,offset (B),size (B),latency (ns)\n"
      "1,4,5000,read,4096,512,20000\n"
      "10,4,6000,write,0,4096,30000\n");
}

TEST(RequestCsv, QuotesWhatHoldsACommaItself) {
  Report report = sample_sweep();
  report.points[0].coordinates[0].second = R"(["a", "b"])";
  report.results[0].requests = {{5us, false, Bytes{4096}, Bytes{512}, 20us}};
  EXPECT_THAT(request_csv(report), HasSubstr("\"[\"\"a\"\", \"\"b\"\"]\",4,5000,read"));
}

TEST(RequestCsv, WithoutATraceThereIsOnlyTheHead) {
  const std::string text = request_csv(sample_sweep());
  EXPECT_EQ(text.find('\n'), text.size() - 1);
}

}  // namespace
}  // namespace doorbell::cli
