#include "core/quantity.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace doorbell {
namespace {

using namespace std::chrono_literals;
using namespace literals;

TEST(Quantity, TimesAreRoundedToTheNearestPicosecond) {
  EXPECT_EQ(from_seconds(1e-12), 1_ps);
  EXPECT_EQ(from_seconds(0.5e-12), 1_ps) << "halves go away from zero";
  EXPECT_EQ(from_seconds(-0.5e-12), -1_ps);
  EXPECT_EQ(from_seconds(0.49e-12), 0_ps);
  EXPECT_EQ(from_seconds(1.5), 1500ms);
}

TEST(Quantity, TimesAreExactFromPicosecondsToMonths) {
  EXPECT_EQ(1_us - 999_ns, 1000_ps);
  EXPECT_GT(Time::max(), 24h * 100) << "a simulation of months does not wrap";
  EXPECT_DOUBLE_EQ(to_seconds(250_ms), 0.25);
  EXPECT_DOUBLE_EQ(to_nanoseconds(1500_ps), 1.5);
  EXPECT_EQ(stretched(1500_ps, 1.5), 2250_ps);
}

TEST(Quantity, BytesTakeTimeByBandwidth) {
  EXPECT_EQ(transfer_time(64_B, 8000_MBps), 8_ns);
  EXPECT_EQ(transfer_time(0_B, 8000_MBps), 0_ps);
  EXPECT_EQ(transfer_time(1_B, Bandwidth{3e12}), 0_ps) << "a third of a picosecond";
  EXPECT_EQ(transfer_time(3_B, Bandwidth{3e12}), 1_ps);
}

TEST(Quantity, WhatTimeCannotHoldIsItsEnd) {
  EXPECT_EQ(from_seconds(1e7), Time::max());
  EXPECT_EQ(from_seconds(-1e7), Time::min());
  EXPECT_EQ(from_seconds(9e6), 9'000'000s);
  EXPECT_EQ(transfer_time(1_B, Bandwidth{}), Time::max());
  EXPECT_EQ(transfer_time(0_B, Bandwidth{}), 0_ps);
  EXPECT_EQ(transfer_time(Bytes{INT64_MAX}, 1_MBps), Time::max());
}

TEST(Quantity, UnitsNeededToHoldBytes) {
  EXPECT_EQ(ceil_div(0_B, 64_B), 0);
  EXPECT_EQ(ceil_div(1_B, 64_B), 1);
  EXPECT_EQ(ceil_div(64_B, 64_B), 1);
  EXPECT_EQ(ceil_div(65_B, 64_B), 2);
}

TEST(Quantity, BinaryPrefixesAreNotDecimalOnes) {
  EXPECT_EQ(4_KiB, 4096_B);
  EXPECT_EQ(4_KiB - 96_B, 2 * 2000_B);
}

}  // namespace
}  // namespace doorbell
