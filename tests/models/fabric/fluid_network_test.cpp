#include "models/fabric/fluid_network.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "analytic/chance.hpp"
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

TEST(FluidNetwork, ServersOfOneFlowEachAreNotShared) {
  const auto ends = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const auto wide = network.add_resource("wide", 250_MBps);
    const auto servers = network.add_resource("servers", 100_MBps, Limit::cpu, 3);
    const auto route = network.add_route({wide, servers});
    core::start(calendar, transfer(calendar, network, route, 0us, Bytes{1'000'000}, end[0]));
    for (const std::size_t flow : {1U, 2U})
      core::start(calendar, transfer(calendar, network, route, 20ms, Bytes{1'000'000}, end[flow]));
    for (const std::size_t flow : {3U, 4U, 5U})
      core::start(calendar, transfer(calendar, network, route, 40ms, Bytes{1'000'000}, end[flow]));
  });
  EXPECT_EQ(ends[0], 10ms);
  for (const std::size_t flow : {1U, 2U}) EXPECT_EQ(ends[flow], 30ms);
  for (const std::size_t flow : {3U, 4U, 5U}) EXPECT_EQ(ends[flow], 52ms) << "a third of 250 MB/s for each";
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

TEST(FluidNetwork, ServersOfOneFlowEachLeaveEveryFlowTheSame) {
  // Alone a flow has 100 of its server; when two more have come it still has, but only 83 of the bus.
  const auto seen = ends_of([](Calendar& calendar, FluidNetwork& network, std::vector<Time>& end) {
    const auto bus = network.add_resource("bus", 250_MBps);
    const auto servers = network.add_resource("servers", 100_MBps, Limit::cpu, 3);
    const auto route = network.add_route({bus, servers});
    core::start(calendar, narrowest_into(network, route, end[0], end[1]));
    for (int i = 0; i < 2; ++i)
      core::start(calendar, transfer(calendar, network, route, 5ms, Bytes{10'000'000}, end[7]));
  });
  EXPECT_EQ(seen[0], Time{1}) << "the servers were added second";
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

// What flows get, beside an independent computation: progressive filling (Bertsekas and Gallager, Data Networks,
// section 6.5.2).

using doorbell::testing::Chance;
using Links = std::vector<std::size_t>;

struct GivenFlow {
  double begin = 0;  // s
  double bytes = 0;
  Links links;
};

struct GivenFlows {
  std::vector<double> capacities;  // bytes/s
  std::vector<GivenFlow> flows;
};

/// The rates of flows over these links: all grow alike, and those over a link that is full stay as they are.
std::vector<double> filled_progressively(const std::vector<double>& capacities, const std::vector<Links>& flows) {
  std::vector<double> rates(flows.size());
  std::vector<bool> grows(flows.size(), true);
  std::vector<double> left = capacities;
  while (std::ranges::find(grows, true) != grows.end()) {
    std::vector<int> growing(capacities.size());
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      for (const std::size_t link : flows[flow]) growing[link] += grows[flow] ? 1 : 0;
    }
    double step = std::numeric_limits<double>::infinity();
    for (std::size_t link = 0; link < left.size(); ++link) {
      if (growing[link] > 0) step = std::min(step, left[link] / growing[link]);
    }
    for (std::size_t link = 0; link < left.size(); ++link) left[link] -= step * growing[link];
    for (std::size_t flow = 0; flow < flows.size(); ++flow) {
      if (!grows[flow]) continue;
      rates[flow] += step;
      grows[flow] =
          std::ranges::none_of(flows[flow], [&](std::size_t link) { return left[link] <= 1e-12 * capacities[link]; });
    }
  }
  return rates;
}

/// When each flow ends, in seconds.
std::vector<double> expected_ends(const GivenFlows& given) {
  std::vector<double> left;
  for (const GivenFlow& flow : given.flows) left.push_back(flow.bytes);
  std::vector<double> ends(left.size(), -1);
  for (double now = 0;;) {
    std::vector<std::size_t> under_way;
    std::vector<Links> routes;
    double next = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < left.size(); ++i) {
      const GivenFlow& flow = given.flows[i];
      if (flow.begin > now) next = std::min(next, flow.begin);
      if (flow.begin > now || ends[i] >= 0) continue;
      under_way.push_back(i);
      routes.push_back(flow.links);
    }
    const std::vector<double> rates = filled_progressively(given.capacities, routes);
    std::optional<std::size_t> ending;
    for (std::size_t i = 0; i < under_way.size(); ++i) {
      const double end = now + left[under_way[i]] / rates[i];
      if (end < next) ending = under_way[i];
      next = std::min(next, end);
    }
    if (!std::isfinite(next)) return ends;
    for (std::size_t i = 0; i < under_way.size(); ++i) left[under_way[i]] -= rates[i] * (next - now);
    now = next;
    if (ending) ends[*ending] = now;
  }
}

/// Some links, and flows over any of them.
GivenFlows flows_at_random(Chance& chance) {
  GivenFlows given;
  const std::vector<double> capacities{50e6, 100e6, 217e6, 417e6, 553e6, 1064e6};
  for (std::size_t i = chance.below(6) + 1; i-- > 0;) given.capacities.push_back(chance.of(capacities));
  for (std::size_t i = chance.below(12) + 1; i-- > 0;) {
    GivenFlow flow;
    flow.begin = static_cast<double>(chance.below(20'000)) * 1e-6;
    flow.bytes = static_cast<double>(chance.below(4'000'000) + 1000);
    for (std::size_t link = 0; link < given.capacities.size(); ++link) {
      if (chance.once_in(2)) flow.links.push_back(link);
    }
    if (flow.links.empty()) flow.links.push_back(chance.below(given.capacities.size()));
    given.flows.push_back(flow);
  }
  return given;
}

std::string text_of_flows(const GivenFlows& given) {
  std::string text;
  for (const double capacity : given.capacities) text += std::to_string(capacity / 1e6) + " MB/s; ";
  for (const GivenFlow& flow : given.flows) {
    text += std::to_string(flow.bytes) + " B from " + std::to_string(flow.begin) + " s over";
    for (const std::size_t link : flow.links) text += " " + std::to_string(link);
    text += "; ";
  }
  return text;
}

core::Process move_given(core::Calendar& calendar, FluidNetwork& network, FluidNetwork::Route route,
                         const GivenFlow& flow, double& end) {
  co_await core::delay(calendar, from_seconds(flow.begin));
  co_await network.transfer(route, Bytes{std::llround(flow.bytes)});
  end = to_seconds(calendar.now());
}

struct SeenFlows {
  std::vector<double> ends;    // of each flow, in seconds
  std::vector<double> passed;  // bytes of each flow at `look`
};

/// In a process of its own, as SimGrid wants it; its levels are what was seen.
SeenFlows ends_and_bytes_of(const GivenFlows& given, Time look) {
  const RunResult result = run_isolated([&] {
    core::Calendar calendar;
    FluidNetwork network{calendar, {}};
    SeenFlows seen{std::vector<double>(given.flows.size(), -1), {}};
    for (const double capacity : given.capacities) network.add_resource("link", Bandwidth{capacity});
    for (std::size_t i = 0; i < given.flows.size(); ++i) {
      const FluidNetwork::Route route = network.add_route(given.flows[i].links);
      core::start(calendar, move_given(calendar, network, route, given.flows[i], seen.ends[i]));
    }
    calendar.run_until(look);
    seen.passed = network.passed();
    calendar.run();
    RunResult own;
    for (const double end : seen.ends) own.levels.push_back({"end", end});
    for (const double bytes : seen.passed) own.levels.push_back({"passed", bytes});
    return own;
  });
  SeenFlows seen;
  for (const Level& level : result.levels) (level.name == "end" ? seen.ends : seen.passed).push_back(level.value);
  return seen;
}

TEST(FluidNetwork, RatesAreThoseOfProgressiveFilling) {
  Chance chance{2011};
  for (int i = doorbell::testing::number_of("DOORBELL_FUZZ_RUNS", 2000) / 20; i-- > 0 && !HasFailure();) {
    GivenFlows given = flows_at_random(chance);
    SCOPED_TRACE(text_of_flows(given));
    std::vector<Links> routes;
    for (GivenFlow& flow : given.flows) {
      flow.begin = 0;
      flow.bytes = 1e9;  // none ends before somebody looks
      routes.push_back(flow.links);
    }
    const std::vector<double> rates = filled_progressively(given.capacities, routes);
    const SeenFlows seen = ends_and_bytes_of(given, 10ms);
    ASSERT_EQ(seen.passed.size(), rates.size());
    for (std::size_t flow = 0; flow < rates.size(); ++flow)
      EXPECT_NEAR(seen.passed[flow] / 10e-3 / rates[flow], 1, 1e-9) << flow;
  }
}

TEST(FluidNetwork, FlowsThatComeAndGoEndWhenProgressiveFillingSays) {
  Chance chance{2012};
  for (int i = doorbell::testing::number_of("DOORBELL_FUZZ_RUNS", 2000) / 20; i-- > 0 && !HasFailure();) {
    const GivenFlows given = flows_at_random(chance);
    SCOPED_TRACE(text_of_flows(given));
    const std::vector<double> ends = expected_ends(given);
    const SeenFlows seen = ends_and_bytes_of(given, 15ms);
    ASSERT_EQ(seen.ends.size(), ends.size());
    for (std::size_t flow = 0; flow < ends.size(); ++flow) {
      ASSERT_GT(ends[flow], 0);
      // To the next picosecond; and SimGrid lets a remainder of a billionth of a byte go.
      EXPECT_NEAR(seen.ends[flow], ends[flow], 3e-12) << flow;
    }
  }
}

}  // namespace
}  // namespace doorbell::model
