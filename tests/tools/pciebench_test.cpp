#include "tools/pciebench.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "figures/scratch.hpp"
#include "tools/pciebench_output.hpp"

namespace doorbell::tools {
namespace {

using model::DmaWork;
using testing::HasSubstr;

PcieBenchOutput read_rows(const std::string& text) {
  const figures::Scratch scratch;
  return read_pciebench(scratch.write("out.dat", text));
}

TEST(PcieBench, TablesOfBandwidthAreRead) {
  const auto results = read_rows(bandwidth_heading + bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 22.99) +
                                 bandwidth_row("BW_DMA_WR Seq Cold 4 0 1572864.0 256", 30) + "\n" +
                                 bandwidth_row("BW_DMA_RW Rand DWarm 0 0 8192 64", 10))
                           .results;
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].setup, (PcieBenchSetup{false, false, DmaWork::read, model::AddressPattern::random,
                                              model::Warmth::host, Bytes{0}, Bytes{8192}, Bytes{64}}));
  EXPECT_DOUBLE_EQ(results[0].bandwidth.bytes_per_second, 22.99e9 / 8) << "the heading says GB/s, but means Gb/s";
  EXPECT_EQ(results[1].setup, (PcieBenchSetup{false, false, DmaWork::write, model::AddressPattern::sequential,
                                              model::Warmth::cold, Bytes{4}, Bytes{1572864}, Bytes{256}}));
  EXPECT_EQ(results[2].setup.work, DmaWork::alternating);
  EXPECT_EQ(results[2].setup.cached, model::Warmth::device);
}

TEST(PcieBench, TablesOfLatencyAreReadWithTheTickOfTheirClock) {
  const auto results = read_rows(latency_heading + latency_row("LAT_DMA_RD Seq HWarm 0 0 8192 240", 47, 622.3) +
                                 latency_row("LAT_CMD_WRRD Rand Cold 0 0 4096 64", 88, 1170))
                           .results;
  ASSERT_EQ(results.size(), 2U);
  EXPECT_TRUE(results[0].setup.latency);
  EXPECT_FALSE(results[0].setup.commands);
  EXPECT_EQ(results[0].median, from_seconds(626e-9));
  EXPECT_EQ(results[0].mean, from_seconds(622.3e-9));
  EXPECT_NEAR(to_seconds(results[0].tick), 13.33e-9, 0.1e-9);
  EXPECT_TRUE(results[1].setup.commands);
  EXPECT_EQ(results[1].setup.work, DmaWork::write_then_read);
}

TEST(PcieBench, WhatNoScenarioDescribesIsCounted) {
  const PcieBenchOutput output = read_rows(
      bandwidth_heading + bandwidth_row("BW_DMA_RD Rand DThrash 0 0 8192 64", 22) +
      bandwidth_row("BW_DMA_RD Rand DThrash 0 0 8192 128", 22) + bandwidth_row("BW_DMA_RD Rand HWarm 0 4 8192 64", 22) +
      bandwidth_row("BW_DMA_RD Rand HWarm 64 0 8192 64", 22) + bandwidth_row("BW_DMA_RD Rand HWarm 63 0 8192 64", 22));
  EXPECT_EQ(output.results.size(), 1U);
  ASSERT_EQ(output.left_out.size(), 3U);
  for (const auto& [what, rows] : output.left_out) EXPECT_EQ(rows, what.find("DThrash") == std::string::npos ? 1 : 2);
}

void expect_complaint(const std::string& text, const std::string& expected) {
  try {
    static_cast<void>(read_rows(text));
    ADD_FAILURE() << text << " was accepted";
  } catch (const OutputError& error) {
    EXPECT_THAT(error.what(), HasSubstr(expected));
  }
}

TEST(PcieBench, WhatIsNoTableIsRefused) {
  expect_complaint("", "out.dat:1:1: DB601: expected rows of pcie-bench's tables, found none");
  expect_complaint("\"Payload(Bytes)\" \"PCIe Write BW\"\n", "out.dat:1:1: DB601: expected a test of pcie-bench");
  expect_complaint(bandwidth_heading + "BW_DMA_RD Rand HWarm 0 0 8192 64\n",
                   "out.dat:2:33: DB601: expected 13 columns, found 7");
  const auto bad = [](const std::string& setting, const std::string& expected, int column, double gigabits = 22) {
    expect_complaint(bandwidth_heading + bandwidth_row(setting, gigabits),
                     fmt::format("out.dat:2:{}: DB601: expected {}", column, expected));
  };
  bad("BW_DMA_RD Rand Warm 0 0 8192 64", "Cold or HWarm or DWarm, found \"Warm\"", 17);
  bad("BW_DMA_RD Some HWarm 0 0 8192 64", "Rand or Seq, found \"Some\"", 12);
  bad("BW_DMA_RD Rand HWarm 0 0 8192 0", "a whole number of at least 1 in column 7, found \"0\"", 32);
  bad("BW_DMA_RD Rand HWarm 0 0 8192 64.5", "a whole number", 32);
  bad("BW_DMA_RD Rand HWarm 0 0 8k 64", "a number from 0 to 1000000000000 in column 6, found \"8k\"", 27);
  bad("BW_DMA_RD Rand HWarm 0 0 8192 64", "more than nothing in column 12", 77, 0);
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  EXPECT_NE(text.find(old), std::string::npos) << old;
  return text.replace(text.find(old), old.size(), by);
}

TEST(PcieBench, OnlyTheHeadingOfTheToolTellsWhatTheColumnsAre) {
  const std::string bandwidth = bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 22);
  expect_complaint(bandwidth,
                   "out.dat:1:2: DB601: expected the heading of a table of bandwidths before BW_DMA_RD, found none");
  expect_complaint(latency_heading + bandwidth, "out.dat:2:2: DB601: expected the heading of a table of bandwidths");
  expect_complaint(
      bandwidth_heading + latency_row("LAT_DMA_RD Seq HWarm 0 0 8192 240", 47, 622),
      "out.dat:2:2: DB601: expected the heading of a table of latencies before LAT_DMA_RD, found the other one");
  expect_complaint(replaced(bandwidth_heading, "GB/s", "MB/s") + bandwidth,
                   "out.dat:1:91: DB601: expected a heading of pcie-bench's tables, found \"# Test PAT Cache");
  expect_complaint(replaced(bandwidth_heading, "HO DO", "DO HO") + bandwidth,
                   "out.dat:1:26: DB601: expected a heading");
  EXPECT_EQ(read_rows("# of a Monday\n" + bandwidth_heading + "# and a Tuesday\n" + bandwidth).results.size(), 1U);
  EXPECT_EQ(read_rows("\xEF\xBB\xBF" + bandwidth_heading + bandwidth).results.size(), 1U);
}

TEST(PcieBench, RowsThatContradictThemselvesAreRefused) {
  const std::string bandwidth = bandwidth_heading + bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 22);
  expect_complaint(
      replaced(bandwidth, " 22.000", " 24.000"),
      "out.dat:2:77: DB601: expected a bandwidth near 22.000 Gb/s, as size and Trans/s say, found \"24.000\"");
  EXPECT_EQ(read_rows(replaced(bandwidth, " 22.000", " 22.500")).results.size(), 1U);
  // The median is 752 cycles or 626 ns, the least 720 or 600, the 95 % 768 or 640.
  const std::string latency = latency_heading + latency_row("LAT_DMA_RD Seq HWarm 0 0 8192 240", 47, 622);
  expect_complaint(replaced(latency, " 626 600 ", " 626 627 "),
                   "out.dat:2:81: DB601: expected at least 627 in column 17, as in column 18, found \"626\"");
  expect_complaint(replaced(latency, " 640 ", " 610 "), "expected at least 626 in column 20");
  expect_complaint(replaced(latency, " 752 720 ", " 720 752 "), "expected at least 752 in column 10");
}

}  // namespace
}  // namespace doorbell::tools
