#include "tools/pciebench.hpp"

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
      bandwidth_row("BW_DMA_RD Rand DThrash 0 0 8192 64", 22) +
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
  expect_complaint("", "out.dat:0: expected rows of pcie-bench's tables, found none");
  expect_complaint("\"Payload(Bytes)\" \"PCIe Write BW\"\n", "out.dat:1: expected a test of pcie-bench");
  expect_complaint(bandwidth_heading + "BW_DMA_RD Rand HWarm 0 0 8192 64\n", "out.dat:2: expected 13 columns, found 7");
  expect_complaint(bandwidth_row("BW_DMA_RD Rand Warm 0 0 8192 64", 22), "expected Cold or HWarm or DWarm");
  expect_complaint(bandwidth_row("BW_DMA_RD Some HWarm 0 0 8192 64", 22), "expected Rand or Seq, found \"Some\"");
  expect_complaint(bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 0", 22), "at least 1 in column 7, found \"0\"");
  expect_complaint(bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64.5", 22), "a whole number");
  expect_complaint(bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8k 64", 22), "a number in column 6, found \"8k\"");
  expect_complaint(bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 0), "more than nothing in column 12");
}

}  // namespace
}  // namespace doorbell::tools
