#include "core/calendar.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <vector>

namespace doorbell::core {
namespace {

using namespace doorbell::literals;

struct Recorder {
  std::vector<std::uint64_t> seen;
  void record(std::uint64_t argument) { seen.push_back(argument); }
};

TEST(Calendar, NotReadyOnePicosecondEarlyReadyOnTime) {
  Calendar calendar;
  Recorder recorder;
  calendar.at<&Recorder::record>(50_ns, {}, recorder, 7);
  calendar.run_until(50_ns - 1_ps);
  EXPECT_TRUE(recorder.seen.empty());
  calendar.run_until(50_ns);
  EXPECT_EQ(recorder.seen, std::vector<std::uint64_t>{7});
  EXPECT_EQ(calendar.now(), 50_ns);
}

TEST(Calendar, RefusesThePast) {
  Calendar calendar;
  Recorder recorder;
  calendar.run_until(10_ns);
  EXPECT_THROW(calendar.at<&Recorder::record>(10_ns - 1_ps, {}, recorder), std::logic_error);
  EXPECT_NO_THROW(calendar.at<&Recorder::record>(10_ns, {}, recorder));
}

}  // namespace
}  // namespace doorbell::core
