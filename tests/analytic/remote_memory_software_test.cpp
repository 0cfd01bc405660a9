#include "analytic/remote_memory_software.hpp"

#include <gtest/gtest.h>

#include "models/remote_memory_fixture.hpp"

namespace doorbell::analytic {
namespace {

using namespace std::chrono_literals;
using namespace doorbell::literals;
using model::CompletionMode;
using model::RemoteMemoryScenario;

TEST(RemoteMemorySoftware, AddsUpWhatTheProfileSays) {
  const RemoteMemoryScenario remote = model::on_blocks(2, 8);
  const RemoteMemorySoftware software{remote};
  EXPECT_DOUBLE_EQ(software.of_load().count(), 1.5e-6);          // submit, reap
  EXPECT_DOUBLE_EQ(software.posting().count(), 170e-9);          // lock 20, post 100, WQE 20, doorbell 30
  EXPECT_DOUBLE_EQ(software.locked().count(), 150e-9);           // without taking the lock
  EXPECT_NEAR(software.handling().count(), 521.5625e-9, 1e-15);  // finish 500, CQE 20, a 32nd of a poll
}

TEST(RemoteMemorySoftware, ARequestIsEndedForEachMachineThatItWentTo) {
  RemoteMemoryScenario remote = model::on_blocks(2, 8);
  const Seconds one = RemoteMemorySoftware{remote}.handling();
  remote.access.peers = 3;
  remote.access.replicas = 3;
  EXPECT_NEAR(RemoteMemorySoftware{remote}.handling().count(), 3 * one.count(), 1e-15);
}

TEST(RemoteMemorySoftware, AnInterruptPerCompletionIsPaidForEachTime) {
  RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.access.completion.mode = CompletionMode::event;
  EXPECT_NEAR(RemoteMemorySoftware{remote}.handling().count(), 1570e-9, 1e-15);
  remote.access.space = model::AddressSpace::user;
  EXPECT_NEAR(RemoteMemorySoftware{remote}.handling().count(), 3070e-9, 1e-15);
}

TEST(RemoteMemorySoftware, WhatIsReadIsCopiedByWhoTakesTheCompletion) {
  RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.access.registration = model::Registration::copy;
  const Seconds writes_post = RemoteMemorySoftware{remote}.posting();
  const Seconds writes_end = RemoteMemorySoftware{remote}.handling();
  remote.block->read_share = 1;
  const Seconds copy{1.024e-6};  // 4 KiB at 4 GB/s
  EXPECT_NEAR((writes_post - RemoteMemorySoftware{remote}.posting()).count(), copy.count(), 1e-15);
  EXPECT_NEAR((RemoteMemorySoftware{remote}.handling() - writes_end).count(), copy.count(), 1e-15);
}

TEST(RemoteMemorySoftware, ThreadsThatPollForEverSlowAllOthersDown) {
  RemoteMemoryScenario remote = model::on_blocks(14, 1);
  EXPECT_DOUBLE_EQ(RemoteMemorySoftware{remote}.slowdown(14), 1);
  remote.access.peers = 14;
  EXPECT_DOUBLE_EQ(RemoteMemorySoftware{remote}.slowdown(14), 1);
  remote.access.completion.mode = CompletionMode::busy;  // 14 cores without a second thread, for 28
  EXPECT_DOUBLE_EQ(RemoteMemorySoftware{remote}.slowdown(14), 2);
  remote.access.completion.shared_queues = 1;
  EXPECT_EQ(RemoteMemorySoftware{remote}.handlers(), 1);
}

TEST(RemoteMemorySoftware, PollersOfOneQueuePassItsLockOn) {
  RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.access.completion.mode = CompletionMode::busy;
  const Seconds one = RemoteMemorySoftware{remote}.handling();
  const Seconds answering = RemoteMemorySoftware{remote}.answering();
  remote.access.completion.threads_per_queue = 3;
  EXPECT_EQ(RemoteMemorySoftware{remote}.answering(), answering) << "those of the host";
  EXPECT_NEAR((RemoteMemorySoftware{remote}.handling() - one).count(), 100e-9, 1e-15);
  remote.access.completion.mode = CompletionMode::adaptive;
  const Seconds without = RemoteMemorySoftware{remote}.handling();
  remote.access.completion.threads_per_queue = 1;
  EXPECT_EQ(RemoteMemorySoftware{remote}.handling(), without) << "there are none";
}

TEST(RemoteMemorySoftware, WhatIsWrittenToSeveralMachinesIsCopiedOnce) {
  RemoteMemoryScenario remote = model::on_blocks(1, 1);
  remote.access.peers = 2;
  remote.access.replicas = 2;
  const Seconds in_place = RemoteMemorySoftware{remote}.posting();
  remote.access.registration = model::Registration::copy;
  EXPECT_NEAR((RemoteMemorySoftware{remote}.posting() - in_place).count(), 1.024e-6, 1e-15);
}

}  // namespace
}  // namespace doorbell::analytic
