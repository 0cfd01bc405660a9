#include "cli/bounds_text.hpp"

#include <gtest/gtest.h>

#include "narrow.hpp"

namespace doorbell::cli {
namespace {

using namespace testing;

/// A core that allows 10 M/s, and a queue with a longer name that allows twice as much.
analytic::Bounds sample_bounds() {
  analytic::Bounds bounds;
  bounds.add("server/cores", std::chrono::duration<double>{200e-9}, 2, {});
  bounds.add("client/PCIe non-posted credits", std::chrono::duration<double>{50e-9}, 1, {});
  bounds.unloaded_latency = std::chrono::nanoseconds{400};
  bounds.settle();
  return bounds;
}

TEST(BoundsText, TellsEveryResourceAndWhatFollows) {
  EXPECT_EQ(bounds_text(sample_bounds(), {}),
            R"(Resource                                         demand   servers        bound
server/cores                                  200.00 ns         2    10.00 M/s
client/PCIe non-posted credits                 50.00 ns         1    20.00 M/s

Bound        10.00 M/s
Unloaded     400.00 ns
Bottleneck   server/cores
Next         client/PCIe non-posted credits, at 2.00 times the rate
)");
}

TEST(BoundsText, TellsWhatComesOfEqualTreatment) {
  analytic::Bounds bounds = sample_bounds();
  bounds.sharing = {"one", "two"};
  bounds.shared = Rate{4e6};
  EXPECT_NE(bounds_text(bounds, {}).find("\nShared       4.000 M/s, if one and two get "), std::string::npos);
}

TEST(BoundsText, NamesAreWholeHoweverNarrowTheTerminal) {
  EXPECT_EQ(bounds_text(sample_bounds(), {}, terminal(50)), R"(Resource                demand  servers      bound
server/cores         200.00 ns        2  10.00 M/s
client/PCIe non-posted credits
                      50.00 ns        1  20.00 M/s

Bound        10.00 M/s
Unloaded     400.00 ns
Bottleneck   server/cores
Next         client/PCIe non-posted credits, at
  2.00 times the rate
)");
  for (const std::size_t columns : {30U, 40U, 61U, 66U, 67U, 70U, 80U, 120U}) {
    const std::string text = bounds_text(sample_bounds(), {}, terminal(columns));
    expect_narrow(text, columns);
    EXPECT_NE(text.find("\nclient/PCIe non-posted credits"), std::string::npos) << text;
  }
}

TEST(BoundsText, WhatMovesBlocksIsBoundInBytes) {
  analytic::Bounds bounds = sample_bounds();
  bounds.bandwidth = {1024.0 * 1024 * 100};
  const std::string text = bounds_text(bounds, {});
  EXPECT_NE(text.find(" 200.0 MiB/s\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\nBound        100.0 MiB/s\n"), std::string::npos) << text;
  bounds.sizes_differ = true;  // how many bytes go with a rate is then not known
  const std::string rates = bounds_text(bounds, {});
  EXPECT_NE(rates.find("\nBound        10.00 M/s\nBandwidth    at most 100.0 MiB/s\n"), std::string::npos) << rates;
  EXPECT_EQ(bounds_text({}, {}),
            "Nothing bounds it: no program asks without collecting as well, which is not followed.\n");
}

}  // namespace
}  // namespace doorbell::cli
