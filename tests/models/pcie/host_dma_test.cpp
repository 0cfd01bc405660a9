#include "models/pcie/host_dma.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "models/dma_device.hpp"
#include "models/memory/host_memory.hpp"
#include "models/pcie/reading_device.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using namespace reading_device;

/// Data read per second by a device that always has more to read than it may.
double saturated_read_rate(const HardwareProfile& profile, const DmaReadCost& cost) {
  Device device{profile};
  for (std::uint64_t i = 0; i < 4000; ++i) device.read(cost, i);
  device.calendar.run();
  EXPECT_EQ(device.times.size(), 4000U);
  return 3000 / to_seconds(device.times.back() - device.times[999]);
}

TEST(HostDma, DataOfAnUnloadedReadArrivesAfterOneRoundTripAndNotBefore) {
  const HardwareProfile profile = link_with(64);
  Device device{profile};
  device.read(small, 7);
  device.calendar.run_until(round_trip(profile, small) - 1_ps);
  EXPECT_TRUE(device.names.empty());
  device.calendar.run_until(round_trip(profile, small));
  EXPECT_EQ(device.names, std::vector<std::uint64_t>{7});
}

TEST(HostDma, AReadWaitsForTheCompletionsOfThoseThatHaveNoTags) {
  Device device{link_with(2)};
  EXPECT_EQ(device.dma.read_delay(), 0ns);
  for (std::uint64_t i = 0; i < 12; ++i) device.read(small, i);
  EXPECT_EQ(device.dma.read_delay(), small.completion * 10);
  device.calendar.run();
  EXPECT_EQ(device.dma.read_delay(), 0ns);
}

TEST(HostDma, TagsLimitReadsByLittlesLaw) {
  for (const int tags : {1, 2, 8}) {
    const HardwareProfile profile = link_with(tags);
    const double expected = tags / to_seconds(round_trip(profile, small));
    EXPECT_NEAR(saturated_read_rate(profile, small), expected, expected * 0.01) << tags << " tags";
  }
}

TEST(HostDma, WithTagsToSpareTheLinkLimitsReads) {
  EXPECT_NEAR(saturated_read_rate(link_with(256), small), 1 / to_seconds(small.completion), 1e4);
  DmaReadCost short_answers = small;
  short_answers.completion = 1ns;
  EXPECT_NEAR(saturated_read_rate(link_with(1024), short_answers), 1 / to_seconds(small.request), 1e4);
}

TEST(HostDma, MoreTagsAreNeverSlower) {
  double last = 0;
  for (const int tags : {1, 2, 3, 5, 8, 16, 32, 64, 128}) {
    const double rate = saturated_read_rate(link_with(tags), small);
    EXPECT_GE(rate, last * (1 - 1e-9)) << tags << " tags";
    last = rate;
  }
}

/// From a request until its credit is back.
Time credit_taken(const HardwareProfile& profile) { return small.request + profile.pcie.latency * 2 + small.latency; }

TEST(HostDma, NonPostedCreditsComeBackWhenTheRootComplexHasAnswered) {
  const HardwareProfile profile = link_with(4096, 4);
  const double expected = 4 / to_seconds(credit_taken(profile));
  EXPECT_NEAR(saturated_read_rate(profile, small), expected, expected * 0.01);
}

TEST(HostDma, NeverMoreReadsUnderWayThanTags) {
  Device device{link_with(5)};
  std::uint64_t most = 0;
  device.on_arrival = [&] {
    // Requests sent, less those answered before this one.
    most = std::max(most, device.dma.upstream().jobs() - (device.times.size() - 1));
  };
  for (std::uint64_t i = 0; i < 100; ++i) device.read(small, i);
  device.calendar.run();
  EXPECT_EQ(device.times.size(), 100U);
  EXPECT_EQ(most, 5U);
}

TEST(HostDma, AReadThatFindsNoTagIsStarvedUntilItGetsOne) {
  const HardwareProfile profile = link_with(1);
  Device device{profile};
  device.read(small, 0);
  device.read(small, 1);
  device.calendar.run();
  EXPECT_EQ(device.calendar.now(), round_trip(profile, small) * 2);
  EXPECT_DOUBLE_EQ(device.dma.tagless(), 0.5);
  device.dma.measure(device.calendar.now(), Time::max());
  device.read(small, 2);
  device.calendar.run();
  EXPECT_EQ(device.dma.tagless(), 0);
}

DmaReadCost of_requests(int requests) {
  return {.request = 2ns * requests,
          .latency = small.latency,
          .completion = small.completion * requests,
          .tags = requests,
          .cache_lines = 2 * requests};
}

TEST(HostDma, TheDeviceStoresDataOfEachRequestWhileTheNextOnesCome) {
  const HardwareProfile profile = link_with(64);
  for (const Time store : {4ns, 25ns}) {
    Device device{profile};
    DmaReadCost read = of_requests(10);
    read.store = store * 10;
    device.read(read, 0);
    device.calendar.run();
    const Time first = round_trip(profile, small) + store;
    EXPECT_EQ(device.times[0], first + std::max(small.completion, store) * 9) << store.count();
  }
}

TEST(HostDma, ATagIsFreeWhenTheDeviceHasStoredTheDataOfItsRequest) {
  const HardwareProfile profile = link_with(10);
  for (const Time store : {4ns, 25ns}) {
    Device device{profile};
    DmaReadCost read = of_requests(10);
    read.store = store * 10;
    device.read(read, 0);
    device.read(small, 1);  // has the tag of the first request
    device.calendar.run();
    EXPECT_EQ(device.names, (std::vector<std::uint64_t>{0, 1}));
    EXPECT_EQ(device.times[1], round_trip(profile, small) + store + round_trip(profile, small)) << store.count();
  }
}

TEST(HostDma, AReadIsAsFastWithTagsForAllItsRequestsAsWithEnoughToFillTheLink) {
  const auto time_of_read = [](int tags) {
    Device device{link_with(tags)};
    DmaReadCost read = of_requests(200);
    read.store = 8ns * 200;
    device.read(read, 0);
    device.calendar.run();
    return to_seconds(device.times[0]);
  };
  EXPECT_NEAR(time_of_read(60), time_of_read(200), 0.01 * time_of_read(200));
}

TEST(HostDma, ReadsOfSeveralRequestsLeaveNoTagIdle) {
  const double each = 1 / to_seconds(round_trip(link_with(8), small));
  for (const int requests : {1, 2, 3, 4, 5, 7, 8, 13, 100}) {
    const double rate = saturated_read_rate(link_with(8), of_requests(requests)) * requests;
    EXPECT_NEAR(rate, 8 * each, 8 * each * 0.01) << requests << " requests";
  }
}

TEST(HostDma, ReadsOfSeveralRequestsLeaveNoCreditIdle) {
  const HardwareProfile profile = link_with(4096, 8);
  const double each = 1 / to_seconds(credit_taken(profile));
  for (const int requests : {3, 5, 13}) {
    const double rate = saturated_read_rate(profile, of_requests(requests)) * requests;
    EXPECT_NEAR(rate, 8 * each, 8 * each * 0.02) << requests << " requests";
  }
}

TEST(HostDma, AReadOfMoreTagsThanThereAreGoesInTurns) {
  const HardwareProfile profile = link_with(8);
  Device device{profile};
  device.read(of_requests(20), 0);
  device.read(small, 1);
  device.calendar.run();
  EXPECT_EQ(device.names, (std::vector<std::uint64_t>{0, 1}));
  // Its last request is the twentieth of eight tags, and with each tag comes the next.
  EXPECT_GE(device.times[0], round_trip(profile, small) * 2);
  EXPECT_LE(device.times[0], round_trip(profile, small) * 3 + small.completion * 20);
  EXPECT_EQ(device.dma.lines_read(), 42U);
}

TEST(HostDma, ALargeReadIsNotOvertakenBySmallOnes) {
  const DmaReadCost large = of_requests(4);
  Device device{link_with(4)};
  device.read(small, 0);
  device.read(large, 1);
  for (std::uint64_t i = 2; i < 20; ++i) device.read(small, i);
  device.calendar.run();
  std::vector<std::uint64_t> in_order(20);
  for (std::uint64_t i = 0; i < 20; ++i) in_order[i] = i;
  EXPECT_EQ(device.names, in_order);
}

TEST(HostDma, ReadsFromAContinuationAreServed) {
  Device device{link_with(2)};
  int left = 50;
  device.on_arrival = [&] {
    if (left-- > 0) device.read(small, 0);
  };
  device.read(small, 0);
  device.calendar.run();
  EXPECT_EQ(device.times.size(), 51U);
}

// ---- writes --------------------------------------------------------------------------------------------------------

TEST(HostDma, AnUnloadedWriteIsVisibleAfterLinkAndMemory) {
  const HardwareProfile profile = link_with(64);
  Device device{profile};
  const HostDma::Written written = device.dma.write({.service = 7ns, .tlps = 1, .cache_lines = 1});
  EXPECT_EQ(written.left, 7ns);
  EXPECT_EQ(written.visible, 7ns + profile.pcie.latency + profile.root_complex.write_latency);
}

TEST(HostDma, PostedCreditsLimitWrites) {
  constexpr WriteCost write{.service = 5ns, .tlps = 1, .cache_lines = 1};
  for (const int credits : {1, 2, 16}) {
    const HardwareProfile profile = link_with(64, 64, credits);
    Device device{profile};
    const Time until_returned = write.service + profile.pcie.latency * 2 + profile.root_complex.write_latency;
    Time left{0};
    for (int i = 0; i < 100 * credits; ++i) left = device.dma.write(write).left;
    const double expected = credits / to_seconds(until_returned);
    EXPECT_NEAR(100 * credits / to_seconds(left), expected, expected * 0.02) << credits << " credits";
  }
}

TEST(HostDma, TellsForHowLongWritesWaitForCredits) {
  constexpr WriteCost write{.service = 5ns, .tlps = 1, .cache_lines = 1};
  const auto share = [&](int credits) {
    Device device{link_with(64, 64, credits)};
    Time left{0};
    for (int i = 0; i < 10'000; ++i) left = device.dma.write(write).left;
    return device.dma.by_posted_credits(left);
  };
  const HardwareProfile profile = link_with(64);
  const Time turn = write.service + profile.pcie.latency * 2 + profile.root_complex.write_latency;
  const int enough = static_cast<int>(turn / write.service) + 1;
  EXPECT_NEAR(share(1), 1, 0.01);
  EXPECT_NEAR(share(8), 1, 0.01);
  EXPECT_NEAR(share(enough - 4), 1, 0.01) << "the link is hardly idle, but a faster one would wait as long";
  EXPECT_EQ(share(enough), 0);
}

TEST(HostDma, AWriteOfSeveralTlpsTakesAsManyCredits) {
  const HardwareProfile profile = link_with(64, 64, 4);
  Device device{profile};
  constexpr WriteCost write{.service = 5ns, .tlps = 2, .cache_lines = 8};
  EXPECT_EQ(device.dma.write(write).left, 5ns);
  const Time second = device.dma.write(write).left;
  EXPECT_EQ(second, 10ns);
  // No credit is left: the third waits until those of the first are back, one after the other.
  const Time first_credit = 2500_ps + profile.pcie.latency * 2 + profile.root_complex.write_latency;
  EXPECT_EQ(device.dma.write(write).left, first_credit + 5ns);
}

TEST(HostDma, WritesOfSeveralTlpsLeaveNoCreditIdle) {
  for (const int tlps : {1, 5, 12, 23, 40}) {
    const HardwareProfile profile = link_with(64, 64, 23);
    Device device{profile};
    const WriteCost write{.service = 1ns * tlps, .tlps = tlps, .cache_lines = tlps};
    const Time until_returned = 1ns + profile.pcie.latency * 2 + profile.root_complex.write_latency;
    Time left{0};
    for (int i = 0; i < 1000; ++i) left = device.dma.write(write).left;
    const double expected = 23 / to_seconds(until_returned);
    EXPECT_NEAR(1000 * tlps / to_seconds(left), expected, expected * 0.03) << tlps << " TLPs";
  }
}

TEST(HostDma, WithCreditsToSpareTheLinkLimitsWritesAndTheyBecomeVisibleInOrder) {
  Device device{link_with(64)};
  Time last{0};
  Time left{0};
  for (int i = 0; i < 1000; ++i) {
    const Time service = i % 3 == 0 ? 20ns : 2ns;
    const HostDma::Written written = device.dma.write({.service = service, .tlps = 1, .cache_lines = 1});
    EXPECT_GT(written.visible, last);
    last = written.visible;
    left = written.left;
  }
  EXPECT_EQ(left, 20ns * 334 + 2ns * 666);
}

TEST(HostDma, RequestsTakeTurnsWithTheWritesThatWait) {
  const HardwareProfile profile = link_with(64);
  const Time tlp = occupancy(profile.pcie, write_tlps(profile.pcie, profile.pcie.max_payload));
  for (const int writes : {0, 1, 2, 10, 100}) {
    Device device{profile};
    Time left{0};
    for (int i = 0; i < writes; ++i) left = device.dma.write({.service = tlp, .tlps = 1, .cache_lines = 4}).left;
    EXPECT_EQ(left, tlp * writes);
    DmaReadCost short_answer = small;
    short_answer.completion = 0ns;
    for (std::uint64_t i = 0; i < 3; ++i) device.read(short_answer, i);
    device.calendar.run();
    for (int i = 0; i < 3; ++i) {
      const Time waited = tlp * std::min(writes, i + 1) + small.request * i;
      EXPECT_EQ(device.times[static_cast<std::size_t>(i)], waited + round_trip(profile, short_answer)) << writes;
    }
    // Nothing is sent for free: the next write waits for all of it.
    EXPECT_EQ(device.dma.upstream().busy_until(), tlp * writes + small.request * 3);
  }
}

// ---- MMIO ----------------------------------------------------------------------------------------------------------

TEST(HostDma, CountersCountCacheLinesSinceTheWarmUp) {
  Device device{link_with(64)};
  device.read(small, 0);
  (void)device.dma.write({.service = 1ns, .tlps = 1, .cache_lines = 3});
  (void)device.dma.mmio_write(4ns);
  device.calendar.run();
  EXPECT_EQ(device.dma.mmio_time(), 4ns);
  EXPECT_EQ(device.dma.lines_read(), 2U);
  EXPECT_EQ(device.dma.lines_written(), 3U);
  EXPECT_EQ(device.dma.lines_expected(), 2U);
  device.dma.measure(device.calendar.now(), Time::max());
  EXPECT_EQ(device.dma.lines_read(), 0U);
  EXPECT_EQ(device.dma.lines_expected(), 0U);
  EXPECT_EQ(device.dma.lines_written(), 0U);
  EXPECT_EQ(device.dma.mmio_time(), 0ns);
  device.read(small, 0);
  device.calendar.run();
  EXPECT_EQ(device.dma.lines_read(), 2U);
}

TEST(HostDma, WhatIsReadAheadIsExpected) {
  Device device{link_with(8)};
  DmaReadCost recvs = small;
  recvs.cache_lines = 4;
  device.dma.read_ahead(recvs);
  device.dma.read_again(small, {&Device::arrived, &device, 0});
  device.calendar.run();
  EXPECT_EQ(device.dma.lines_expected(), 4U);
  EXPECT_EQ(device.dma.lines_read(), 6U) << "the others are misses";
}

/// A link with one tag and one posted credit.
struct NarrowLink {
  explicit NarrowLink(const DmaBuffer& buffer)
      : memory{calendar, host.hardware.memory, {}, buffer, 1, core::Priority{2}} {
    host.hardware.pcie.read_tags = 1;
    host.hardware.pcie.posted_header_credits = 1;
    dma.emplace(calendar, host.hardware.pcie, RootComplexParameters{}, core::Priority{1});
    dma->attach(memory);
  }
  static void done(void* self, std::uint64_t) {
    NarrowLink& link = *static_cast<NarrowLink*>(self);
    link.times.push_back(link.calendar.now());
  }

  DmaScenario host = dma_device();
  core::Calendar calendar;
  HostMemory memory;
  std::optional<HostDma> dma;
  std::vector<Time> times;
};

TEST(HostDma, EachPartOfALargeReadReadsItsOwnLines) {
  NarrowLink link{{.size = Bytes{(1 << 20) + 512}, .warmth = Warmth::host}};  // all but the first lines are cached
  link.dma->read(dma_read_cost(link.host.hardware.pcie, 0ns, 1_KiB), {&NarrowLink::done, &link, 0}, 0);
  link.calendar.run();
  EXPECT_EQ(link.times.size(), 1U);
  EXPECT_EQ(link.memory.lines_from_dram(), 8U) << "those of the first request only";
}

TEST(HostDma, EachPartOfALargeWriteWritesItsOwnLines) {
  NarrowLink link{{.size = Bytes{1 << 20}, .written = true}};
  link.dma->post(dma_write_cost(link.host.hardware.pcie, 512_B), 0, {&NarrowLink::done, &link, 0});
  link.calendar.run();
  EXPECT_EQ(link.times.size(), 1U);
  EXPECT_EQ(link.memory.evictions(), 8U) << "each line displaces another one; written again, it would not";
}

TEST(HostDma, ALongWriteFillsTheLinkAsShortOnesDoWhereCreditsSuffice) {
  // 64 credits of 256 B are a little more than what is on the way. Credits that came back with a write's last TLP only
  // would leave the link idle between one write and the next.
  const auto bandwidth = [](Bytes size) {
    const DmaScenario host = dma_device();
    core::Calendar calendar;
    HostMemory memory{calendar, host.hardware.memory, {}, {.size = Bytes{1 << 20}, .warmth = Warmth::host},
                      1,        core::Priority{2}};
    HostDma dma{calendar, host.hardware.pcie, RootComplexParameters{}, core::Priority{1}};
    dma.attach(memory);
    Time last{0};
    struct Left {
      core::Calendar& calendar;
      Time& last;
      static void call(void* self, std::uint64_t) {
        static_cast<Left*>(self)->last = static_cast<Left*>(self)->calendar.now();
      }
    } left{calendar, last};
    const Bytes all = Bytes{1 << 22};
    for (Bytes done{0}; done < all; done += size)
      dma.post(dma_write_cost(host.hardware.pcie, size), 0, {&Left::call, &left, 0});
    calendar.run();
    return static_cast<double>(all.count) / to_seconds(last);
  };
  const PcieParameters pcie = dma_device().hardware.pcie;
  const double link = 256 / to_seconds(dma_write_cost(pcie, 256_B).service);
  for (const Bytes size : {256_B, 2_KiB, 8_KiB, 16_KiB, 64_KiB, 1024_KiB})
    EXPECT_NEAR(bandwidth(size), link, link * 0.01) << size.count;
}

TEST(HostDma, MemoryReturnsTheCreditOfAWriteOverTheLink) {
  NarrowLink link{{.size = 8_KiB, .warmth = Warmth::host, .written = true}};
  const WriteCost line = dma_write_cost(link.host.hardware.pcie, 64_B);
  for (int i = 0; i < 2; ++i) link.dma->post(line, 0, {&NarrowLink::done, &link, 0});
  link.calendar.run();
  ASSERT_EQ(link.times.size(), 2U);
  const PcieParameters& pcie = link.host.hardware.pcie;
  EXPECT_EQ(link.times[1] - link.times[0], pcie.latency * 2 + link.host.hardware.memory.write_latency + line.service);
}

}  // namespace
}  // namespace doorbell::model
