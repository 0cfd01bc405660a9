// Post steps that act for requests.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string incrementing = R"({"increment": {"line": "counter"}},)";
const std::string to_store =
    R"({"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "log", "to": "store", "relay": {"copies": 2}}},)";
const std::string answering =
    R"({"post": {"verb": "SEND", "payload": "8 B", "batch": 32, "queue_pairs": "responses", "destination": "origin"}})";
const std::string relaying_step = worker + "/loop/1/post";

/// The good scenario, whose server writes to two stores before it answers.
class RelayScenario : public Variants {
 protected:
  RelayScenario() {
    text_ = replaced(good_scenario, R"("server": {"hardware": "hardware.json"})",
                     R"("server": {"hardware": "hardware.json"}, "store": {"hardware": "hardware.json", "count": 2})");
    text_ = replaced(text_, R"("programs": {)", R"("programs": {"store": {"machine": "store"},)");
    text_ = replaced(text_, R"("queue_pairs": {"responses":)",
                     R"("queue_pairs": {"log": {"transport": "RC", "count": 2}, "responses":)");
    text_ = replaced(text_, incrementing, to_store);
  }
  /// With another text in the step that relays.
  [[nodiscard]] std::string with(const std::string& from, const std::string& to) const {
    return replaced(text_, to_store, replaced(to_store, from, to));
  }

  std::string text_;
};

TEST_F(RelayScenario, IsRead) {
  const model::Scenario scenario = load(file(text_)).front().scenario;
  for (const auto& [name, program] : scenario.programs) {
    const auto* post =
        model::find_step<model::PostStep>(program, [](const model::PostStep& item) { return item.relay.has_value(); });
    EXPECT_EQ(post == nullptr ? 0 : post->relay->copies, name == "worker" ? 2 : 0);
  }
}

TEST_F(RelayScenario, CarriesWhatRequestsBring) {
  EXPECT_NO_THROW(load(file(with(R"("copies": 2)", R"("copies": 2, "carrying": "8 B")"))));
  expect_complaint(with(R"("copies": 2)", R"("copies": 2, "carrying": "9 B")"), without_effect,
                   relaying_step + "/relay/carrying");
}

TEST_F(RelayScenario, CarriesWhatIsMixedIntoRequests) {
  const auto carrying = [&](const std::string& least) {
    return replaced(with(R"("copies": 2)", R"("copies": 2, "carrying": ")" + least + "\""),
                    R"("queue_pairs": "requests", "to": "worker",)",
                    R"("queue_pairs": "requests", "to": "worker",
                       "mix": [{"share": 0.5, "verb": "WRITE", "payload": "16 B"}],)");
  };
  EXPECT_NO_THROW(load(file(carrying("16 B"))));
  expect_complaint(carrying("17 B"), without_effect, relaying_step + "/relay/carrying");
}

TEST_F(RelayScenario, BelongsBetweenCollectingAndAnswering) {
  const std::string without = replaced(text_, to_store, "");
  const std::string before = replaced(without, R"({"collect")", to_store + R"({"collect")");
  expect_complaint(before, relay_misplaced, worker + "/loop/0/post/relay");
  std::string behind = to_store;
  behind.pop_back();  // its comma
  expect_complaint(replaced(without, answering, answering + ", " + behind), relay_misplaced,
                   worker + "/loop/2/post/relay");
  expect_complaint(replaced(text_, answering, R"({"compute": {"per_pass": "1 ns"}})"), relay_misplaced,
                   relaying_step + "/relay");
}

TEST_F(RelayScenario, RequestsDecideHowMuchIsPosted) {
  expect_complaint(with(R"("to": "store")", R"("to": "store", "window": 4)"), relay_misplaced,
                   relaying_step + "/relay");
  expect_complaint(with(R"("to": "store")", R"("to": "store", "destination": "others")"), relay_misplaced,
                   relaying_step + "/relay");
}

TEST_F(RelayScenario, CopiesGoToDifferentMachinesThatAreConnected) {
  expect_complaint(with(R"("copies": 2)", R"("copies": 3)"), relay_copies, relaying_step + "/relay/copies");
  expect_complaint(with(R"("copies": 2)", R"("copies": 1, "at_least": 2)"), relay_copies,
                   relaying_step + "/relay/at_least");
  expect_complaint(replaced(text_, R"("transport": "RC", "count": 2)", R"("transport": "RC")"), unconnected,
                   relaying_step + "/queue_pairs");
}

TEST_F(RelayScenario, AMachineHasNoCopyOfItsOwn) {
  const std::string alike = replaced(
      replaced(
          replaced(text_,
                   R"("server": {"hardware": "hardware.json"}, "store": {"hardware": "hardware.json", "count": 2})",
                   R"("server": {"hardware": "hardware.json", "count": 3})"),
          R"("store": {"machine": "store"})", R"("store": {"machine": "server"})"),
      R"({"transport": "UC"})", R"({"transport": "UC", "count": 3})");
  EXPECT_NO_THROW(load(file(alike)));
  expect_complaint(replaced(alike, R"("copies": 2)", R"("copies": 3)"), relay_copies, relaying_step + "/relay/copies");
}

TEST_F(RelayScenario, QueuePairsCarryNothingElse) {
  const std::string more = R"({"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "log", "to": "store",
                                        "destination": "round_robin"}},)";
  expect_complaint(replaced(text_, to_store, to_store + more), relay_misplaced, relaying_step + "/queue_pairs");
}

TEST_F(RelayScenario, QueuePairsLeadToOneMachineEach) {
  const std::string enough = replaced(text_, R"("transport": "RC", "count": 2)", R"("transport": "RC", "count": 70)");
  expect_complaint(replaced(replaced(enough, R"("queue_pairs": "responses", "destination")",
                                     R"("queue_pairs": "log", "destination")"),
                            R"("responses":)", R"("unused":)"),
                   two_peers, worker + "/loop/2/post/queue_pairs");
}

TEST_F(RelayScenario, WhatIsCollectedMustBeAnswered) {
  const std::string collecting = R"("store": {"machine": "store", "loop": [{"collect": {"via": "memory"}}]})";
  expect_complaint(replaced(text_, R"("store": {"machine": "store"})", collecting), await_unanswered,
                   relaying_step + "/relay");
}

TEST_F(RelayScenario, AllIsAnsweredOrNothing) {
  const std::string collecting =
      R"("store": {"machine": "store", "queue_pairs": {"back": {"transport": "UD"}}, "loop": [
           {"collect": {"via": "memory"}},
           {"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "back", "destination": "origin"}}]})";
  const std::string text = replaced(text_, R"("store": {"machine": "store"})", collecting);
  EXPECT_NO_THROW(load(file(text)));
  const std::string mixed =
      replaced(to_store, R"("relay")", R"("mix": [{"share": 0.5, "verb": "READ", "payload": "8 B"}], "relay")");
  expect_complaint(replaced(text, to_store, mixed), relay_misplaced, relaying_step + "/mix");
  EXPECT_NO_THROW(load(file(replaced(text_, to_store, mixed))));
}

TEST_F(RelayScenario, NeverComesBack) {
  const std::string circling =
      R"("store": {"machine": "store", "queue_pairs": {"back": {"transport": "UD"}, "on": {"transport": "RC"}}, "loop": [
           {"collect": {"via": "memory"}},
           {"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "on", "to": "worker", "relay": {}}},
           {"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "back", "destination": "origin"}}]})";
  expect_complaint(replaced(text_, R"("store": {"machine": "store"})", circling), relay_circle,
                   "/programs/store/loop/1/post/to");
}

TEST_F(RelayScenario, AnswersAreAcknowledgedOnlyForWhatCarriesData) {
  const std::string small = R"("destination": "origin", "acknowledgement": "4 B")";
  const std::string acknowledged = replaced(text_, R"("destination": "origin")", small);
  expect_complaint(acknowledged, access_misplaced, worker + "/loop/2/post/acknowledgement");
  EXPECT_NO_THROW(load(file(replaced(acknowledged, R"("copies": 2})", R"("copies": 2, "carrying": "8 B"})"))));
}

}  // namespace
}  // namespace doorbell::scenario::testing
