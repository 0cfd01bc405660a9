#include "models/pcie/credit_path.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

TEST(CreditPath, TheLinkAloneIsNoTimeOfCredits) {
  CreditPath path;
  for (int i = 1; i <= 10; ++i) path.follow_link(10ns * i);
  EXPECT_EQ(path.by_credits(), 0ns);
}

TEST(CreditPath, ChainsOfCreditsCountTheirTurnsOnceHoweverManyThereAre) {
  CreditPath path;
  std::vector<CreditPath::Step> sent;
  for (int i = 0; i < 3; ++i) sent.push_back(path.follow_link(10ns * (i + 1)));
  for (std::size_t turn = 1; turn <= 20; ++turn) {
    for (std::size_t i = 0; i < 3; ++i) sent[i] = path.follow_credit(sent[i], sent[i].left + 100ns);
  }
  EXPECT_EQ(path.by_credits(), 2us);
}

TEST(CreditPath, WhatWaitedForTheLinkGoesOnFromTheOneBefore) {
  CreditPath path;
  const CreditPath::Step first = path.follow_link(10ns);
  const CreditPath::Step second = path.follow_credit(first, 110ns);
  path.follow_link(120ns);
  EXPECT_EQ(path.by_credits(), 100ns);
  path.follow_credit(second, 210ns);
  EXPECT_EQ(path.by_credits(), 200ns);
}

TEST(CreditPath, MeasuresFromTheEndOfTheWarmUp) {
  CreditPath path;
  const CreditPath::Step first = path.follow_link(10ns);
  const CreditPath::Step second = path.follow_credit(first, 110ns);
  path.measure();
  EXPECT_EQ(path.by_credits(), 0ns);
  path.follow_credit(second, 210ns);
  EXPECT_EQ(path.by_credits(), 100ns);
}

}  // namespace
}  // namespace doorbell::model
