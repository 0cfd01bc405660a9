#include "models/remote_loads/others_on_device.hpp"

#include <gtest/gtest.h>

#include "models/common/bottleneck.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;

std::string told(Limit limit, const DeviceUse& measured, const std::vector<UseByLoad>& beside) {
  Bottleneck bottleneck = find_bottleneck({{"it", 1, limit}});
  const std::string before = bottleneck.sentence;
  tell_of_others(bottleneck, measured, beside);
  if (bottleneck.sentence == before) return {};
  return bottleneck.sentence.substr(before.size() - 1);
}

TEST(OthersOnDevice, WhoAsksMostIsToldInWhatTheLimitCounts) {
  const std::vector<UseByLoad> backup{{"backup", {30, 9000_B, 3us}}};
  EXPECT_EQ(told(Limit::dma_bandwidth, {70, 1000_B, 7us}, backup),
            "; 90 % of the data are for backup, which runs beside the load: with less of that in flight more would be "
            "left to the load.");
  EXPECT_EQ(told(Limit::completion_handler, {70, 1000_B, 7us}, backup), "") << "most handling is its own";
  EXPECT_EQ(told(Limit::completion_handler, {10, 1000_B, 1us}, backup),
            "; 75 % of its work is for backup, which runs beside the load: with less of that in flight more would be "
            "left to the load.");
  const std::vector<UseByLoad> two{{"few", {5, 0_B, 0us}}, {"many", {20, 0_B, 0us}}};
  EXPECT_NE(told(Limit::nic, {10, 0_B, 0us}, two)
                .find("; 71 % of the requests are for others, many first, which run beside the load"),
            std::string::npos);
}

TEST(OthersOnDevice, WhatLimitsTheLoadAloneIsNotTheirs) {
  const std::vector<UseByLoad> backup{{"backup", {1000, 1000_B, 1ms}}};
  for (const Limit limit : {Limit::threads, Limit::in_flight, Limit::one_by_one, Limit::cpu})
    EXPECT_EQ(told(limit, {1, 1_B, 1ns}, backup), "") << name_of(limit);
  EXPECT_EQ(told(Limit::nic, {1, 1_B, 1ns}, {}), "");
  Bottleneck idle = find_bottleneck({{"it", 0.3, Limit::nic}});
  const std::string before = idle.sentence;
  tell_of_others(idle, {1, 1_B, 1ns}, backup);
  EXPECT_EQ(idle.sentence, before);
}

TEST(OthersOnDevice, AGreedyLoadIsNamedWhereWithoutItMuchMoreIsDone) {
  RemoteMemoryScenario remote = on_blocks(1, 4);
  const RunResult alone = run_of(remote);
  RemoteLoad greedy;
  greedy.block = BlockLoad{.threads = 4, .depth = 64, .size = 128_KiB};
  remote.beside = {{"greedy", greedy}};
  const RunResult beside = run_of(remote);
  EXPECT_LT(beside.throughput.per_second, alone.throughput.per_second / 2);
  EXPECT_NE(beside.bottleneck.sentence.find("for greedy, which runs beside the load"), std::string::npos)
      << beside.bottleneck.sentence;
  remote.beside.front().second.block->depth = 4;
  EXPECT_GT(run_of(remote).throughput.per_second, 1.5 * beside.throughput.per_second);
}

TEST(OthersOnDevice, AWriteCountsForEachMachineThatItGoesTo) {
  RemoteMemoryScenario remote = on_blocks(4, 16);
  remote.block->size = 128_KiB;
  remote.block->read_share = 1;
  remote.access.peers = 4;
  RemoteLoad writes;
  writes.block = BlockLoad{.threads = 4, .depth = 8, .size = 128_KiB, .read_share = 0};
  remote.beside = {{"w", writes}};
  const auto sentence = [&remote] { return run_of(remote).bottleneck.sentence; };
  EXPECT_EQ(sentence().find("for w"), std::string::npos) << sentence();
  remote.access.replicas = 4;
  EXPECT_NE(sentence().find(" % of the data are for w, which runs"), std::string::npos) << sentence();
  remote.access.unreachable = 3;
  EXPECT_EQ(sentence().find("of the data are for w"), std::string::npos) << sentence();
}

TEST(OthersOnDevice, AWindowIsNotTheRemedy) {
  // The load waits for it behind the others, instead of in the NIC.
  for (const double read_share : {0.0, 0.5, 1.0}) {
    RemoteMemoryScenario remote = on_blocks(1, 1);
    remote.block->read_share = 1;
    RemoteLoad greedy;
    greedy.block = BlockLoad{.threads = 4, .depth = 64, .size = 128_KiB, .read_share = read_share};
    remote.beside = {{"greedy", greedy}};
    remote.warmup = 20ms;
    remote.duration = 100ms;
    const double without = run_of(remote).throughput.per_second;
    for (const Bytes window : {7168_KiB, 1792_KiB}) {
      remote.access.window = window;
      EXPECT_LT(run_of(remote).throughput.per_second, 1.5 * without) << read_share << ' ' << window.count;
    }
  }
}

}  // namespace
}  // namespace doorbell::model
