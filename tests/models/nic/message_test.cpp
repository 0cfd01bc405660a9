#include "models/nic/message.hpp"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace doorbell::model {
namespace {

TEST(MessagePool, MessagesInUseAreDistinct) {
  MessagePool pool;
  std::set<Message*> taken;
  for (int i = 0; i < 5000; ++i) EXPECT_TRUE(taken.insert(pool.take()).second);
}

TEST(MessagePool, WhatWasGivenBackIsTakenAgainBeforeThePoolGrows) {
  MessagePool pool;
  std::vector<Message*> messages;
  for (int i = 0; i < 1024; ++i) messages.push_back(pool.take());
  const std::set<Message*> known(messages.begin(), messages.end());
  for (int round = 0; round < 3; ++round) {
    for (Message* message : messages) pool.give_back(message);
    messages.clear();
    for (int i = 0; i < 1024; ++i) messages.push_back(pool.take());
    EXPECT_EQ(std::set<Message*>(messages.begin(), messages.end()), known);
  }
}

TEST(MessagePool, ARecycledMessageRemembersNothing) {
  MessagePool pool;
  Message* message = pool.take();
  message->wqe = 7;
  message->signaled = true;
  message->is_reply = true;
  message->answers = true;
  message->address = 64;
  message->posted = Time{5};
  pool.give_back(message);
  const Message* again = pool.take();
  ASSERT_EQ(again, message);
  EXPECT_EQ(again->wqe, 0U);
  EXPECT_FALSE(again->signaled);
  EXPECT_FALSE(again->is_reply);
  EXPECT_FALSE(again->answers);
  EXPECT_EQ(again->address, 0);
  EXPECT_EQ(again->posted, Time{0});
  EXPECT_EQ(again->next, nullptr);
  EXPECT_EQ(again->plan, nullptr);
  EXPECT_EQ(again->destination, nullptr);
}

}  // namespace
}  // namespace doorbell::model
