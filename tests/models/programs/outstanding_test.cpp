// Operations of a thread between posting and taking what came back.
#include "models/programs/outstanding.hpp"

#include <gtest/gtest.h>

#include "models/programs/program.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

Answer answer_at(Time visible, const Program* by = nullptr) { return {.visible = visible, .by = by}; }

TEST(Outstanding, AnswersAreTakenAsTheyCome) {
  Outstanding outstanding{false};
  const std::uint32_t first = outstanding.begin_part(0ns);
  const std::uint32_t second = outstanding.begin_part(0ns);
  outstanding.complete(second, answer_at(20ns));
  EXPECT_TRUE(outstanding.has(1));
  EXPECT_FALSE(outstanding.has(2));
  outstanding.complete(first, answer_at(30ns));
  EXPECT_EQ(outstanding.when(2), 30ns);
  EXPECT_EQ(outstanding.take().visible, 20ns);
  EXPECT_EQ(outstanding.take().visible, 30ns);
  EXPECT_TRUE(outstanding.none_came());
}

TEST(Outstanding, InOrderNothingPassesTheOldest) {
  Outstanding outstanding{true};
  const std::uint32_t first = outstanding.begin_part(0ns);
  const std::uint32_t second = outstanding.begin_part(0ns);
  const std::uint32_t third = outstanding.begin_part(0ns);
  outstanding.complete(third, answer_at(5ns));
  outstanding.complete(second, answer_at(10ns));
  EXPECT_FALSE(outstanding.has(1));
  outstanding.complete(first, answer_at(40ns));
  EXPECT_TRUE(outstanding.has(3));
  EXPECT_EQ(outstanding.when(1), 40ns);
  EXPECT_EQ(outstanding.when(3), 40ns);
  EXPECT_EQ(outstanding.take().visible, 40ns);
  EXPECT_EQ(outstanding.take().visible, 10ns);
  const std::uint32_t fourth = outstanding.begin_part(50ns);
  outstanding.complete(fourth, answer_at(60ns));
  EXPECT_EQ(outstanding.when(2), 60ns);
}

TEST(Outstanding, TheLatestOfThoseAwaitedIsNamed) {
  const Program early;
  const Program late;
  Outstanding outstanding{false};
  outstanding.answer(answer_at(10ns, &late));
  outstanding.answer(answer_at(5ns, &early));
  EXPECT_EQ(outstanding.last_of(2), &late);
  outstanding.answer(answer_at(10ns, &early));
  EXPECT_EQ(outstanding.last_of(3), &early);
  EXPECT_EQ(outstanding.last_of(0), nullptr);
}

TEST(Outstanding, AgeGrowsWithAllThatIsUnderWay) {
  Outstanding outstanding{false};
  outstanding.begin(10ns);
  outstanding.begin(20ns);
  outstanding.measure(30ns);
  EXPECT_EQ(outstanding.before(), 2U);
  EXPECT_EQ(outstanding.aged(40ns), 20ns);
  // What ends takes its age along: it was 30 ns old at 40 ns.
  outstanding.end(1, 10ns);
  EXPECT_EQ(outstanding.size(), 1U);
  EXPECT_EQ(outstanding.aged(40ns), -10ns);
  EXPECT_EQ(outstanding.aged(50ns), 0ns);
}

TEST(Outstanding, WhatWasThereBeforeIsStuckUntilSomethingEnds) {
  Outstanding outstanding{false};
  outstanding.begin(10ns);
  outstanding.begin(20ns);
  outstanding.end(1, 10ns);
  outstanding.measure(30ns);
  outstanding.begin(40ns);
  EXPECT_EQ(outstanding.stuck(), 1U);
  outstanding.end(1, 40ns);
  EXPECT_EQ(outstanding.stuck(), 0U);
}

}  // namespace
}  // namespace doorbell::model
