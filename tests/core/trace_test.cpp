#include "core/trace.hpp"

#include <gtest/gtest.h>

#include <sstream>

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
            R"({"ph":"M","pid":1,"tid":1,"name":"thread_name","args":{"name":"server: PCIe \"up\""}},)"
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

TEST(Trace, AnEmptyTraceIsValid) {
  std::ostringstream out;
  { const TraceWriter writer(out); }
  EXPECT_EQ(out.str(), "[\n]\n");
}

}  // namespace
}  // namespace doorbell::core
