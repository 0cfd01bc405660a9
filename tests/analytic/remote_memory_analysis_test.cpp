#include "analytic/remote_memory_analysis.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "analytic/bound_of.hpp"
#include "models/desktop_disk.hpp"
#include "models/remote_memory_fixture.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using model::Batching;
using model::CompletionMode;
using model::RemoteMemoryScenario;
using testing::bound_of;

std::vector<scenario::Point> points_of(const std::string& name) {
  return scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/rdmabox/" + name + ".json");
}

/// One request, alone: the closed form leaves nothing out.
TEST(RemoteMemoryAnalysis, OneRequestAtATimeTakesWhatItSays) {
  for (const CompletionMode mode : {CompletionMode::busy, CompletionMode::event, CompletionMode::adaptive}) {
    for (const double reads : {0.0, 1.0}) {
      for (const Bytes size : {4_KiB, 128_KiB}) {
        RemoteMemoryScenario remote = model::on_blocks(1, 1);
        remote.access.completion.mode = mode;
        remote.access.registration = model::Registration::copy;
        remote.block->read_share = reads;
        remote.block->size = size;
        remote.duration = 20ms;
        const Bounds bounds = analyze(remote);
        const model::RunResult result = run_of(remote);
        EXPECT_NEAR(to_seconds(result.latency.mean) / to_seconds(bounds.unloaded_latency), 1, 0.01)
            << static_cast<int>(mode) << ' ' << reads << ' ' << size.count;
        EXPECT_NEAR(result.throughput.per_second / bounds.throughput.per_second, 1, 0.01)
            << static_cast<int>(mode) << ' ' << reads << ' ' << size.count;
      }
    }
  }
}

TEST(RemoteMemoryAnalysis, AloneAHandlerSleepsWhenItsPatienceEnds) {
  for (const CompletionMode mode : {CompletionMode::timer, CompletionMode::adaptive}) {
    for (const Time timer : {1us, 10us, 25us, 100us}) {
      for (const bool in_handler : {false, true}) {
        RemoteMemoryScenario remote = model::on_blocks(1, 1);
        remote.access.completion.mode = mode;
        remote.access.completion.timer = timer;
        remote.access.completion.max_retry = static_cast<int>(timer / remote.software.driver.poll);
        remote.block->in_handler = in_handler;
        remote.duration = 20ms;
        const Bounds bounds = analyze(remote);
        const model::RunResult result = run_of(remote);
        EXPECT_NEAR(to_seconds(result.latency.mean) / to_seconds(bounds.unloaded_latency), 1, 0.005)
            << static_cast<int>(mode) << ' ' << to_nanoseconds(timer) << ' ' << in_handler;
        EXPECT_LE(result.throughput.per_second, bounds.throughput.per_second * 1.001)
            << static_cast<int>(mode) << ' ' << to_nanoseconds(timer) << ' ' << in_handler;
      }
    }
  }
}

TEST(RemoteMemoryAnalysis, SaysThatItDoesNotKnowWhatMeetsInTheWindowOfAnApplication) {
  RemoteMemoryScenario remote = std::get<model::RemoteMemoryScenario>(points_of("voltdb_etc").front().scenario.instead);
  const auto speaks_of_the_window = [&] {
    return std::ranges::any_of(analyze(remote).left_out,
                               [](const std::string& what) { return what.starts_with("the window of the device"); });
  };
  remote.access.window = Bytes{0};
  EXPECT_FALSE(speaks_of_the_window());
  remote.access.window = Bytes{7 << 20};
  EXPECT_TRUE(speaks_of_the_window());
  EXPECT_FALSE(std::ranges::any_of(analyze(model::on_blocks(1, 1)).left_out,
                                   [](const std::string& what) { return what.starts_with("the window"); }));
}

/// What it leaves out is all that a run may be slower by.
TEST(RemoteMemoryAnalysis, AnInterruptForEachCompletionIsPartOfTheHandlersBound) {
  for (const CompletionMode mode : {CompletionMode::event, CompletionMode::event_batch}) {
    RemoteMemoryScenario remote = model::on_blocks(8, 1);
    remote.access.completion.mode = mode;
    remote.access.completion.budget = 2;
    const Bounds bounds = analyze(remote);
    EXPECT_EQ(bounds.bottleneck, "host/completion handlers");
    EXPECT_NEAR(run_of(remote).throughput.per_second / bounds.throughput.per_second, 1, 0.01) << static_cast<int>(mode);
  }
}

TEST(RemoteMemoryAnalysis, TellsWhatDependsOnHowCompletionsFall) {
  RemoteMemoryScenario remote = model::on_blocks(4, 4);
  remote.access.completion.mode = CompletionMode::event;
  EXPECT_EQ(analyze(remote).left_out.size(), 1U) << "wake-ups";
  remote.access.completion.mode = CompletionMode::adaptive;
  EXPECT_EQ(analyze(remote).left_out.size(), 2U) << "and interrupts";
  remote.access.completion.mode = CompletionMode::busy;
  remote.block->depth = 1;
  EXPECT_TRUE(analyze(remote).left_out.empty());
}

TEST(RemoteMemoryAnalysis, TellsThatRequestsInOrderMeetAtOnePeer) {
  RemoteMemoryScenario remote = model::on_blocks(1, 64);
  remote.access.completion.mode = CompletionMode::busy;
  remote.block->in_handler = true;
  const auto tells = [&] {
    return std::ranges::any_of(analyze(remote).left_out,
                               [](const std::string& what) { return what.starts_with("that requests in order"); });
  };
  remote.access.peers = 3;
  remote.access.stripe = 1024_KiB;
  EXPECT_TRUE(tells());
  remote.access.stripe = remote.block->size;
  EXPECT_FALSE(tells());
  remote.access.stripe = 1024_KiB;
  remote.block->order = model::AccessOrder::random;
  EXPECT_FALSE(tells());
}

TEST(RemoteMemoryAnalysis, NoRunBeatsASmallWindow) {
  for (const Batching batching : {Batching::single, Batching::doorbell, Batching::merge, Batching::hybrid}) {
    for (const Bytes window : {1_B, 4_KiB, 64_KiB, 1024_KiB}) {
      RemoteMemoryScenario remote = model::on_blocks(8, 256);
      remote.access.batching = batching;
      remote.access.window = window;
      EXPECT_LE(run_of(remote).throughput.per_second, 1.01 * analyze(remote).throughput.per_second)
          << static_cast<int>(batching) << ' ' << window.count;
    }
  }
}

TEST(RemoteMemoryAnalysis, ThreadsPostWhatNeverWaitsForTheWindow) {
  RemoteMemoryScenario remote = model::on_blocks(2, 32);
  remote.access.window = Bytes{remote.block->size.count * 64};
  const double bound = analyze(remote).throughput.per_second;
  EXPECT_LE(run_of(remote).throughput.per_second, bound * 1.005);
  EXPECT_GE(run_of(remote).throughput.per_second, bound * 0.9);
  // In a smaller one some requests wait, and are posted by the handlers.
  remote.access.window = Bytes{remote.access.window.count - 1};
  EXPECT_GT(analyze(remote).throughput.per_second, bound);
}

TEST(RemoteMemoryAnalysis, WhatWaitsForAWindowIsPostedBySomebody) {
  RemoteMemoryScenario remote = model::on_blocks(8, 64);
  remote.access.queue_pairs = 8;
  remote.access.space = model::AddressSpace::user;
  remote.access.registration = model::Registration::map;  // of 50 us in user space
  remote.access.completion.mode = CompletionMode::event_batch;
  remote.access.completion.shared_queues = 2;
  remote.duration = 10ms;
  const double open = analyze(remote).throughput.per_second;
  remote.access.window = 1024_KiB;  // half of what may be in flight
  const Bounds bounds = analyze(remote);
  EXPECT_EQ(bounds.bottleneck, "host/threads of the load and completion handlers");
  EXPECT_LE(bounds.throughput.per_second, open * 10 / 8 * 1.01) << "two handlers post beside eight threads";
  EXPECT_LE(run_of(remote).throughput.per_second, bounds.throughput.per_second);
  EXPECT_GE(run_of(remote).throughput.per_second, bounds.throughput.per_second * 0.7);
}

TEST(RemoteMemoryAnalysis, NoRunBeatsTheDisk) {
  for (const int unreachable : {0, 2, 3}) {
    for (const bool copy : {false, true}) {
      for (const double reads : {0.0, 0.5, 1.0}) {
        RemoteMemoryScenario remote = model::on_blocks(2, 8);
        remote.hardware.disk = model::desktop_disk();
        remote.access.peers = 3;
        remote.access.replicas = 2;
        remote.access.unreachable = unreachable;
        remote.access.copy_on_disk = copy;
        remote.block->read_share = reads;
        remote.block->size = 64_KiB;
        remote.warmup = 100ms;
        remote.duration = 500ms;
        const Bounds bounds = analyze(remote);
        EXPECT_LE(run_of(remote).throughput.per_second, 1.02 * bounds.throughput.per_second)
            << unreachable << ' ' << copy << ' ' << reads;
        if (unreachable == 3) {
          EXPECT_EQ(bounds.bottleneck, "host/disk");
        }
      }
    }
  }
}

TEST(RemoteMemoryAnalysis, NoRunBeatsADiskThatCachesWritesOrChoosesCommands) {
  for (const model::AccessOrder order : {model::AccessOrder::sequential, model::AccessOrder::random}) {
    for (const double reads : {0.0, 0.5}) {
      for (const int depth : {1, 8}) {
        for (const Bytes cache : {Bytes{0}, 64_KiB, 8192_KiB}) {
          RemoteMemoryScenario remote = model::on_blocks(2, 8);
          remote.hardware.disk = model::desktop_disk();
          remote.hardware.disk->mechanics.queue_depth = depth;
          remote.hardware.disk->mechanics.write_cache = cache;
          remote.access.unreachable = remote.access.peers;
          remote.block->read_share = reads;
          remote.block->order = order;
          remote.block->size = 16_KiB;
          remote.warmup = 100ms;
          remote.duration = 500ms;
          const Bounds bounds = analyze(remote);
          const double share = run_of(remote).throughput.per_second / bounds.throughput.per_second;
          EXPECT_LE(share, 1.02) << reads << ' ' << depth << ' ' << cache.count;
          EXPECT_GT(share, 0) << "it does write";
        }
      }
    }
  }
}

RemoteMemoryScenario reads_from_disk(model::AccessOrder order, Bytes size, int depth) {
  RemoteMemoryScenario remote = model::on_blocks(1, depth);
  remote.hardware.disk = model::desktop_disk();
  remote.access.unreachable = remote.access.peers;
  remote.block->read_share = 1;
  remote.block->order = order;
  remote.block->size = size;
  remote.warmup = 100ms;
  remote.duration = 2s;
  return remote;
}

TEST(RemoteMemoryAnalysis, ADiskThatReadsAheadIsOnlyWaitedForWhereItIsTheSlowest) {
  for (const Bytes size : {4_KiB, 1024_KiB}) {
    for (const int depth : {1, 32}) {
      const RemoteMemoryScenario remote = reads_from_disk(model::AccessOrder::sequential, size, depth);
      const Bounds bounds = analyze(remote);
      const model::RunResult result = run_of(remote);
      EXPECT_NEAR(result.throughput.per_second / bounds.throughput.per_second, 0.99, 0.02)
          << size.count << ' ' << depth;
      if (depth > 1) continue;
      EXPECT_NEAR(to_seconds(result.latency.mean) / to_seconds(bounds.unloaded_latency), 1, 0.02) << size.count;
    }
  }
}

TEST(RemoteMemoryAnalysis, ReadsInNoOrderFindNothingInTheDisksBuffer) {
  const RemoteMemoryScenario remote = reads_from_disk(model::AccessOrder::random, 4_KiB, 1);
  // 256 MiB of 1 TB: near the next track; half a revolution.
  const double expected = 1 + 7 * std::sqrt(268435456 / 1e12) + 4 + 0.1 + 4096 / 100e3;
  EXPECT_NEAR(to_seconds(analyze(remote).unloaded_latency) * 1e3, expected, 0.02);
  EXPECT_NEAR(to_seconds(run_of(remote).latency.mean) * 1e3, expected, 0.4);
}

TEST(RemoteMemoryAnalysis, PeersThatAnswerShareTheWork) {
  RemoteMemoryScenario remote = model::on_blocks(8, 16);
  remote.block->read_share = 1;
  remote.access.queue_pairs = 2;
  const auto servers = [&](const std::string& resource, int peers, int unreachable, int replicas) {
    remote.access.peers = peers;
    remote.access.unreachable = unreachable;
    remote.access.replicas = replicas;
    return bound_of(analyze(remote), resource).servers;
  };
  for (const model::Protocol protocol : {model::Protocol::one_sided, model::Protocol::two_sided}) {
    remote.access.protocol = protocol;
    for (const std::string resource : {"peer/PCIe downstream", "peer/NIC receive pipeline", "peer/ports transmit"}) {
      const double one = servers(resource, 1, 0, 1);
      EXPECT_EQ(servers(resource, 3, 0, 1), 3 * one) << resource;
      EXPECT_EQ(servers(resource, 3, 1, 2), 2 * one) << resource;
    }
  }
  remote.software.daemon.threads = 4;
  EXPECT_EQ(servers("peer/daemons", 3, 1, 2), 4);
  remote.access.completion.mode = model::CompletionMode::busy;
  remote.access.completion.threads_per_queue = 8;
  EXPECT_EQ(servers("peer/daemons", 3, 1, 2), 4) << "the host's queues have more, and not the daemons";
}

TEST(RemoteMemoryAnalysis, NoRunBeatsSeveralPeers) {
  scenario::LoadOptions options;
  options.sets = {"sweep=[]"};
  for (const std::string set :
       {"access.batching=hybrid", "access.queue_pairs=4", "access.registration=copy", "access.completion.mode=adaptive",
        "access.peers=3", "block.threads=12", "block.depth=16", "block.order=random", "block.read_share=1"})
    options.sets.push_back("remote_memory." + set);
  const auto points = scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/rdmabox/choose_cx3.json", options);
  const RemoteMemoryScenario& remote = std::get<RemoteMemoryScenario>(points.front().scenario.instead);
  const Bounds bounds = analyze(remote);
  const model::RunResult result = run_of(remote);
  EXPECT_LE(result.throughput.per_second, bounds.throughput.per_second * 1.005);
  EXPECT_GE(result.throughput.per_second, bounds.throughput.per_second * 0.5);
}

TEST(RemoteMemoryAnalysis, TwoSidedRequestsWaitForADaemon) {
  RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.block->size = 64_KiB;
  const Time one_sided = analyze(remote).unloaded_latency;
  remote.access.protocol = model::Protocol::two_sided;
  remote.access.server_copies = 1;
  const Bounds bounds = analyze(remote);
  EXPECT_GT(bounds.unloaded_latency, one_sided + 16us);  // the copy alone
  EXPECT_NEAR(to_seconds(run_of(remote).latency.mean) / to_seconds(bounds.unloaded_latency), 1, 0.02);
  EXPECT_GT(bound_of(bounds, "peer/daemons").demand, 16us);
}

TEST(RemoteMemoryAnalysis, ARecordIsSerialWork) {
  RemoteMemoryScenario remote = model::remote_memory();
  remote.files = model::FileLoad{.record = 256_KiB, .largest_request = 64_KiB};
  remote.duration = 50ms;
  const Bounds bounds = analyze(remote);
  EXPECT_EQ(bounds.bottleneck, "host/operations of the load");
  EXPECT_EQ(bounds.next, "host/threads of the load");
  EXPECT_NEAR(run_of(remote).bandwidth.bytes_per_second / bounds.bandwidth.bytes_per_second, 1, 0.01);
}

TEST(RemoteMemoryAnalysis, AHandlerThatNeverSleepsIsFoundAtWork) {
  RemoteMemoryScenario remote = model::one_at_a_time(4_KiB);
  const Rate busy = analyze(remote).throughput;
  remote.access.completion.mode = CompletionMode::adaptive;
  remote.access.completion.max_retry = 0;
  EXPECT_LT(analyze(remote).throughput.per_second, 0.8 * busy.per_second);
  remote.access.completion.max_retry = 1000;
  EXPECT_NEAR(analyze(remote).throughput.per_second / busy.per_second, 1, 0.02);
}

/// Fig. 1: threads up to four, then the handler of the one completion queue.
TEST(RemoteMemoryAnalysis, NamesTheBottlenecksOfTheShippedScenarios) {
  const auto points = points_of("fig01");
  EXPECT_EQ(analyze(std::get<model::RemoteMemoryScenario>(points.at(2).scenario.instead)).bottleneck,
            "host/threads of the load");
  EXPECT_EQ(analyze(std::get<model::RemoteMemoryScenario>(points.at(5).scenario.instead)).bottleneck,
            "host/completion handlers");
  EXPECT_EQ(analyze(std::get<model::RemoteMemoryScenario>(points_of("fig08").at(11).scenario.instead)).bottleneck,
            "host/PCIe downstream");
}

TEST(RemoteMemoryAnalysis, MoreOfAnythingNeverLowersABound) {
  RemoteMemoryScenario remote = model::on_blocks(2, 4);
  remote.access.batching = Batching::hybrid;
  remote.access.window = 16_KiB;
  Rate before = analyze(remote).throughput;
  const auto no_lower = [&] {
    const Rate now = analyze(remote).throughput;
    EXPECT_GE(now.per_second, before.per_second * (1 - 1e-9));
    before = now;
  };
  remote.block->depth = 64;
  no_lower();
  remote.access.window = 64_KiB;  // which still fills: handlers post
  no_lower();
  remote.access.queue_pairs = 4;
  no_lower();
  remote.block->threads = 8;
  no_lower();
}

TEST(RemoteMemoryAnalysis, AnApplicationInMemoryOnlyComputes) {
  RemoteMemoryScenario remote = model::remote_memory();
  remote.paging = model::PagingLoad{{{}, 4, 10us}, {.pages = 4096}};
  const Bounds bounds = analyze(remote);
  EXPECT_EQ(bounds.unloaded_latency, 10us);
  EXPECT_NEAR(bounds.throughput.per_second, 4e5, 1);
  EXPECT_EQ(bounds.bandwidth.bytes_per_second, 0);
}

TEST(RemoteMemoryAnalysis, WalkersThatGetAheadMissNothing) {
  RemoteMemoryScenario remote = model::remote_memory();
  remote.paging = model::PagingLoad{{{.resident = 0.95}, 4, 5us},
                                    {.pages = 1024, .dirty = 0.2, .order = model::AccessOrder::sequential}};
  remote.warmup = 100ms;
  remote.duration = 20ms;
  const Bounds bounds = analyze(remote);
  const double simulated = run_of(remote).throughput.per_second;
  EXPECT_LE(simulated, bounds.throughput.per_second);
  remote.paging->resident = 0.2;  // nobody's part fits
  const Bounds small = analyze(remote);
  EXPECT_GT(simulated, small.throughput.per_second * 1.2) << "they do get ahead";
  EXPECT_NEAR(run_of(remote).throughput.per_second / small.throughput.per_second, 0.9, 0.1);
  // One thread gets ahead of nobody.
  remote.paging->threads = 1;
  const double alone = analyze(remote).throughput.per_second;
  remote.paging->resident = 0.95;
  EXPECT_DOUBLE_EQ(analyze(remote).throughput.per_second, alone);
}

TEST(RemoteMemoryAnalysis, AFaultEvictsBeforeItReads) {
  for (const model::AddressSpace space : {model::AddressSpace::kernel, model::AddressSpace::user}) {
    RemoteMemoryScenario remote = model::remote_memory();
    remote.access.registration = model::Registration::map;
    remote.access.space = space;
    remote.paging = model::PagingLoad{{{.resident = 0.25, .reclaim = 1}, 1, 10us}, {.pages = 2048, .dirty = 0.5}};
    remote.duration = 60ms;
    const double unloaded = to_nanoseconds(analyze(remote).unloaded_latency);
    EXPECT_NEAR(to_nanoseconds(run_of(remote).latency.mean) / unloaded, 1, 0.03);
  }
}

TEST(RemoteMemoryAnalysis, NoBoundTakesAHandlerForAsleepThatMayStillPoll) {
  RemoteMemoryScenario remote = model::remote_memory();
  remote.hardware.cpu.variation = 0.5;
  remote.access.completion.mode = model::CompletionMode::adaptive;
  remote.paging = model::PagingLoad{{{.resident = 0.25, .reclaim = 1}, 1, 1us}, {.pages = 2048}};
  remote.duration = 60ms;
  for (int retries = 20; retries <= 400; retries += 20) {
    remote.access.completion.max_retry = retries;
    const model::RunResult result = run_of(remote);
    EXPECT_LE(result.throughput.per_second - result.throughput_ci95.per_second,
              analyze(remote).throughput.per_second * 1.005)
        << retries;
  }
}

}  // namespace
}  // namespace doorbell::analytic
