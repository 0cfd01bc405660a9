#include "models/nic/response_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "models/fixture.hpp"
#include "models/run.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(ResponseOrder, WhatIsReadyEarlyWaitsForAllBeforeIt) {
  std::array<std::size_t, 5> ready{0, 1, 2, 3, 4};
  do {
    ResponseOrder order;
    std::array<Message, 5> messages;
    for (Message& message : messages) order.await_turn(message);
    std::vector<const Message*> sent;
    std::array<bool, 5> is_ready{};
    for (const std::size_t turn : ready) {
      order.ready(messages[turn], [&](const Message& message) { sent.push_back(&message); });
      is_ready[turn] = true;
      const auto missing = std::ranges::find(is_ready, false) - is_ready.begin();
      ASSERT_EQ(static_cast<std::ptrdiff_t>(sent.size()), missing);
    }
    for (std::size_t turn = 0; turn < sent.size(); ++turn) EXPECT_EQ(sent[turn], &messages[turn]);
  } while (std::ranges::next_permutation(ready).found);
}

TEST(ResponseOrder, GoesOnWithThoseThatComeLater) {
  ResponseOrder order;
  std::array<Message, 1000> messages;
  std::size_t sent = 0;
  const auto send = [&](const Message& message) { EXPECT_EQ(&message, &messages[sent++]); };
  order.await_turn(messages[0]);
  for (std::size_t i = 1; i < messages.size(); ++i) {
    order.await_turn(messages[i]);
    order.ready(messages[i - 1], send);
    EXPECT_EQ(sent, i);
  }
}

/// Mean latency of WRITEs of 8 B, each behind a READ.
Time write_behind(std::int64_t read, int queue_pairs_each) {
  QueuePairs pairs = queue_pairs(Transport::rc);
  pairs.count = queue_pairs_each;
  PostStep reads = post(Verb::read, read);
  reads.signal_every = 1;
  PostStep writes = post(Verb::write, 8);
  writes.signal_every = 1;
  Scenario scenario = scenario_of(connect_ib(), program(pairs, {reads, writes, compute(200us)}), sink());
  scenario.measure.warmup = 500us;
  scenario.measure.duration = 5ms;
  const LatencySummary latency = run(scenario).latency;
  return latency.mean;
}

TEST(ResponseOrder, AnAckDoesNotPassTheResponseOfAReadBeforeIt) {
  // On one queue pair the ACK comes when 256 KiB have; on two, long before.
  const double sizes = 256 * 1024 / connect_ib().port.bandwidth.bytes_per_second;
  EXPECT_GT(to_seconds(write_behind(256 * 1024, 1)), sizes);
  EXPECT_LT(to_seconds(write_behind(256 * 1024, 2)), 0.75 * to_seconds(write_behind(256 * 1024, 1)));
}

}  // namespace
}  // namespace doorbell::model
