#include "models/programs/relay_state.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "models/nic/queue_pair.hpp"

namespace doorbell::model {
namespace {

using namespace std::chrono_literals;

/// Three peers, each with a queue pair of its own.
class RelayStateTest : public ::testing::Test {
 protected:
  void prepare(int copies, int at_least) {
    Relay relay;
    relay.copies = copies;
    relay.at_least = at_least;
    std::vector<RelayPeer> peers;
    for (QueuePair& pair : pairs_) peers.push_back({.threads = {}, .queue_pairs = {&pair}});
    state_.emplace(relay, std::move(peers));
  }

  /// Posts all that waits; the last of each list is signaled. By queue pair.
  void post(int batch) {
    while (const auto list = state_->next(batch)) {
      lists_.push_back(list->operations);
      for (int i = 0; i < list->operations; ++i) {
        Message message;
        message.queue_pair = list->queue_pair;
        message.wqe = list->queue_pair->posted++;
        message.signaled = i + 1 == list->operations;
        message.relayed = list->peer->waiting.pop();
        posted_.push_back(message);
      }
    }
  }

  void complete(Message& message, Time visible) {
    message.visible = visible;
    if (message.signaled) message.queue_pair->completions.push({message.wqe, visible});
    state_->completed(message);
  }

  /// Requests that go on until then.
  std::vector<Message*> returned(Time now) {
    std::vector<Message*> requests;
    while (const auto done = state_->take(now)) {
      if (done->request != nullptr) requests.push_back(done->request);
    }
    return requests;
  }

  std::array<QueuePair, 3> pairs_;
  std::optional<RelayState> state_;
  std::array<Message, 4> requests_;
  std::vector<Message> posted_;
  std::vector<int> lists_;
};

TEST_F(RelayStateTest, CopiesGoToDifferentPeersInLists) {
  prepare(2, 0);
  for (Message& request : requests_) state_->add(&request, 2, Time{0});  // to the last peer, and round to the first
  post(3);
  EXPECT_EQ(lists_, (std::vector<int>{3, 1, 3, 1}));
  EXPECT_EQ(pairs_[0].posted, 4U);
  EXPECT_EQ(pairs_[1].posted, 0U);
  EXPECT_EQ(pairs_[2].posted, 4U);
  EXPECT_FALSE(state_->next(3));
}

TEST_F(RelayStateTest, ARequestGoesOnWhenEnoughIsDone) {
  prepare(3, 2);
  state_->add(requests_.data(), 0, 5ns);
  post(1);
  ASSERT_EQ(posted_.size(), 3U);
  complete(posted_[1], 100ns);
  EXPECT_TRUE(returned(100ns).empty());
  complete(posted_[2], 200ns);
  EXPECT_EQ(state_->earliest(), Time{200ns});
  EXPECT_TRUE(returned(199ns).empty());
  EXPECT_EQ(returned(200ns), std::vector<Message*>{requests_.data()});
  // The last one is still seen, and lets no request go on twice.
  complete(posted_[0], 300ns);
  const auto last = state_->take(300ns);
  ASSERT_TRUE(last);
  EXPECT_TRUE(last->polled);
  EXPECT_EQ(last->request, nullptr);
  EXPECT_EQ(state_->earliest(), Time::max());
}

TEST_F(RelayStateTest, WhatIsNotSignaledIsSeenWithTheNextCompletion) {
  prepare(1, 0);
  for (Message& request : requests_) state_->add(&request, 1, Time{0});
  post(4);
  for (std::size_t i = 0; i < 3; ++i) {
    complete(posted_[i], 100ns);
    EXPECT_TRUE(returned(1us).empty()) << i;
  }
  complete(posted_[3], 250ns);
  EXPECT_TRUE(returned(249ns).empty());
  int polled = 0;
  std::vector<Message*> order;
  while (const auto done = state_->take(250ns)) {
    polled += done->polled ? 1 : 0;
    order.push_back(done->request);
  }
  EXPECT_EQ(polled, 1);
  EXPECT_EQ(order, (std::vector<Message*>{&requests_[0], &requests_[1], &requests_[2], &requests_[3]}));
  EXPECT_EQ(pairs_[1].reclaimed, 4U);
}

TEST_F(RelayStateTest, WhatIsDoneBehindItsCompletionIsSeenAtOnce) {
  prepare(1, 0);
  for (Message& request : requests_) state_->add(&request, 0, Time{0});
  post(4);
  complete(posted_[3], 100ns);  // overtakes, as a WRITE's ACK may overtake a READ's response
  EXPECT_EQ(returned(100ns).size(), 1U);
  complete(posted_[0], 150ns);
  EXPECT_EQ(returned(150ns), std::vector<Message*>{requests_.data()});
}

TEST_F(RelayStateTest, AnswersNeedNoCompletion) {
  prepare(1, 0);
  state_->add(requests_.data(), 0, Time{0});
  post(1);
  OperationPlan plan;
  Message answer;
  answer.plan = &plan;
  answer.relayed = posted_[0].relayed;
  answer.visible = 70ns;
  state_->answered(answer);
  const auto done = state_->take(70ns);
  ASSERT_TRUE(done);
  EXPECT_TRUE(done->polled);
  EXPECT_EQ(done->request, requests_.data());
}

TEST_F(RelayStateTest, OnlyAnswersThatLeaveACqeArePolled) {
  const auto is_polled = [this](Verb verb, bool immediate) {
    prepare(1, 0);
    state_->add(requests_.data(), 0, Time{0});
    post(1);
    OperationPlan plan;
    plan.operation.verb = verb;
    plan.operation.immediate = immediate;
    Message answer;
    answer.plan = &plan;
    answer.relayed = posted_.back().relayed;
    state_->answered(answer);
    return state_->take(Time{0}).value().polled;
  };
  EXPECT_TRUE(is_polled(Verb::send, false));
  EXPECT_TRUE(is_polled(Verb::write, true));
  EXPECT_FALSE(is_polled(Verb::write, false));
}

TEST_F(RelayStateTest, RecordsAreUsedAgain) {
  prepare(2, 1);
  RelayedRequest* first = nullptr;
  for (int round = 0; round < 3; ++round) {
    state_->add(requests_.data(), 0, Time{0});
    post(1);
    if (first == nullptr) first = posted_[0].relayed;
    EXPECT_EQ(posted_[0].relayed, first);
    for (Message& message : posted_) complete(message, 10ns);
    EXPECT_EQ(returned(10ns).size(), 1U);
    posted_.clear();
  }
}

TEST_F(RelayStateTest, ACompletionTellsOfItsListAndNothingOfTheNextWhicheverIsDoneFirst) {
  for (const std::array<std::size_t, 2> done : {std::array<std::size_t, 2>{0, 2}, {2, 0}}) {
    pairs_ = {};
    posted_.clear();
    prepare(1, 0);
    for (Message& request : requests_) state_->add(&request, 0, Time{0});
    post(2);
    ASSERT_EQ(posted_.size(), 4U);
    for (const std::size_t number : done) complete(posted_[number], 110ns);
    complete(posted_[1], 120ns);
    EXPECT_EQ(returned(1us), (std::vector<Message*>{&requests_[0], &requests_[1]})) << done.front();
    complete(posted_[3], 200ns);
    EXPECT_EQ(returned(1us), (std::vector<Message*>{&requests_[2], &requests_[3]})) << done.front();
  }
}

}  // namespace
}  // namespace doorbell::model
