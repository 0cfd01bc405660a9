// Lists of requests to be answered: each on a queue pair of its own, in the order of its requests.
#include "models/programs/answer_lists.hpp"

#include <gtest/gtest.h>

#include <array>

namespace doorbell::model {
namespace {

TEST(AnswerLists, EveryRequestIsAnsweredOnceListByList) {
  std::array<Message, 4> requests;
  AnswerLists lists;
  lists.begin(3);
  lists.add(2, requests[0]);
  lists.add(0, requests[1]);
  lists.add(2, requests[2]);
  lists.add(0, requests[3]);
  ASSERT_EQ(lists.left(), 2U);
  EXPECT_EQ(&lists[1], &requests[3]);
  EXPECT_EQ(&lists.take(), &requests[1]);
  EXPECT_EQ(lists.left(), 1U);
  EXPECT_EQ(&lists.take(), &requests[3]);
  ASSERT_EQ(lists.left(), 2U);
  EXPECT_EQ(&lists.take(), &requests[0]);
  EXPECT_EQ(&lists.take(), &requests[2]);
  EXPECT_EQ(lists.left(), 0U);
}

TEST(AnswerLists, BeginWithoutThoseOfThePassBefore) {
  Message request;
  AnswerLists lists;
  lists.begin(2);
  lists.add(1, request);
  (void)lists.left();
  (void)lists.take();
  lists.begin(1);
  lists.add(0, request);
  ASSERT_EQ(lists.left(), 1U);
  EXPECT_EQ(&lists.take(), &request);
  EXPECT_EQ(lists.left(), 0U) << "the second list is empty now";
}

}  // namespace
}  // namespace doorbell::model
