#include "models/memory/table_cache.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "models/fixture.hpp"
#include "models/nic/state_fetch.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

TEST(TableCache, KeepsWhatFits) {
  core::MultiServer fetches{1};
  TableCache cache{4, fetches, 100ns, 1, "nic"};
  for (std::uint64_t key = 0; key < 4; ++key) static_cast<void>(cache.ready(key, 0ns));
  EXPECT_EQ(cache.misses(), 4U);
  for (std::uint64_t key = 0; key < 4; ++key) EXPECT_EQ(cache.ready(key, 1us), 1us);
  EXPECT_EQ(cache.misses(), 4U);
}

TEST(TableCache, FetchesSoManyAtATime) {
  core::MultiServer alone{1};
  TableCache one{8, alone, 100ns, 1, "nic"};
  for (std::uint64_t key = 0; key < 4; ++key) EXPECT_EQ(one.ready(key, 0ns), 100ns * (key + 1));
  core::MultiServer pair{2};
  TableCache two{8, pair, 100ns, 1, "nic"};
  for (std::uint64_t key = 0; key < 4; ++key) EXPECT_EQ(two.ready(key, 0ns), 100ns * (key / 2 + 1));
}

TEST(TableCache, AFetchThatWaitsOnItsWayTakesNoPlaceAndMayEndAfterLaterOnes) {
  core::MultiServer fetches{1};
  TableCache cache{8, fetches, 100ns, 1, "nic"};
  EXPECT_EQ(cache.ready(0, 0ns, 300ns), 400ns);
  EXPECT_EQ(cache.ready(1, 10ns), 200ns);
  EXPECT_EQ(cache.ready(1, 200ns), 200ns);
  EXPECT_EQ(cache.ready(0, 250ns), 400ns);
  EXPECT_EQ(cache.misses(), 2U);
}

TEST(TableCache, SharesItsFetchesWithOthers) {
  core::MultiServer fetches{1};
  TableCache contexts{8, fetches, 100ns, 1, "contexts"};
  TableCache translations{8, fetches, 100ns, 1, "translations"};
  EXPECT_EQ(contexts.ready(7, 0ns), 100ns);
  EXPECT_EQ(translations.ready(7, 0ns), 200ns);
}

TEST(TableCache, LaterWorkWaitsForTheSameFetch) {
  core::MultiServer fetches{1};
  TableCache cache{2, fetches, 100ns, 1, "nic"};
  EXPECT_EQ(cache.ready(0, 0ns), 100ns);
  EXPECT_EQ(cache.ready(0, 40ns), 100ns);
  EXPECT_EQ(cache.misses(), 1U);
}

TEST(TableCache, NothingIsReadyBeforeItIsAskedFor) {
  core::MultiServer fetches{2};
  TableCache cache{4, fetches, 200ns, 1, "nic"};
  EXPECT_EQ(cache.ready(0, 500ns), 700ns);
  EXPECT_EQ(cache.ready(1, 100ns), 300ns) << "asked later, about an earlier time";
  EXPECT_EQ(cache.ready(1, 300ns), 300ns);
  EXPECT_EQ(cache.ready(1, 350ns), 350ns);
}

TEST(TableCache, WhatIsBeingReadTakesNoPlaceYet) {
  core::MultiServer fetches{1};
  TableCache cache{1, fetches, 100ns, 1, "nic"};
  EXPECT_EQ(cache.ready(0, 0ns), 100ns);
  EXPECT_EQ(cache.ready(1, 10ns), 200ns);
  EXPECT_EQ(cache.ready(0, 50ns), 100ns);
  EXPECT_EQ(cache.ready(1, 150ns), 200ns);
  EXPECT_EQ(cache.misses(), 2U);
  // 1 has displaced 0 by now.
  EXPECT_EQ(cache.ready(1, 250ns), 250ns);
  EXPECT_EQ(cache.ready(0, 250ns), 350ns);
  EXPECT_EQ(cache.misses(), 3U);
}

TEST(TableCache, HitsInProportionToItsShareOfEvenlyUsedEntries) {
  core::MultiServer fetches{16};
  TableCache cache{64, fetches, 1ns, 1, "nic"};
  core::RandomStream random{1, "choice"};
  constexpr int uses = 40000;
  for (int i = 0; i < uses; ++i) static_cast<void>(cache.ready(random.below(256), 10ns * i));
  EXPECT_NEAR(static_cast<double>(cache.misses()) / uses, 0.75, 0.01);
}

/// Four machines of four threads READ from each other over `count` queue pairs per thread.
RunResult all_to_all(int count, int contexts, int fetches, Bytes context = 64_B, Time duration = 100us) {
  PostStep step = post_window(Verb::read, 32, 16);
  step.to = "client";
  step.destination = Destination::others;
  step.signal_every = 1;
  Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc, count), {step, await(1)}, 4), sink(), 4);
  HardwareProfile& hardware = hardware_of(scenario, "client");
  hardware.nic.qp_contexts = contexts;
  hardware.nic.qp_context = context;
  hardware.nic.state_fetches = fetches;
  scenario.measure.duration = duration;
  return run(scenario);
}

TEST(TableCache, CostsNothingWhereAllContextsFit) {
  const RunResult fits = all_to_all(8, 64, 1);  // 32 of its own and 32 that others are connected to
  const RunResult huge = all_to_all(8, 1 << 20, 1);
  EXPECT_EQ(fits.throughput.per_second, huge.throughput.per_second);
  for (const CounterReading& counter : fits.counters) EXPECT_EQ(counter.name.find("contexts"), std::string::npos);
}

TEST(TableCache, AFetchAtATimeLimitsTheNicToOneRoundTripPerMiss) {
  const RunResult result = all_to_all(64, 16, 1);
  // At least three of the four uses of a READ miss: the requester's twice and the responder's once.
  const double round_trip = 446e-9;
  const double reads_per_machine = result.throughput.per_second / 4;
  EXPECT_LT(reads_per_machine, 1 / (2.5 * round_trip));
  EXPECT_GT(reads_per_machine, 1 / (3.5 * round_trip));
  EXPECT_GT(all_to_all(64, 16, 32).throughput.per_second, 5 * result.throughput.per_second);
}

TEST(TableCache, ReceiversOfUnreliableWritesNeedNoContexts) {
  const auto misses = [](Transport transport) {
    PostStep step = post_window(Verb::write, 32, 16);
    Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(transport, 8), {step, await(1)}, 8), sink());
    hardware_of(scenario, "server").nic.qp_contexts = 8;
    const RunResult result = run(scenario);
    return std::ranges::any_of(result.counters, [](const CounterReading& counter) {
      return counter.name == "server/QP contexts read" && counter.count > 0;
    });
  };
  EXPECT_TRUE(misses(Transport::rc));
  EXPECT_FALSE(misses(Transport::uc));
}

TEST(TableCache, UnreliableWritesNeedNoContextsWhereOthersDo) {
  // The connections of the other program do not fit, and are used once, before anything is measured.
  PostStep once = post_window(Verb::write, 32, 1);
  Program others = on("client", program(queue_pairs(Transport::rc, 16), {once, await(1), compute(1s)}));
  const PostStep step = post_window(Verb::write, 32, 16);
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::uc, 8), {step, await(1)}, 8), sink());
  scenario.programs.emplace_back("others", std::move(others));
  hardware_of(scenario, "server").nic.qp_contexts = 8;
  const RunResult result = run(scenario);
  EXPECT_GT(result.operations, 1000U);
  EXPECT_EQ(counter(result, "server/QP contexts read").count, 0U);
}

TEST(TableCache, AMissDelaysItsOwnMessageOnly) {
  const RunResult hits = all_to_all(64, 1 << 20, 64);
  const RunResult misses = all_to_all(64, 64, 64);
  const double missed = counter(misses, "client/QP contexts read").rate.per_second / misses.throughput.per_second;
  EXPECT_GT(missed, 2);
  // Messages that find their contexts pass those that wait.
  const double added = to_nanoseconds(misses.latency.mean - hits.latency.mean) / missed;
  EXPECT_NEAR(added, 446, 446 * 0.2);
}

TEST(TableCache, LargerContextsTakeLongerToRead) {
  const auto reads = [](Bytes context) { return all_to_all(64, 16, 1, context).throughput.per_second; };
  EXPECT_LT(reads(1024_B), 0.9 * reads(64_B));
}

TEST(TableCache, FetchesPassTheLinkAndCountAsReads) {
  const auto beyond = [](const RunResult& result) {
    return counter(result, "client/PCIeRdCur beyond expected").rate.per_second;
  };
  const auto fetches = [](const RunResult& result) {
    return counter(result, "client/QP contexts read").rate.per_second;
  };
  for (const Bytes context : {64_B, 256_B}) {
    const RunResult result = all_to_all(64, 16, 8, context);
    const double lines = static_cast<double>(context.count) / 64;
    EXPECT_NEAR(beyond(result), fetches(result) * lines, 0.02 * fetches(result) * lines);
  }
  // However many may be under way, no more pass than the link of each machine can carry.
  const PcieParameters pcie = connect_ib().pcie;
  const double lines = 4096 / 64 / to_seconds(occupancy(pcie, completion_tlps(pcie, 4096_B)));
  const RunResult large = all_to_all(64, 16, 1000, 4096_B, 4ms);
  EXPECT_NEAR(beyond(large), 4 * lines, 0.05 * 4 * lines);
  EXPECT_GT(busy(large, "client/PCIe downstream"), 0.9);
}

/// One thread accesses random objects of a region of 1 MiB at the server.
RunResult random_accesses(Verb verb, Bytes page, int translations, int fetches, std::int64_t payload = 64,
                          int window = 16) {
  PostStep step = post_window(verb, payload, window);
  step.inlined = false;
  step.region = region((1 << 20) / std::max<std::int64_t>(64, payload), std::max<std::int64_t>(64, payload),
                       AddressPattern::random);
  step.region->page = page;
  step.signal_every = 1;
  Scenario scenario = scenario_of(connect_ib(), program(queue_pairs(Transport::rc), {step, await(1)}), sink());
  HardwareProfile& hardware = hardware_of(scenario, "server");
  hardware.nic.translations = translations;
  hardware.nic.state_fetches = fetches;
  scenario.measure.duration = 10ms;  // so that what is in flight at its ends does not matter
  return run(scenario);
}

double translations_read(const RunResult& result) {
  for (const CounterReading& counter : result.counters) {
    if (counter.name == "server/translations read") return counter.rate.per_second / result.throughput.per_second;
  }
  return -1;
}

TEST(TableCache, LargePagesNeedFewTranslations) {
  const RunResult small = random_accesses(Verb::read, 4_KiB, 64, 1);  // 256 pages
  // Of three in four that are not there, some find theirs being read for another.
  EXPECT_NEAR(translations_read(small), 0.73, 0.02);
  // One fetch at a time, of a round trip each.
  const double fetch = to_seconds(state_fetch_time(connect_ib()));
  EXPECT_NEAR(small.throughput.per_second * translations_read(small), 1 / fetch, 0.01 / fetch);
  const RunResult large = random_accesses(Verb::read, 64_KiB, 64, 1);  // 16 pages
  EXPECT_EQ(translations_read(large), -1);
  EXPECT_GT(large.throughput.per_second, 1.5 * small.throughput.per_second);
  EXPECT_GT(random_accesses(Verb::read, 4_KiB, 64, 16).throughput.per_second, 1.5 * small.throughput.per_second);
}

TEST(TableCache, AnAccessNeedsTheTranslationsOfAllItsPages) {
  for (const Verb verb : {Verb::read, Verb::write}) {  // WRITEs of more than 4 KiB come in parts
    EXPECT_NEAR(translations_read(random_accesses(verb, 4_KiB, 1, 16, 16384, 1)), 4, 0.05);
    EXPECT_NEAR(translations_read(random_accesses(verb, 16_KiB, 1, 16, 16384, 1)), 1, 0.05);
  }
}

}  // namespace
}  // namespace doorbell::model
