// Connected queue pairs lead to one peer, whichever step posts on them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;
using ::testing::HasSubstr;

const std::string second = "/programs/client/loop/1/post/queue_pairs";

/// The good scenario, whose clients also write to stores, on the queue pairs of their requests.
class Connections : public Variants {
 protected:
  Connections() {
    text_ = replaced(good_scenario, R"("server": {"hardware": "hardware.json"})",
                     R"("server": {"hardware": "hardware.json"}, "store": {"hardware": "hardware.json"})");
    text_ = replaced(text_, R"("programs": {)", R"("programs": {"store": {"machine": "store"},)");
    text_ = replaced(text_, R"({"post": {"verb": "WRITE")",
                     R"({"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "store",
                       "window": 16}}, {"post": {"verb": "WRITE")");
  }
  /// Clients whose two steps that write to three stores share queue pairs.
  [[nodiscard]] static std::string spread(const std::string& first, const std::string& other) {
    const auto write = [](const std::string& destination, int window) {
      return R"({"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "writes", "to": "store", "destination": ")" +
             destination + R"(", "window": )" + std::to_string(window) + "}}, ";
    };
    std::string text = replaced(good_scenario, R"("server": {"hardware": "hardware.json"})",
                                R"("server": {"hardware": "hardware.json"},
                                   "store": {"hardware": "hardware.json", "count": 3})");
    text = replaced(text, R"("programs": {)", R"("programs": {"store": {"machine": "store"},)");
    text =
        replaced(text, R"({"transport": "UC"})", R"({"transport": "UC"}, "writes": {"transport": "UC", "count": 3})");
    return replaced(text, R"({"post": {"verb": "WRITE")",
                    write(first, 4) + write(other, 8) + R"({"post": {"verb": "WRITE")");
  }

  std::string text_;
};

TEST_F(Connections, ToTwoMachinesInTwoStepsAreRefused) {
  expect_complaint(text_, two_peers, second);
  EXPECT_THAT(
      complaint_of(file(text_)).what(),
      HasSubstr(R"(expected other UC queue pairs than in step 0 of the loop, where those of "requests" lead to )"
                R"(the machine of "store", found the same, for the machine of "server")"));
}

TEST_F(Connections, OfTheirOwnForEachStepAreFine) {
  EXPECT_NO_THROW(load(file(replaced(
      replaced(text_, R"("queue_pairs": "requests", "to": "store")", R"("queue_pairs": "writes", "to": "store")"),
      R"({"transport": "UC"})", R"({"transport": "UC"}, "writes": {"transport": "UC"})"))));
}

TEST_F(Connections, WithoutConnectionLeadAnywhere) {
  std::string text = replaced(text_, R"({"transport": "UC"})", R"({"transport": "UD"})");
  for (int i = 0; i < 2; ++i) text = replaced(text, R"("verb": "WRITE")", R"("verb": "SEND")");
  text = replaced(text, R"("via": "memory", "at_most": 32, "per_slot": "1 ns")",
                  R"("via": "completion_queue", "at_most": 32)");
  EXPECT_NO_THROW(load(file(text)));
}

TEST_F(Connections, ToProgramsOfOneMachineAreFine) {
  EXPECT_NO_THROW(
      load(file(replaced(replaced(text_, R"("store": {"machine": "store"})", R"("store": {"machine": "server"})"),
                         R"(, "store": {"hardware": "hardware.json"})", ""))));
}

TEST_F(Connections, DealtOutInAnotherWayAreRefused) {
  const std::string text = spread("round_robin", "fixed");
  expect_complaint(text, two_peers, second);
  EXPECT_THAT(complaint_of(file(text)).what(), HasSubstr(R"(the 3 machines of "store", one after the other, found)"));
  EXPECT_THAT(complaint_of(file(text)).what(), HasSubstr(R"(the 3 machines of "store", one for each thread)"));
  expect_complaint(spread("random", "others"), two_peers, second);
  for (const char* same : {"fixed", "others"}) EXPECT_NO_THROW(load(file(spread(same, same)))) << same;
  EXPECT_NO_THROW(load(file(spread("round_robin", "random"))));
}

TEST_F(Connections, AreNeededForEachThreadThatReceivesSends) {
  // Six threads on one machine.
  const auto asking = [](const std::string& verb, const std::string& destination, int count) {
    std::string text = replaced(good_scenario, R"("via": "memory", "at_most": 32, "per_slot": "1 ns")",
                                R"("via": ")" + std::string{verb == "SEND" ? "completion_queue" : "memory"} +
                                    R"(", "at_most": 32)" + (verb == "SEND" ? "" : R"(, "per_slot": "1 ns")"));
    text = replaced(text, R"({"transport": "UC"})", R"({"transport": "UC", "count": )" + std::to_string(count) + "}");
    return replaced(text, R"({"post": {"verb": "WRITE")",
                    R"({"post": {"destination": ")" + destination + R"(", "verb": ")" + verb + '"');
  };
  const std::string step = "/programs/client/loop/0/post/queue_pairs";
  expect_complaint(asking("SEND", "round_robin", 5), unconnected, step);
  EXPECT_THAT(
      complaint_of(file(asking("SEND", "round_robin", 5))).what(),
      HasSubstr(R"(expected at least 6 UC queue pairs in "requests", one for each thread of "worker", found 5)"));
  EXPECT_NO_THROW(load(file(asking("SEND", "random", 6))));
  EXPECT_NO_THROW(load(file(asking("SEND", "fixed", 1))));
  EXPECT_NO_THROW(load(file(asking("WRITE", "round_robin", 1)))) << "the memory of one machine";
}

TEST_F(Connections, ToAThreadLeadThereInAllSteps) {
  // Six threads of "worker" and as many of "other", on one machine.
  const auto two_sends = [](const std::string& to, const std::string& destination) {
    std::string text = replaced(good_scenario, R"("via": "memory", "at_most": 32, "per_slot": "1 ns")",
                                R"("via": "completion_queue", "at_most": 32)");
    text = replaced(text, R"({"transport": "UC"})", R"({"transport": "UC", "count": 6})");
    text = replaced(text, R"("programs": {)", R"("programs": {"other": {"machine": "server", "threads": 6},)");
    return replaced(text, R"({"post": {"verb": "WRITE")",
                    R"({"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "requests", "window": 16, "to": ")" +
                        to + R"(", "destination": ")" + destination + R"("}}, {"post": {"verb": "SEND")");
  };
  EXPECT_NO_THROW(load(file(two_sends("worker", "round_robin"))));
  expect_complaint(two_sends("worker", "fixed"), two_peers, second);
  expect_complaint(two_sends("other", "round_robin"), two_peers, second);
}

}  // namespace
}  // namespace doorbell::scenario::testing
