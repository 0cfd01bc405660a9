#include "scenario/quantity_text.hpp"

#include <gtest/gtest.h>

namespace doorbell::scenario {
namespace {

double value_of(std::string_view text, Dimension dimension) {
  const QuantityResult result = parse_quantity(text, dimension);
  return std::holds_alternative<double>(result) ? std::get<double>(result) : std::nan("");
}
QuantityFault fault_of(std::string_view text, Dimension dimension) {
  return std::get<QuantityError>(parse_quantity(text, dimension)).fault;
}

TEST(QuantityText, TimesAreInPicoseconds) {
  EXPECT_EQ(value_of("1 ps", Dimension::time), 1);
  EXPECT_EQ(value_of("450 ns", Dimension::time), 450e3);
  EXPECT_EQ(value_of("1.5us", Dimension::time), 1.5e6);
  EXPECT_EQ(value_of("1 \u00b5s", Dimension::time), 1e6);
  EXPECT_EQ(value_of("2 ms", Dimension::time), 2e9);
  EXPECT_EQ(value_of("0.1 s", Dimension::time), 1e11);
  EXPECT_EQ(value_of("0 s", Dimension::time), 0);
  EXPECT_EQ(value_of("1.4 ps", Dimension::time), 1);
}

TEST(QuantityText, KiloAndKibiDiffer) {
  EXPECT_EQ(value_of("4 KiB", Dimension::size), 4096);
  EXPECT_EQ(value_of("4 kB", Dimension::size), 4000);
  EXPECT_EQ(value_of("0.5 KiB", Dimension::size), 512);
}

TEST(QuantityText, BitsAndBytesDiffer) {
  EXPECT_EQ(value_of("56 Gb/s", Dimension::bandwidth), 7e9);
  EXPECT_EQ(value_of("984.6 MB/s", Dimension::bandwidth), 984.6e6);
  EXPECT_EQ(value_of("10 M/s", Dimension::rate), 10e6);
}

TEST(QuantityText, SignsExponentsAndSpaces) {
  EXPECT_EQ(value_of(" +5e2 ns ", Dimension::time), 500e3);
  EXPECT_EQ(value_of("-5E-1 ns", Dimension::time), -500);
  EXPECT_EQ(value_of("1e+3 B", Dimension::size), 1000);
}

TEST(QuantityText, SaysWhatIsWrong) {
  EXPECT_EQ(fault_of("", Dimension::time), QuantityFault::malformed);
  EXPECT_EQ(fault_of("ns", Dimension::time), QuantityFault::malformed);
  EXPECT_EQ(fault_of(".5 ns", Dimension::time), QuantityFault::malformed);
  EXPECT_EQ(fault_of("5. ns", Dimension::time), QuantityFault::malformed);
  EXPECT_EQ(fault_of("- 5 ns", Dimension::time), QuantityFault::malformed);
  EXPECT_EQ(fault_of("1e99999 ns", Dimension::time), QuantityFault::malformed);
  EXPECT_EQ(fault_of("5", Dimension::time), QuantityFault::no_unit);
  EXPECT_EQ(fault_of("5 NS", Dimension::time), QuantityFault::unknown_unit);
  EXPECT_EQ(fault_of("5e ns", Dimension::time), QuantityFault::unknown_unit);
  EXPECT_EQ(fault_of("5 B", Dimension::time), QuantityFault::wrong_dimension);
  EXPECT_EQ(fault_of("0.4 ps", Dimension::time), QuantityFault::too_fine);
  EXPECT_EQ(fault_of("1.5 B", Dimension::size), QuantityFault::too_fine);
}

TEST(QuantityText, TooLargeAndTooSmallForAFloatingPointNumber) {
  EXPECT_EQ(value_of("1e900 s", Dimension::time), HUGE_VAL);
  EXPECT_EQ(value_of("-1e900 s", Dimension::time), -HUGE_VAL);
  EXPECT_EQ(value_of("1" + std::string(400, '0') + " s", Dimension::time), HUGE_VAL);
  EXPECT_EQ(fault_of("1e-900 s", Dimension::time), QuantityFault::too_fine);
  EXPECT_EQ(fault_of("0." + std::string(400, '0') + "1 s", Dimension::time), QuantityFault::too_fine);
}

TEST(QuantityText, PrintedInTheUnitThatReadsBest) {
  EXPECT_EQ(format_quantity(450e-9, Dimension::time), "450 ns");
  EXPECT_EQ(format_quantity(0, Dimension::time), "0 ns");
  EXPECT_EQ(format_quantity(4096, Dimension::size), "4 KiB");
  EXPECT_EQ(format_quantity(4000, Dimension::size), "4 kB");
  EXPECT_EQ(format_quantity(984.6e6, Dimension::bandwidth), "984.6 MB/s");
  EXPECT_EQ(format_quantity(6, Dimension::count), "6");
}

TEST(QuantityText, EveryUnitIsReadInItsOwnDimensionOnly) {
  for (const Dimension dimension : {Dimension::time, Dimension::size, Dimension::bandwidth, Dimension::rate}) {
    for (const std::string& unit : units(dimension)) {
      EXPECT_GT(value_of("8 " + unit, dimension), 0) << unit;
      for (const Dimension other : {Dimension::time, Dimension::size, Dimension::bandwidth, Dimension::rate}) {
        if (other == dimension) continue;
        EXPECT_EQ(fault_of("8 " + unit, other), QuantityFault::wrong_dimension) << unit;
      }
    }
  }
}

}  // namespace
}  // namespace doorbell::scenario
