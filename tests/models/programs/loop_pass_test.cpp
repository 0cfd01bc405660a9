#include "models/programs/loop_pass.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

LoopPass pass_of(std::vector<Step> loop) { return fresh_pass(program(queue_pairs(Transport::rc), std::move(loop))); }

TEST(LoopPass, StepsOfOneWindowShareIt) {
  const LoopPass pass = pass_of({post_window(Verb::read, 8, 4), post_window(Verb::write, 8, 6), await(1)});
  EXPECT_EQ(pass.posts, (std::vector<int>{4, 2}));
  EXPECT_EQ(pass.total, 6);
  EXPECT_TRUE(pass.bounded);
}

TEST(LoopPass, ABatchIsAddedToWhatIsInFlightAndBoundedOnlyIfAllIsAwaited) {
  EXPECT_EQ(pass_of({post_window(Verb::read, 8, 4), post(Verb::write, 8, 3), await(0)}).total, 7);
  EXPECT_TRUE(pass_of({post(Verb::write, 8, 3), await(0)}).bounded);
  EXPECT_TRUE(pass_of({post(Verb::write, 8, 3), await(3)}).bounded);
  EXPECT_FALSE(pass_of({post(Verb::write, 8, 3), await(2)}).bounded);
  EXPECT_FALSE(pass_of({post(Verb::write, 8, 3)}).bounded);
}

TEST(LoopPass, OfSeveralWindowsTheLargestIsFilledAgain) {
  const auto steady = [](int at_least) {
    return steady_pass(program(queue_pairs(Transport::rc),
                               {post_window(Verb::read, 8, 4), post_window(Verb::write, 8, 6), await(at_least)}))
        .posts;
  };
  EXPECT_EQ(steady(1), (std::vector<int>{0, 1}));
  EXPECT_EQ(steady(2), (std::vector<int>{0, 2}));
  EXPECT_EQ(steady(3), (std::vector<int>{1, 2}));
  EXPECT_EQ(steady(0), (std::vector<int>{4, 2}));
}

TEST(LoopPass, AnAwaitStepBetweenMakesRoomForTheNext) {
  const LoopPass chained =
      pass_of({post_window(Verb::fetch_add, 8, 1), await(1), post_window(Verb::write, 256, 1), await(1)});
  EXPECT_EQ(chained.posts, (std::vector<int>{1, 1}));
  EXPECT_EQ(chained.awaits, (std::vector<int>{1, 1}));
  EXPECT_EQ(chained.total, 2);
  EXPECT_EQ(chained.most, 1);
  EXPECT_TRUE(chained.bounded);
}

TEST(LoopPass, WhatAnAwaitStepLeavesTakesRoomFromTheNext) {
  const LoopPass pass = pass_of({post_window(Verb::read, 64, 8), await(2), post_window(Verb::read, 256, 8), await(0)});
  EXPECT_EQ(pass.posts, (std::vector<int>{8, 2}));
  EXPECT_EQ(pass.awaits, (std::vector<int>{2, 8}));
  EXPECT_EQ(pass.most, 8);
  EXPECT_EQ(pass.left, 0);
}

TEST(LoopPass, EqualWindowsWithoutAnAwaitStepBetweenLeaveTheSecondNoRoom) {
  const std::vector<Step> loop{post_window(Verb::read, 8, 8), post_window(Verb::write, 8, 8), await(1)};
  EXPECT_EQ(pass_of(loop).posts[1], 0);
  EXPECT_EQ(steady_pass(program(queue_pairs(Transport::rc), loop)).posts[1], 0);
}

TEST(LoopPass, AnswersStartNothing) {
  EXPECT_EQ(pass_of({collect(Channel::completion_queue), answer(8)}).total, 0);
  EXPECT_FALSE(pass_of({collect(Channel::completion_queue), answer(8)}).bounded);
}

}  // namespace
}  // namespace doorbell::model
