#include "models/fabric/fluid_network.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/process.hpp"
#include "models/isolated_run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using core::Calendar;

/// When each of some transfers ended, in the order of their numbers; in a process of its own, as SimGrid wants it.
std::vector<Time> ends_of(const std::function<void(Calendar&, FluidNetwork&, std::vector<Time>&)>& set_up) {
  const RunResult result = run_isolated([&] {
    Calendar calendar;
    FluidNetwork network{calendar, {}};
    std::vector<Time> ends(8, Time{-1});
    set_up(calendar, network, ends);
    calendar.run();
    RunResult own;
    for (const Time end : ends) own.counters.push_back({"", static_cast<std::uint64_t>(end.count()), {}});
    for (const auto& load : network.loads()) own.utilisations.push_back({load.name, load.busy, Limit::cpu});
    return own;
  });
  std::vector<Time> ends;
  for (const CounterReading& counter : result.counters) ends.emplace_back(static_cast<std::int64_t>(counter.count));
  return ends;
}

core::Process transfer(Calendar& calendar, FluidNetwork& network, FluidNetwork::Route route, Time begin, Bytes size,
                       Time& end) {
  co_await core::delay(calendar, begin);
  co_await network.transfer(route, size);
  end = calendar.now();
}

TEST(FluidNetwork, AFlowAloneMovesAtTheRateOfItsNarrowestResource) {
  const auto ends = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const auto wide = network.add_resource("wide", 528_MBps);
    const auto narrow = network.add_resource("narrow", 100_MBps);
    const auto route = network.add_route({wide, narrow});
    core::start(calendar, transfer(calendar, network, route, 7us, Bytes{1'000'000}, end[0]));
  });
  EXPECT_EQ(ends[0], 7us + 10ms);
}

TEST(FluidNetwork, EveryTransferTakesTime) {
  // A byte at a million GB/s takes a femtosecond: what is repeated at once would never end.
  const auto ends = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const auto bus = network.add_resource("bus", Bandwidth{1e15});
    const auto route = network.add_route({bus});
    core::start(calendar, transfer(calendar, network, route, 7us, Bytes{1}, end[0]));
    core::start(calendar, transfer(calendar, network, route, 0us, Bytes{1}, end[1]));
  });
  EXPECT_EQ(ends[0], Time{7us} + Time{1});
  EXPECT_EQ(ends[1], Time{1});
}

/// A bus of 300 MB/s, and behind it a link of 100.
struct BusAndLink {
  explicit BusAndLink(FluidNetwork& network)
      : bus{network.add_resource("bus", 300_MBps)},
        link{network.add_resource("link", 100_MBps)},
        both{network.add_route({bus, link})},
        only_bus{network.add_route({bus})} {}

  FluidNetwork::Resource bus;
  FluidNetwork::Resource link;
  FluidNetwork::Route both;
  FluidNetwork::Route only_bus;
};

TEST(FluidNetwork, FlowsShareMaxMinFairly) {
  // Two flows cross the bus; one of them also the link. The other gets the 200 that it leaves.
  const auto ends = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const BusAndLink routes{network};
    core::start(calendar, transfer(calendar, network, routes.both, 0us, Bytes{1'000'000}, end[0]));
    core::start(calendar, transfer(calendar, network, routes.only_bus, 0us, Bytes{2'000'000}, end[1]));
  });
  EXPECT_EQ(ends[0], 10ms);
  EXPECT_EQ(ends[1], 10ms);
}

TEST(FluidNetwork, WhatEndsLeavesItsShareToTheRest) {
  const auto ends = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const auto route = network.add_route({network.add_resource("bus", 100_MBps)});
    core::start(calendar, transfer(calendar, network, route, 0us, Bytes{1'000'000}, end[0]));
    core::start(calendar, transfer(calendar, network, route, 0us, Bytes{500'000}, end[1]));
    core::start(calendar, transfer(calendar, network, route, 12ms, Bytes{100'000}, end[2]));
  });
  EXPECT_EQ(ends[1], 10ms);        // half the bus
  EXPECT_EQ(ends[2], 12ms + 2ms);  // half again
  EXPECT_EQ(ends[0], 16ms);        // 10 ms at half, 2 ms alone, 2 ms at half, 2 ms alone
}

TEST(FluidNetwork, DatesAreExactToThePicosecond) {
  // Dates 50 ps apart stay apart, and a transfer of seconds does not drift.
  const auto ends = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const auto one = network.add_route({network.add_resource("one", Bandwidth{1e12})});
    const auto two = network.add_route({network.add_resource("two", Bandwidth{1e12})});
    const auto slow = network.add_route({network.add_resource("slow", 1_MBps)});
    core::start(calendar, transfer(calendar, network, one, 3us, Bytes{1'000'000}, end[0]));
    core::start(calendar, transfer(calendar, network, two, 3us, Bytes{1'000'050}, end[1]));
    core::start(calendar, transfer(calendar, network, slow, 0us, Bytes{2'000'003}, end[2]));
  });
  EXPECT_EQ(ends[0], 4us);
  EXPECT_EQ(ends[1] - ends[0], 50_ps);
  EXPECT_EQ(ends[2], 2s + 3us);
}

TEST(FluidNetwork, NothingIsMovedInNoTime) {
  const auto ends = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const auto route = network.add_route({network.add_resource("bus", 100_MBps)});
    core::start(calendar, transfer(calendar, network, route, 5us, Bytes{0}, end[0]));
  });
  EXPECT_EQ(ends[0], 5us);
}

TEST(FluidNetwork, AProcessMakesOneOnly) {
  const RunResult result = run_isolated([] {
    Calendar calendar;
    const FluidNetwork first{calendar, {}};
    RunResult own;
    try {
      const FluidNetwork second{calendar, {}};
    } catch (const std::logic_error& error) {
      own.warnings.emplace_back(error.what());
    }
    return own;
  });
  EXPECT_EQ(result.warnings.size(), 1U);
}

/// Tells the numbers of resources as if they were times.
core::Process narrowest_into(FluidNetwork& network, FluidNetwork::Route route, Time& first, Time& last) {
  const FluidNetwork::Narrowest narrowest = co_await network.transfer(route, Bytes{1'000'000});
  first = Time{static_cast<std::int64_t>(narrowest.first.resource)};
  last = Time{static_cast<std::int64_t>(narrowest.last.resource)};
}

TEST(FluidNetwork, TheNarrowestIsWhatLeavesATransferTheLeast) {
  // Alone a flow has 100 of its link; when three more have come it has 75 of the bus.
  const auto seen = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const BusAndLink routes{network};
    core::start(calendar, narrowest_into(network, routes.both, end[0], end[1]));
    for (int i = 0; i < 3; ++i) {
      core::start(calendar, transfer(calendar, network, routes.only_bus, 5ms, Bytes{10'000'000}, end[7]));
    }
  });
  EXPECT_EQ(seen[0], Time{1}) << "the link was added second";
  EXPECT_EQ(seen[1], Time{0});
}

/// Tells a share of one in millionths, as if it were a time.
core::Process gain_into(FluidNetwork& network, FluidNetwork::Route route, Time& gain) {
  const FluidNetwork::Narrowest narrowest = co_await network.transfer(route, Bytes{1'000'000});
  gain = Time{std::llround(narrowest.first.gain * 1e6)};
}

TEST(FluidNetwork, TwiceTheNarrowestSavesHalfUnlessTheNextOneIsHardlyWider) {
  const auto gain = [](Bandwidth next) {
    return ends_of([next](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
      const auto wider = network.add_resource("wider", next);
      const auto narrow = network.add_resource("narrow", 100_MBps);
      core::start(calendar, gain_into(network, network.add_route({wider, narrow}), end[0]));
    })[0];
  };
  EXPECT_EQ(gain(300_MBps), Time{500'000});
  EXPECT_EQ(gain(125_MBps), Time{200'000});
  EXPECT_EQ(gain(100_MBps), Time{0});
}

}  // namespace
}  // namespace doorbell::model
