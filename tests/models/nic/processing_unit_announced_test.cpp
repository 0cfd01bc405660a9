// Processing units with WQEs that the test announces itself: what is read for them, and when they go out.
#include <gtest/gtest.h>

#include <optional>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Queue pairs of a thread that computes all the time, so that nobody but the test posts.
class AnnouncedWqes {
 public:
  /// Operations are told apart by their number in `steps`.
  AnnouncedWqes(const HardwareProfile& hardware, const std::vector<PostStep>& steps, int pairs = 1)
      : scenario_{scenario_of(hardware, program(queue_pairs(Transport::rc, pairs), loop(steps)), sink())} {
    simulation_.emplace(scenario_);
  }

  /// A core writes a WQE into the NIC, where it is after `delay`: with all others that the test announces before that.
  void announce(std::size_t operation = 0, Time delay = 1ns, std::size_t number = 0) {
    QueuePair& pair = queue_pair(number);
    Message* message = simulation_->messages().take();
    message->plan = &std::get<PostPlan>(simulation_->program("client").steps[operation + 1]).plans.front().own.single;
    message->queue_pair = &pair;
    message->responder = &simulation_->machine_set("server").instances.front()->nic();
    if (message->plan->remote_read) {
      message->ticket = nic().wqe_cache().insert();
    } else {
      message->by_mmio = true;
    }
    pair.append(message);
    pair.unit->accept(pair, {.arrival = calendar().now() + delay, .plan = message->plan, .wqes = 1, .fetched = true});
  }
  /// Until everything is done.
  void finish() { calendar().run_until(calendar().now() + 100us); }
  /// Cache lines that the NIC reads until everything is done.
  std::uint64_t lines_read_until_done() {
    const std::uint64_t before = nic().dma().lines_read();
    finish();
    return nic().dma().lines_read() - before;
  }
  /// Until the next WQE has been processed; returns when.
  Time next_processed() {
    return run_to_change(*simulation_, [&] { return nic().transmit_pipeline().jobs(); });
  }

  core::Calendar& calendar() { return simulation_->calendar(); }
  QueuePair& queue_pair(std::size_t number = 0) {
    return *simulation_->program("client").threads.front()->queue_pairs()[0][number];
  }
  RdmaNic& nic() { return simulation_->machine_set("client").instances.front()->nic(); }

 private:
  static std::vector<Step> loop(const std::vector<PostStep>& steps) {
    std::vector<Step> result{compute(1s)};
    result.insert(result.end(), steps.begin(), steps.end());
    return result;
  }

  Scenario scenario_;
  std::optional<Simulation> simulation_;
};

// ---- WQEs by MMIO that find no room --------------------------------------------------------------------------------

/// WQEs of 64 B are read one by one, or up to sixteen at a time.
HardwareProfile without_room() {
  HardwareProfile hardware = steady_machine();
  hardware.nic.mmio_wqes = 0;
  hardware.nic.wqe_fetch_unit = 64_B;
  hardware.nic.wqe_read_ahead = 1_KiB;
  return hardware;
}

TEST(ProcessingUnitAnnounced, AReadAheadThatIsUsedUpIsFollowedByOneTwiceAsLong) {
  AnnouncedWqes wqes{without_room(), {post(Verb::write, 8)}};
  for (int i = 0; i < 1 + 2 + 4 + 8; ++i) wqes.announce();
  EXPECT_EQ(wqes.lines_read_until_done(), 15U) << "each of them once";
  wqes.announce();
  EXPECT_EQ(wqes.lines_read_until_done(), 16U) << "beyond what is there";
}

TEST(ProcessingUnitAnnounced, AReadAheadOfWhichHalfOrLessIsUsedIsFollowedByOneHalfAsLong) {
  AnnouncedWqes wqes{without_room(), {post(Verb::write, 8)}};
  for (int i = 0; i < 1 + 2 + 4 + 8; ++i) wqes.announce();
  wqes.finish();
  for (const std::uint64_t length : {16, 8, 4, 2, 1, 1, 1}) {
    wqes.announce();
    EXPECT_EQ(wqes.lines_read_until_done(), length) << "one WQE, of which two is half and one is all";
  }
}

TEST(ProcessingUnitAnnounced, AReadAheadOfWhichMoreThanHalfIsUsedKeepsItsLength) {
  AnnouncedWqes wqes{without_room(), {post(Verb::write, 8)}};
  for (int i = 0; i < 1 + 2; ++i) wqes.announce();
  wqes.finish();
  for (int i = 0; i < 3; ++i) {
    for (int more = 0; more < 3; ++more) wqes.announce();
    EXPECT_EQ(wqes.lines_read_until_done(), 4U);
  }
}

TEST(ProcessingUnitAnnounced, AReadAheadHoldsAsManyWqesAsOfTheLastOnesSize) {
  AnnouncedWqes wqes{without_room(), {post(Verb::write, 8), post(Verb::write, 60)}};  // of 64 and 128 B
  for (int i = 0; i < 1 + 2; ++i) wqes.announce(0);
  wqes.finish();
  ASSERT_EQ(wqes.queue_pair().read_ahead, 256_B);
  wqes.announce(0);
  wqes.announce(1);
  EXPECT_EQ(wqes.lines_read_until_done(), 4U) << "192 B of 256 B, which has no room for another one like the last";
  wqes.announce(0);
  EXPECT_EQ(wqes.lines_read_until_done(), 8U);
}

// ---- READs that are displaced --------------------------------------------------------------------------------------

TEST(ProcessingUnitAnnounced, AWqeThatWasNotYetThereHasNotBeenReadAgainWithThoseBeforeIt) {
  // Four WQEs share a unit and a place of the cache, which keeps one.
  HardwareProfile hardware = steady_machine();
  hardware.nic.read_growth = 0;
  hardware.nic.wqe_cache = 1;
  hardware.nic.wqe_cache_place = 256_B;
  hardware.nic.wqe_fetch_unit = 256_B;
  AnnouncedWqes wqes{hardware, {post(Verb::read, 8)}};
  const auto lines_for_request = [&](int reads) {
    wqes.finish();
    const std::uint64_t before = wqes.nic().dma().lines_read();
    for (int i = 0; i < reads; ++i) wqes.announce(0);
    wqes.nic().wqe_cache().occupy();  // by another queue pair's
    for (int i = 0; i < reads; ++i) wqes.next_processed();
    return wqes.nic().dma().lines_read() - before;
  };
  EXPECT_EQ(lines_for_request(1), 1U);
  EXPECT_EQ(lines_for_request(1), 2U) << "its unit as far as it is there";
  EXPECT_EQ(lines_for_request(2), 4U) << "both at once";
  EXPECT_EQ(lines_for_request(5), 4U + 1) << "four at once, and the first of the next unit";
}

// ---- rest ----------------------------------------------------------------------------------------------------------

TEST(ProcessingUnitAnnounced, AQueuePairWithAReadUnderWayDoesNotRest) {
  HardwareProfile hardware = steady_machine();
  hardware.nic.turnaround = 10us;
  hardware.nic.read_growth = 0;
  hardware.nic.pu_wqe = 75ns;
  AnnouncedWqes wqes{hardware, {post(Verb::write, 8), post(Verb::read, 8)}};
  wqes.announce(0, 100ns);
  EXPECT_EQ(wqes.next_processed(), 100ns + 75ns);
  wqes.announce(1, 100ns);
  EXPECT_EQ(wqes.next_processed(), 100ns + 75ns + 10us + 75ns) << "nothing was under way, and it rested";
  wqes.announce(0, 100ns);
  EXPECT_EQ(wqes.next_processed(), 100ns + 75ns + 10us + 75ns + 100ns + 75ns) << "the READ takes more than 1 us";
}

TEST(ProcessingUnitAnnounced, WhatComesLateForAQueuePairInHandHoldsUpNoOtherOneOfItsUnit) {
  HardwareProfile hardware = steady_machine();
  hardware.nic.processing_units = 1;
  hardware.nic.turnaround = 0ns;
  hardware.nic.pu_wqe = 75ns;
  AnnouncedWqes wqes{hardware, {post(Verb::write, 8)}, 2};
  wqes.announce(0, 100ns, 0);
  for (int i = 0; i < 2; ++i) wqes.announce(0, 110ns, 1);
  wqes.queue_pair(0).rests_until = 10us;  // as if its context came then
  wqes.announce(0, 120ns, 0);
  EXPECT_EQ(wqes.next_processed(), 100ns + 75ns);
  EXPECT_EQ(wqes.next_processed(), 100ns + 75ns * 2);
  EXPECT_EQ(wqes.next_processed(), 100ns + 75ns * 3) << "of the other queue pair, again";
  EXPECT_EQ(wqes.next_processed(), 10us + 75ns);
}

TEST(ProcessingUnitAnnounced, AQueuePairThatRestsHoldsUpNoOtherOneOfItsUnit) {
  const auto rate_beside = [](Time turnaround) {
    HardwareProfile hardware = connect_ib();
    hardware.nic.processing_units = 1;
    hardware.nic.turnaround = turnaround;
    hardware.cpu.variation = 0;
    PostStep pairs = post_window(Verb::write, 8, 2);
    pairs.region = region(16, 64);
    pairs.signal_every = 1;
    Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {pairs, await(1)}), sink());
    scenario.programs.emplace_back("sender", on("client", program(queue_pairs(Transport::ud), {post(Verb::send, 8)})));
    scenario.measure.program = "sender";
    scenario.measure.duration = 400us;
    return run(scenario).throughput.per_second;
  };
  double before = 0;
  for (const Time turnaround : {0ns, 600ns, 5000ns}) {
    const double rate = rate_beside(turnaround);
    EXPECT_GT(rate, before * 0.99) << to_nanoseconds(turnaround);
    before = rate;
  }
}

}  // namespace
}  // namespace doorbell::model
