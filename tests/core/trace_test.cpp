#include "core/trace.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <locale>
#include <sstream>
#include <string>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

TEST(Trace, WritesTheTraceEventFormat) {
  std::ostringstream out;
  {
    TraceWriter writer(out);
    const TraceTrack track(&writer, "server", "PCIe \"up\"");
    EXPECT_TRUE(track.on());
    track.span("TLP", 1_us, 1_us + 3_ps);
    track.instant("doorbell", 2_ns);
    track.counter("credits", 0_ns, 12);
  }
  EXPECT_EQ(out.str(),
            "[\n"
            R"({"ph":"M","pid":1,"tid":1,"name":"process_name","args":{"name":"server"}},)"
            "\n"
            R"({"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"PCIe \"up\""}},)"
            "\n"
            R"({"ph":"M","pid":1,"tid":1,"name":"thread_sort_index","args":{"sort_index":1}},)"
            "\n"
            R"({"ph":"X","pid":1,"tid":1,"name":"TLP","ts":1.000000,"dur":0.000003},)"
            "\n"
            R"({"ph":"i","pid":1,"tid":1,"name":"doorbell","ts":0.002000,"s":"t"},)"
            "\n"
            R"({"ph":"C","pid":1,"tid":1,"name":"credits","ts":0.000000,"args":{"value":12}})"
            "\n"
            "]\n");
}

TEST(Trace, IsOffByDefault) {
  const TraceTrack off;
  const TraceTrack none(nullptr, "server", "core");
  EXPECT_FALSE(off.on());
  EXPECT_FALSE(none.on());
  off.span("x", 0_ns, 1_ns);
  none.instant("x", 0_ns);
}

TEST(Trace, GroupsTracksByMachine) {
  std::ostringstream out;
  {
    TraceWriter writer(out);
    EXPECT_EQ(writer.add_track("server", "core 0"), 1U);
    EXPECT_EQ(writer.add_track("client", "core 0"), 2U);
    EXPECT_EQ(writer.add_track("server", "core 1"), 3U);
    writer.instant(3, "doorbell", 1_ns);
  }
  const std::string text = out.str();
  EXPECT_NE(text.find(R"("pid":1,"tid":1,"name":"process_name")"), std::string::npos);
  EXPECT_NE(text.find(R"("pid":2,"tid":2,"name":"process_name")"), std::string::npos);
  EXPECT_EQ(text.find(R"("tid":3,"name":"process_name")"), std::string::npos);
  EXPECT_NE(text.find(R"({"ph":"i","pid":1,"tid":3)"), std::string::npos);
}

TEST(Trace, LeavesOutWhatIsOutsideOfItsTime) {
  std::ostringstream out;
  {
    TraceWriter writer(out);
    const TraceTrack track(&writer, "server", "core");
    writer.limit(10_ns, 20_ns);
    track.span("before", 1_ns, 9_ns);
    track.span("reaches in", 1_ns, 11_ns);
    track.span("reaches out", 19_ns, 30_ns);
    track.span("after", 20_ns, 21_ns);
    track.instant("too early", 9_ns);
    track.counter("too late", 20_ns, 1);
  }
  const std::string text = out.str();
  EXPECT_NE(text.find("reaches in"), std::string::npos);
  EXPECT_NE(text.find("reaches out"), std::string::npos);
  for (const char* name : {"before", "after", "too early", "too late"})
    EXPECT_EQ(text.find(name), std::string::npos) << name;
}

TEST(Trace, NumbersAreJsonBeforeZeroAndWhereThousandsAreGrouped) {
  struct Grouped : std::numpunct<char> {
    std::string do_grouping() const override { return "\3"; }
  };
  std::ostringstream out;
  out.imbue(std::locale{std::locale::classic(), new Grouped});
  {
    TraceWriter writer(out);
    const TraceTrack track(&writer, "server", "link");
    track.span("TLP", Time{-500}, 2_us);
    track.counter("bytes", 0_ns, 1'234'567);
  }
  EXPECT_THAT(out.str(), ::testing::HasSubstr(R"("ts":-0.000500,"dur":2.000500})"));
  EXPECT_THAT(out.str(), ::testing::HasSubstr(R"("value":1234567})"));
}

TEST(Trace, AnEmptyTraceIsValid) {
  std::ostringstream out;
  { const TraceWriter writer(out); }
  EXPECT_EQ(out.str(), "[\n]\n");
}

}  // namespace
}  // namespace doorbell::core
