#include "models/nic/atomic_unit.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

/// Locks are held for one DMA read of a word: the PCIe round trip.
Time there_and_back(const HardwareProfile& hardware) {
  return occupancy(hardware.pcie, read_request_tlps(hardware.pcie, 8_B)) + hardware.pcie.latency * 2 +
         hardware.root_complex.read_latency + occupancy(hardware.pcie, completion_tlps(hardware.pcie, 8_B));
}

RunResult hammer(const HardwareProfile& hardware, const PostStep& step, int clients = 2) {
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc, 2), {step}, 8), sink(), clients);
  scenario.measure.warmup = 100us;
  scenario.measure.duration = 400us;
  return run(scenario);
}

double atomics_per_second(const HardwareProfile& hardware, std::int64_t counters, std::int64_t stride) {
  return hammer(hardware, post_atomic(counters, stride, 16)).throughput.per_second;
}

TEST(AtomicUnit, OneCounterIsIncrementedOncePerRoundTrip) {
  const HardwareProfile hardware = connect_ib();
  const RunResult result = hammer(hardware, post_atomic(1, 8, 16));
  EXPECT_NEAR(result.throughput.per_second, rate_of(there_and_back(hardware)),
              rate_of(there_and_back(hardware)) * 0.01);
  EXPECT_GT(busy(result, "server/atomic locks"), 0.99);
  EXPECT_EQ(result.bottleneck.limit, Limit::pcie_round_trip);
}

TEST(AtomicUnit, ALongerRoundTripHoldsTheLockLonger) {
  HardwareProfile hardware = connect_ib();
  hardware.pcie.latency = 1us;
  EXPECT_NEAR(atomics_per_second(hardware, 1, 8), rate_of(there_and_back(hardware)),
              rate_of(there_and_back(hardware)) * 0.01);
}

TEST(AtomicUnit, AddressesWithEqualLowBitsShareALock) {
  const HardwareProfile hardware = connect_ib();  // 12 bits
  const double one = rate_of(there_and_back(hardware));
  EXPECT_NEAR(atomics_per_second(hardware, 1024, 4096), one, one * 0.01);
  // Two locks: the even objects have one and the odd ones the other.
  EXPECT_LE(atomics_per_second(hardware, 1024, 2048), 2 * one * 1.01);
  EXPECT_GT(atomics_per_second(hardware, 1024, 2048), 1.2 * one);
}

TEST(AtomicUnit, WithoutAddressBitsThereIsOneLockForAll) {
  HardwareProfile hardware = connect_ib();
  hardware.atomics.address_bits = 0;
  const double one = rate_of(there_and_back(hardware));
  EXPECT_NEAR(atomics_per_second(hardware, 4096, 8), one, one * 0.01);
}

TEST(AtomicUnit, ManyCountersAreLimitedByTheInboundPipeline) {
  HardwareProfile hardware = connect_ib();
  hardware.atomics.processing = 40ns - hardware.nic.rx_message - hardware.nic.rx_dma;
  PostStep step = post_atomic(512, 8, 16);
  step.region->pattern = AddressPattern::random;
  const RunResult result = hammer(hardware, step);
  EXPECT_NEAR(result.throughput.per_second, rate_of(40ns), rate_of(40ns) * 0.01);
  EXPECT_GT(busy(result, "server/NIC receive pipeline"), 0.99);
}

TEST(AtomicUnit, NeverFasterThanItsLocksAllow) {
  const HardwareProfile hardware = connect_ib();
  for (const std::int64_t counters : {1, 2, 4, 8}) {
    EXPECT_LE(atomics_per_second(hardware, counters, 8),
              static_cast<double>(counters) * rate_of(there_and_back(hardware)) * 1.01)
        << counters;
  }
}

TEST(AtomicUnit, MoreCountersAreNotSlower) {
  const HardwareProfile hardware = connect_ib();
  double last = 0;
  for (const std::int64_t counters : {1, 2, 4, 16, 64, 512}) {
    PostStep step = post_atomic(counters, 8, 16);
    step.region->pattern = AddressPattern::random;
    const double rate = hammer(hardware, step).throughput.per_second;
    EXPECT_GE(rate, last * 0.98) << counters;
    last = rate;
  }
}

TEST(AtomicUnit, APopularCounterIsWaitedFor) {
  const HardwareProfile hardware = connect_ib();
  double last = 1e12;
  for (const double skew : {0.0, 0.99, 2.0}) {
    PostStep step = post_atomic(512, 8, 16);
    step.region->pattern = AddressPattern::random;
    step.region->skew = skew;
    const RunResult result = hammer(hardware, step);
    const double rate = result.throughput.per_second;
    EXPECT_LT(rate, last * 0.8) << skew;
    last = rate;
    if (skew == 0) continue;
    // Its lock is held for a round trip each time.
    const double share = core::Zipf(512, skew).first();
    EXPECT_LE(rate, rate_of(there_and_back(hardware)) / share * 1.05) << skew;
    EXPECT_GT(rate, rate_of(there_and_back(hardware)) / share * 0.3) << skew;
  }
}

TEST(AtomicUnit, EnginesInOrderHoldUpWhatIsBehindATakenLock) {
  // Two counters at random: one engine often finds the lock of its head taken while the other counter is free.
  HardwareProfile hardware = connect_ib();
  PostStep step = post_atomic(2, 8, 16);
  step.region->pattern = AddressPattern::random;
  hardware.atomics.engines = 1;
  const double one_engine = hammer(hardware, step).throughput.per_second;
  hardware.atomics.engines = 16;
  const double many_engines = hammer(hardware, step).throughput.per_second;
  const double lock = rate_of(there_and_back(hardware));
  EXPECT_GT(one_engine, lock * 0.99);
  EXPECT_LT(one_engine, many_engines * 0.9);
  EXPECT_GT(many_engines, lock * 1.8);
}

AtomicUnit& server_atomics(Simulation& simulation) {
  return simulation.machines().front().instances.front()->nic().atomics();
}

TEST(AtomicUnit, ALockThatIsAlwaysTakenIsBusyFromTheMomentOfMeasuring) {
  const Scenario scenario =
      scenario_of(connect_ib(), program(queue_pairs(Transport::rc, 2), {post_atomic(1, 8, 16)}, 8), sink());
  Simulation simulation{scenario};
  AtomicUnit& atomics = server_atomics(simulation);
  simulation.calendar().run_until(100us);
  atomics.measure(100us);
  const Time released = run_to_change(simulation, [&] { return atomics.hottest_lock_utilisation(200us); });
  EXPECT_DOUBLE_EQ(atomics.lock_utilisation(released), 1);
}

TEST(AtomicUnit, OnlyLocksTakenSinceTheWarmUpCount) {
  const Program client = program(queue_pairs(Transport::rc), {post_atomic(2, 8), await(1)});
  const Scenario scenario = scenario_of(connect_ib(), client, sink());
  Simulation simulation{scenario};
  AtomicUnit& atomics = server_atomics(simulation);
  simulation.calendar().run_until(100us);
  atomics.measure(100us);
  const Time released = run_to_change(simulation, [&] { return atomics.hottest_lock_utilisation(200us); });
  EXPECT_EQ(atomics.lock_utilisation(released), atomics.hottest_lock_utilisation(released)) << "one of the two words";
}

TEST(AtomicUnit, QueuePairsAreSpreadOverTheEnginesHoweverTheyAreSpreadOverMachines) {
  HardwareProfile hardware = connect_ib();
  hardware.atomics.engines = 4;
  PostStep step = post_atomic(64, 8);
  step.window = 16;
  const auto rate = [&](int clients) {
    Scenario scenario =
        scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}, 8 / clients), sink(), clients);
    scenario.measure.duration = 400us;
    return run(scenario).throughput.per_second;
  };
  const double one = rate(1);
  for (const int clients : {2, 4, 8}) EXPECT_NEAR(rate(clients), one, 0.05 * one) << clients;
}

TEST(AtomicUnit, EnginesWaitForWhatAnAtomicTakesBeyondItsTimeAlone) {
  HardwareProfile hardware = attentive_machine();
  hardware.pcie.latency = 1us;
  const auto atomics = [&](int threads) {
    PostStep step = post_atomic(1, 8);
    step.window = 1;
    return scenario_of(hardware, program(queue_pairs(Transport::rc), {step, await(1)}, threads), sink());
  };
  const Scenario one = atomics(1);
  Simulation alone{one};
  alone.calendar().run_until(1ms);
  EXPECT_EQ(server_atomics(alone).engines_waiting(1ms), 0);
  const double latency = to_seconds(statistics(alone, "client").latency.mean());
  constexpr int threads = 8;
  const Scenario several = atomics(threads);
  Simulation together{several};
  together.calendar().run_until(100us);
  server_atomics(together).measure(100us);
  together.calendar().run_until(1100us);
  const double waiting = 1 - latency / (threads * to_seconds(there_and_back(hardware)));
  EXPECT_NEAR(server_atomics(together).engines_waiting(1100us), waiting, 0.02);
}

/// READs with every `share`-th operation an atomic on one of `counters` words.
RunResult mixed(const HardwareProfile& hardware, double share, std::int64_t counters) {
  PostStep step = post(Verb::read, 8, 16);
  step.region = Region{.count = 1024, .stride = 64_B};
  step.mix = {{.share = share, .verb = Verb::fetch_add, .payload = 8_B, .region = Region{counters, 8_B}}};
  return hammer(hardware, step);
}

TEST(AtomicUnit, WithoutEnginesTheInboundPipelineWaitsForEachAtomic) {
  HardwareProfile hardware = connect_ib();
  hardware.atomics.engines = 0;
  const Time read = hardware.nic.rx_message + hardware.nic.rx_dma;
  const Time atomic = read + hardware.atomics.processing + there_and_back(hardware);
  PostStep step = post_atomic(4096, 8, 16);
  step.region->pattern = AddressPattern::random;
  EXPECT_NEAR(hammer(hardware, step).throughput.per_second, rate_of(atomic), rate_of(atomic) * 0.01);
  // READs wait as well: the mean time per operation is that of the mixture.
  const double mean = 0.9 * to_seconds(read) + 0.1 * to_seconds(atomic);
  const RunResult result = mixed(hardware, 0.1, 4096);
  EXPECT_NEAR(result.throughput.per_second, 1 / mean, 0.05 / mean);
  EXPECT_GT(busy(result, "server/NIC receive pipeline"), 0.98);
}

TEST(AtomicUnit, WithoutEnginesAResponseIsSentInTheTimeOfItsAtomic) {
  HardwareProfile hardware = connect_ib();
  hardware.atomics.engines = 0;
  const auto rate = [&] {
    PostStep step = post_atomic(4096, 8, 16);
    step.region->pattern = AddressPattern::random;
    return hammer(hardware, step).throughput.per_second;
  };
  const double before = rate();
  hardware.nic.tx_response = 300ns;
  EXPECT_NEAR(rate(), before, before * 1e-3);
}

TEST(AtomicUnit, WithoutEnginesResponsesWaitForAtomics) {
  HardwareProfile hardware = connect_ib();
  hardware.atomics.engines = 0;
  hardware.nic.tx_response = 100ns;  // sending responses takes longer than taking in requests
  const double response = to_seconds(hardware.nic.tx_message + hardware.nic.tx_response);
  const double mean = 0.9 * response + 0.1 * to_seconds(there_and_back(hardware));
  const RunResult result = mixed(hardware, 0.1, 4096);
  EXPECT_NEAR(result.throughput.per_second, 1 / mean, 0.05 / mean);
  EXPECT_GT(busy(result, "server/NIC transmit pipeline"), 0.98);
}

/// READs per second beside atomics on one counter, which have queue pairs of their own.
double reads_beside_atomics(const HardwareProfile& hardware) {
  Scenario scenario = scenario_of(hardware, program(queue_pairs(Transport::rc), {post(Verb::read, 8, 16)}, 8), sink());
  Program atomics = program(queue_pairs(Transport::rc), {post_atomic(1, 8, 16)}, 8);
  atomics.machine = "client";
  scenario.programs.emplace_back("atomics", atomics);
  return run(scenario).throughput.per_second;
}

TEST(AtomicUnit, FullEnginesStopWhatIsBehind) {
  // With room for few atomics, READs wait for the lock as well; with room for all, they pass.
  HardwareProfile hardware = connect_ib();
  hardware.atomics.queue = 1;
  const double small = reads_beside_atomics(hardware);
  hardware.atomics.queue = 100000;
  EXPECT_GT(reads_beside_atomics(hardware), 2 * small);
}

TEST(AtomicUnit, ResponsesToReadsWaitForAtomicsBeforeThem) {
  // On the same queue pairs they cannot pass, however much room there is.
  HardwareProfile hardware = connect_ib();
  const double lock = rate_of(there_and_back(hardware));
  for (const int room : {1, 100000}) {
    hardware.atomics.queue = room;
    EXPECT_NEAR(mixed(hardware, 0.1, 1).throughput.per_second, 10 * lock, lock) << room;
  }
}

TEST(AtomicUnit, MoreRoomInTheEnginesIsNotSlower) {
  HardwareProfile hardware = connect_ib();
  PostStep step = post_atomic(64, 8, 16);
  step.region->pattern = AddressPattern::random;
  double last = 0;
  for (const int room : {1, 2, 4, 16, 64}) {
    hardware.atomics.queue = room;
    const double rate = hammer(hardware, step).throughput.per_second;
    EXPECT_GE(rate, last * 0.99) << room;
    last = rate;
  }
}

TEST(AtomicUnit, CompareAndSwapTakesAsLongAsFetchAndAdd) {
  PostStep step = post_atomic(1, 8, 16);
  const double add = hammer(connect_ib(), step).throughput.per_second;
  step.verb = Verb::compare_swap;
  EXPECT_NEAR(hammer(connect_ib(), step).throughput.per_second, add, add * 0.01);
}

TEST(AtomicUnit, LocksAreIdleWithoutAtomics) {
  const RunResult result =
      run(scenario_of(connect_ib(), program(queue_pairs(Transport::ud), {post(Verb::send, 8)}), sink()));
  EXPECT_EQ(busy(result, "server/atomic locks"), 0);
}

}  // namespace
}  // namespace doorbell::model
