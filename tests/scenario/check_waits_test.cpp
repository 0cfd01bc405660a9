// Windows, and what they leave to each other.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

/// The good scenario, whose clients fill another window before they await `at_least`.
class Windows : public Variants {
 protected:
  [[nodiscard]] static std::string then(int window, int at_least) {
    return replaced(good_scenario, R"({"await": {"at_least": 0}})",
                    R"({"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "worker",
                                 "window": )" +
                        std::to_string(window) + R"(}}, {"await": {"at_least": )" + std::to_string(at_least) + "}}");
  }
};

TEST_F(Windows, AreLargerThanThoseBeforeThem) {
  EXPECT_NO_THROW((void)load(file(then(33, 0))));
  expect_complaint(then(32, 0), never_posts, "/programs/client/loop/1/post/window");
}

TEST_F(Windows, MayBeFilledOnlyOnce) {
  // From the second pass on, the larger one keeps more in flight than the smaller one has room for.
  EXPECT_NO_THROW((void)load(file(then(64, 1))));
}

/// The good scenario with another program, which asks the workers, and which they answer.
class Starts : public Variants {
 protected:
  [[nodiscard]] static std::string with_peer(const std::string& loop) {
    const std::string before = R"("client": {
      "machine": "client", "threads": 14)";
    const std::string peer = R"("peer": {"machine": "client", "threads": 1,
        "queue_pairs": {"requests": {"transport": "UC"}}, "loop": [)" +
                             loop + "]}, ";
    return replaced(good_scenario, before, peer + before);
  }
  const std::string collects_ = R"({"collect": {"via": "completion_queue"}})";
  const std::string asks_ =
      R"({"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "worker"}})";
};

TEST_F(Starts, SomebodyAsksBeforeItCollects) {
  EXPECT_NO_THROW((void)load(file(with_peer(asks_ + ", " + collects_))));
  EXPECT_NO_THROW((void)load(file(with_peer(asks_ + ", " + collects_ + ", " + asks_))));
  expect_complaint(with_peer(collects_ + ", " + asks_), nobody_starts, "/programs/peer/loop/0/collect");
}

TEST_F(Starts, OneOfTwoThatAskEachOtherAnswersBeforeItAwaits) {
  // The clients await answers, which workers give only when the clients have answered them.
  const std::string collects =
      R"({"collect": {"via": "memory", "at_most": 32, "per_slot": "1 ns", "per_item": "5 ns"}})";
  const std::string asks_back = collects + R"(, {"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "responses",
                                                          "to": "client"}}, {"await": {}})";
  const std::string answers = R"({"collect": {"via": "completion_queue"}}, {"post": {"verb": "WRITE", "payload": "8 B",
                                   "queue_pairs": "requests", "destination": "origin"}})";
  const std::string both = replaced(replaced(good_scenario, collects, asks_back), R"({"transport": "UC"})",
                                    R"({"transport": "UC", "count": 6})");
  const std::string await = R"({"await": {"at_least": 0}})";
  expect_complaint(replaced(both, await, await + ", " + answers), nobody_starts, "/programs/worker/loop/2/await");
  EXPECT_NO_THROW((void)load(file(replaced(both, await, answers + ", " + await))));
}

TEST_F(Starts, WhoHasAskedForNothingAwaitsNothing) {
  const std::string await = R"({"await": {"at_least": 0}})";
  const std::string first = replaced(good_scenario, await, R"({"compute": {"per_pass": "1 us"}})");
  EXPECT_NO_THROW(
      (void)load(file(replaced(first, R"({"post": {"verb": "WRITE")", await + R"(, {"post": {"verb": "WRITE")"))));
}

TEST_F(Starts, NothingWrittenIsNoRequest) {
  expect_complaint(replaced(good_scenario, R"("payload": "8 B", "queue_pairs": "requests")",
                            R"("payload": "0 B", "queue_pairs": "requests")"),
                   collect_without_requests, worker + "/loop/0/collect/via");
}

}  // namespace
}  // namespace doorbell::scenario::testing
