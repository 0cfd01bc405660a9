#include "models/common/held_time.hpp"

#include <gtest/gtest.h>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(HeldTime, StagesOfOneNameAreOneAndTheLongestComesFirst) {
  HeldTime held;
  held.add(0, 1s);
  held.add(1, 3s);
  held.add(2, 3s);
  held.add(2, 1s);
  const auto shares = held.shares({{"disks", 0.4, Limit::disk_heads}, {"bus", 0.7, Limit::bus_bandwidth}, {"disks"}});
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_EQ(shares[0].resource, "disks");
  EXPECT_EQ(shares[0].limit, Limit::disk_heads);
  EXPECT_DOUBLE_EQ(shares[0].share, 5.0 / 8);
  EXPECT_DOUBLE_EQ(shares[0].busy, 0.4);
  EXPECT_DOUBLE_EQ(shares[1].share, 3.0 / 8);
}

TEST(HeldTime, WhatTwiceAsMuchWouldSaveIsAddedUpToo) {
  HeldTime held;
  held.add(0, 4s, 0.25);
  held.add(1, 4s);
  held.add(0, 2s, 0);
  const auto shares = held.shares({{"bus"}, {"disks"}});
  EXPECT_DOUBLE_EQ(shares[0].gain, 0.1);
  EXPECT_DOUBLE_EQ(shares[1].gain, 0.2);
}

TEST(HeldTime, NothingSavesMoreThanWhatWouldWaitForSomethingElse) {
  HeldTime sent;
  sent.add(0, 4s);
  HeldTime held;
  held.add_at_most(sent, 1);
  EXPECT_DOUBLE_EQ(held.seconds(), 4);
  EXPECT_DOUBLE_EQ(held.shares({{"link"}}).front().gain, 0.25);
  held.add_at_most(sent, -1);
  held.add_at_most(sent, 10);
  EXPECT_DOUBLE_EQ(held.shares({{"link"}}).front().gain, 0.25);
}

TEST(HeldTime, WaitingForOthersIsTimeForWhatTheseDo) {
  HeldTime inner;
  inner.add(0, 1s);
  inner.add(3, 3s);
  HeldTime outer;
  outer.add_wait(inner, 8);
  outer.add(inner);
  EXPECT_DOUBLE_EQ(outer.seconds(), 12);
  EXPECT_DOUBLE_EQ(outer.shares(std::vector<Utilisation>(4, {"all"})).front().share, 1);
  HeldTime nobody;
  outer.add_wait(nobody, 5);
  outer.take_off(inner);
  EXPECT_DOUBLE_EQ(outer.seconds(), 8);
  EXPECT_TRUE(nobody.shares({}).empty());
}

}  // namespace
}  // namespace doorbell::model
