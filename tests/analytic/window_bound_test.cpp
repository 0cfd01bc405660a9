#include "analytic/window_bound.hpp"

#include <gtest/gtest.h>

#include "analytic/bound_of.hpp"
#include "analytic/remote_memory_analysis.hpp"
#include "models/remote_memory_fixture.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using model::Batching;
using model::CompletionMode;
using model::RemoteMemoryScenario;
using testing::bound_of;

RemoteMemoryScenario through(Bytes window, Batching batching, CompletionMode mode = CompletionMode::adaptive) {
  RemoteMemoryScenario remote = model::on_blocks(8, 64);
  remote.access.window = window;
  remote.access.batching = batching;
  remote.access.queue_pairs = 4;
  remote.access.completion.mode = mode;
  return remote;
}

InWindow in_window(const RemoteMemoryScenario& remote) {
  const RemoteMemorySoftware software{remote};
  return in_window(remote, software, remote.block->threads * remote.block->depth);
}

double run_over_bound(const RemoteMemoryScenario& remote) {
  return model::run_of(remote).throughput.per_second / analyze(remote).throughput.per_second;
}

TEST(WindowBound, WithoutMergingRequestsFillTheWindow) {
  for (const Batching batching : {Batching::single, Batching::doorbell}) {
    EXPECT_EQ(in_window(through(1_B, batching)).requests, 1);
    EXPECT_EQ(in_window(through(4_KiB, batching)).requests, 1);
    EXPECT_EQ(in_window(through(4097_B, batching)).requests, 2) << "the second goes as long as there is room at all";
    EXPECT_EQ(in_window(through(40_KiB, batching)).requests, 10);
  }
}

/// One request at a time, each with an interrupt unless the handler polls for ever.
TEST(WindowBound, OfOneRequestIsWhatARunTakes) {
  for (const CompletionMode mode : {CompletionMode::busy, CompletionMode::event, CompletionMode::adaptive}) {
    for (const Batching batching : {Batching::single, Batching::doorbell}) {
      const RemoteMemoryScenario remote = through(4_KiB, batching, mode);
      EXPECT_EQ(analyze(remote).bottleneck, "host/window");
      EXPECT_LE(run_over_bound(remote), 1.005) << static_cast<int>(mode);
      EXPECT_GE(run_over_bound(remote), 0.8) << static_cast<int>(mode);
    }
  }
}

/// The window of one request lets a WQE's worth through, and opens when the last of them is done.
TEST(WindowBound, WithMergingOneBatchFollowsTheOther) {
  for (const Batching batching : {Batching::merge, Batching::hybrid}) {
    for (const double reads : {0.0, 1.0}) {
      RemoteMemoryScenario remote = through(4_KiB, batching);
      remote.block->order = model::AccessOrder::random;
      remote.block->read_share = reads;
      EXPECT_EQ(in_window(remote).requests, 32);
      EXPECT_EQ(analyze(remote).bottleneck, "host/window");
      EXPECT_LE(run_over_bound(remote), 1.005) << static_cast<int>(batching) << reads;
      EXPECT_GE(run_over_bound(remote), 0.5) << static_cast<int>(batching) << reads;
    }
  }
  RemoteMemoryScenario few = through(4_KiB, Batching::merge);
  few.block->order = model::AccessOrder::random;
  few.access.chain = 5;
  EXPECT_EQ(in_window(few).requests, 5) << "nothing adjoins";
  few.block->depth = 1;
  few.block->threads = 3;
  EXPECT_EQ(in_window(few).requests, 3);
}

TEST(WindowBound, NoRunBeatsIt) {
  for (const Batching batching : {Batching::single, Batching::doorbell, Batching::merge, Batching::hybrid}) {
    for (const Bytes window : {4_KiB, 8_KiB, 16_KiB, 256_KiB}) {
      for (const CompletionMode mode : {CompletionMode::busy, CompletionMode::adaptive, CompletionMode::timer}) {
        RemoteMemoryScenario remote = through(window, batching, mode);
        remote.block->read_share = 0.5;
        // Every kind of load with one of the windows.
        remote.block->order = window == 16_KiB ? model::AccessOrder::random : model::AccessOrder::sequential;
        remote.block->in_handler = window == 8_KiB;
        EXPECT_LE(run_over_bound(remote), 1.01)
            << static_cast<int>(batching) << ' ' << window.count << ' ' << static_cast<int>(mode);
      }
    }
  }
}

}  // namespace
}  // namespace doorbell::analytic
