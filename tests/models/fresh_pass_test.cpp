#include "models/fresh_pass.hpp"

#include <gtest/gtest.h>

#include "models/fixture.hpp"

namespace doorbell::model {
namespace {

FreshPass pass_of(std::vector<Step> loop) { return fresh_pass(program(queue_pairs(Transport::rc), std::move(loop))); }

TEST(FreshPass, StepsOfOneWindowShareIt) {
  const FreshPass pass = pass_of({post_window(Verb::read, 8, 4), post_window(Verb::write, 8, 6), await(1)});
  EXPECT_EQ(pass.posts, (std::vector<int>{4, 2}));
  EXPECT_EQ(pass.total, 6);
  EXPECT_TRUE(pass.bounded);
}

TEST(FreshPass, ABatchIsAddedToWhatIsInFlightAndBoundedOnlyIfAllIsAwaited) {
  EXPECT_EQ(pass_of({post_window(Verb::read, 8, 4), post(Verb::write, 8, 3), await(0)}).total, 7);
  EXPECT_TRUE(pass_of({post(Verb::write, 8, 3), await(0)}).bounded);
  EXPECT_TRUE(pass_of({post(Verb::write, 8, 3), await(3)}).bounded);
  EXPECT_FALSE(pass_of({post(Verb::write, 8, 3), await(2)}).bounded);
  EXPECT_FALSE(pass_of({post(Verb::write, 8, 3)}).bounded);
}

TEST(RefillPass, OfSeveralWindowsTheLargestIsFilledAgain) {
  const auto refill = [](int at_least) {
    return refill_pass(program(queue_pairs(Transport::rc),
                               {post_window(Verb::read, 8, 4), post_window(Verb::write, 8, 6), await(at_least)}))
        .posts;
  };
  EXPECT_EQ(refill(1), (std::vector<int>{0, 1}));
  EXPECT_EQ(refill(2), (std::vector<int>{0, 2}));
  EXPECT_EQ(refill(3), (std::vector<int>{1, 2}));
  EXPECT_EQ(refill(0), (std::vector<int>{4, 2}));
}

TEST(FreshPass, AnswersStartNothing) {
  EXPECT_EQ(pass_of({collect(Channel::completion_queue), answer(8)}).total, 0);
  EXPECT_FALSE(pass_of({collect(Channel::completion_queue), answer(8)}).bounded);
}

}  // namespace
}  // namespace doorbell::model
