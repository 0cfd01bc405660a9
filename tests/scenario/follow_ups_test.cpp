// Operations that follow on others: where they may be, and what is said where they may not.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string reading =
    R"({"post": {"verb": "READ", "payload": "32 B", "queue_pairs": "reads", "to": "worker", "window": 4,
        "signal_every": 1, "then": [{"verb": "READ", "payload": "64 B"}]}}, {"await": {"at_least": 1}})";

/// Somebody who READs beside the good scenario's clients.
class FollowUpScenario : public Variants {
 protected:
  [[nodiscard]] static std::string with(const std::string& from, const std::string& to) {
    const std::string loop = from.empty() ? reading : replaced(reading, from, to);
    return replaced(good_scenario, R"("programs": {)",
                    R"("programs": {"reader": {"machine": "client",
                       "queue_pairs": {"reads": {"transport": "RC", "count": 8}}, "loop": [)" +
                        loop + "]},");
  }
};
const std::string step = "/programs/reader/loop/0/post";

TEST_F(FollowUpScenario, IsRead) {
  const model::Scenario scenario = load(file(with("", ""))).front().scenario;
  const auto* post = model::find_step<model::PostStep>(*model::find(scenario.programs, "reader"));
  ASSERT_EQ(post->then.size(), 1U);
  EXPECT_EQ(post->then[0].share, 1);
  EXPECT_EQ(post->then[0].payload, Bytes{64});
}

TEST_F(FollowUpScenario, NeedsSomebodyWhoSeesTheEndOfWhatComesBefore) {
  expect_complaint(with(R"(, {"await": {"at_least": 1}})", ""), window_without_await, step + "/window");
  expect_complaint(with(R"("window": 4,)", ""), follow_up_misplaced, step + "/then");
  expect_complaint(replaced(good_scenario, R"("destination": "origin")",
                            R"("destination": "origin", "then": [{"verb": "SEND", "payload": "8 B"}])"),
                   follow_up_misplaced, worker + "/loop/3/post/then");
}

TEST_F(FollowUpScenario, ItsOperationsAreExaminedLikeOthers) {
  const auto following = [](const std::string& operation) {
    return with(R"({"verb": "READ", "payload": "64 B"})", operation);
  };
  expect_complaint(following(R"({"verb": "FETCH_ADD", "payload": "16 B"})"), atomic_payload, step + "/then/0/payload");
  expect_complaint(following(R"({"verb": "READ", "payload": "64 B", "region": {"count": 2, "stride": "32 B"}})"),
                   region_does_not_fit, step + "/then/0/region/stride");
  expect_complaint(following(R"({"verb": "WRITE", "payload": "1 KiB"})"), inline_too_big, step + "/then/0/payload");
  expect_complaint(with(R"("then": [)", R"("mix": [{"share": 0.1, "verb": "READ", "payload": "8 B",
                           "then": [{"verb": "FETCH_ADD", "payload": "4 B"}]}], "then": [)"),
                   atomic_payload, step + "/mix/0/then/0/payload");
}

TEST_F(FollowUpScenario, NamesAreThoseOfAnOperation) {
  expect_complaint(with(R"({"verb": "READ", "payload": "64 B"})", R"({"verb": "READ", "size": "64 B"})"), unknown_key,
                   step + "/then/0/size");
}

}  // namespace
}  // namespace doorbell::scenario::testing
