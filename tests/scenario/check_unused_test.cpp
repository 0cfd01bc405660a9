// What is described and not used.
#include <gmock/gmock.h>

#include "bad_input.hpp"
#include "scenario/profile.hpp"
#include "scenario/schema.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

class Unused : public Variants {};

/// The good scenario with requests by SENDs over UD.
const std::string sending = [] {
  std::string text = replaced(good_scenario, R"("via": "memory", "at_most": 32, "per_slot": "1 ns")",
                              R"("via": "completion_queue", "at_most": 32)");
  text = replaced(text, R"({"requests": {"transport": "UC"}})", R"({"requests": {"transport": "UD", "count": 6}})");
  return replaced(text, R"("verb": "WRITE", "payload": "8 B")", R"("verb": "SEND", "payload": "8 B")");
}();

TEST_F(Unused, QueuePairsOnWhichNothingIsPosted) {
  const std::string more = R"({"requests": {"transport": "UC"}, "more": {"transport": "UD"}})";
  const std::string with_more = replaced(good_scenario, R"({"requests": {"transport": "UC"}})", more);
  expect_complaint(with_more, without_effect, "/programs/client/queue_pairs/more");
  // RECVs are posted there.
  const std::string replenished = replaced(with_more, R"({"await": {"at_least": 0}})",
                                           R"({"await": {"at_least": 0}}, {"replenish": {"queue_pairs": "more"}})");
  EXPECT_NO_THROW(load(file(replenished)));
}

TEST_F(Unused, RecvsOfASecondStepThatPostsThemForRequests) {
  const std::string first = R"({"replenish": {"queue_pairs": "responses"}})";
  const std::string another = R"({"replenish": {"queue_pairs": "responses", "recvs": 1}})";
  const auto collecting = [](const std::string& steps) {
    return replaced(sending, R"({"increment": {"line": "counter"}})", steps);
  };
  EXPECT_NO_THROW((void)load(file(collecting(another))));
  expect_complaint(collecting(first + ", " + another), without_effect, worker + "/loop/2/replenish");
  // Clients that only await have RECVs enough, and each step takes its time.
  const std::string await = R"({"await": {"at_least": 0}})";
  const std::string refilled = await + R"(, {"replenish": {"queue_pairs": "requests"}})";
  EXPECT_NO_THROW((void)load(file(replaced(sending, await, refilled + ", " + refilled))));
}

TEST_F(Unused, RecvsOfQueuePairsByWhichNothingComes) {
  const auto refilled = [](const std::string& scenario) {
    return replaced(scenario, R"({"await": {"at_least": 0}})",
                    R"({"await": {"at_least": 0}}, {"replenish": {"queue_pairs": "requests"}})");
  };
  const std::string at = "/programs/client/loop/2/replenish/queue_pairs";
  expect_complaint(refilled(good_scenario), without_effect, at);  // answers come by UD, and these are UC
  EXPECT_NO_THROW((void)load(file(refilled(sending))));
  // WRITEs take none, unless they have immediate data.
  const auto answered_by = [&](const std::string& verb) {
    return refilled(replaced(replaced(sending, R"("verb": "SEND", "payload": "8 B", "batch": 32)", verb),
                             R"({"requests": {"transport": "UD", "count": 6}})",
                             R"({"requests": {"transport": "UC", "count": 6}})"));
  };
  const std::string write = R"("verb": "WRITE", "payload": "8 B", "batch": 32)";
  const auto over_uc = [](const std::string& scenario) {
    return replaced(scenario, R"({"transport": "UD", "count": 3)", R"({"transport": "UC", "count": 70)");
  };
  expect_complaint(over_uc(answered_by(write)), without_effect, at);
  EXPECT_NO_THROW((void)load(file(over_uc(answered_by(write + R"(, "immediate": true)")))));
  // Of two sets of one transport each may lead to somebody who answers.
  const std::string two = replaced(sending, R"({"requests": {"transport": "UD", "count": 6})",
                                   R"({"more": {"transport": "UD"}, "requests": {"transport": "UD", "count": 6})");
  EXPECT_NO_THROW((void)load(file(replaced(refilled(two), R"({"replenish": {"queue_pairs": "requests"}})",
                                           R"({"replenish": {"queue_pairs": "more"}})"))));
  // Another point may have what comes.
  const std::string sweep =
      R"("sweep": [{"path": "/programs/client/queue_pairs/requests/transport", "values": ["UC", "UD"]}], "measure":)";
  EXPECT_NO_THROW((void)load(file(replaced(refilled(sending), R"("measure":)", sweep))));
}

TEST_F(Unused, InlineReceiveOnQueuePairsByWhichNothingComes) {
  const auto inlined = [](const std::string& transport) {
    return replaced(
        good_scenario, R"({"requests": {"transport": "UC"}})",
        R"({"requests": {"transport": "UC"}, "more": {"transport": ")" + transport + R"(", "inline_receive": true}})");
  };
  expect_complaint(inlined("RC"), without_effect, "/programs/client/queue_pairs/more/inline_receive");
  EXPECT_NO_THROW((void)load(file(inlined("UD"))));
}

TEST_F(Unused, QueuePairsOfInlineReceivesAreForWhatComes) {
  EXPECT_NO_THROW((void)load(
      file(replaced(good_scenario, R"({"requests": {"transport": "UC"}})",
                    R"({"requests": {"transport": "UC"}, "more": {"transport": "UD", "inline_receive": true}})"))));
}

TEST_F(Unused, RotationWhereNothingIsAnswered) {
  expect_complaint(replaced(good_scenario, R"("window": 32)", R"("window": 32, "rotate": "operation")"), without_effect,
                   "/programs/client/loop/0/post/rotate");
  EXPECT_NO_THROW((void)load(file(
      replaced(good_scenario, R"("destination": "origin")", R"("destination": "origin", "rotate": "operation")"))));
}

TEST_F(Unused, WorkForEachRequestBeforeThereAreAny) {
  const auto before_await = [](const std::string& step) {
    return replaced(good_scenario, R"({"await": {"at_least": 0}})", step + R"(, {"await": {"at_least": 0}})");
  };
  const std::string at = "/programs/client/loop/1";
  expect_complaint(before_await(R"({"compute": {"per_item": "1 us"}})"), without_effect, at + "/compute/per_item");
  expect_complaint(before_await(R"({"compute": {"mix": [{"share": 0.1, "per_item": "1 us"}]}})"), without_effect,
                   at + "/compute/mix");
  expect_complaint(before_await(R"({"increment": {"line": "counter"}})"), without_effect, at + "/increment");
  EXPECT_NO_THROW(load(file(before_await(R"({"compute": {"per_pass": "1 us"}})"))));
  EXPECT_NO_THROW(load(file(replaced(good_scenario, R"({"await": {"at_least": 0}})",
                                     R"({"await": {"at_least": 0}}, {"compute": {"per_item": "1 us"}})"))));
}

TEST_F(Unused, WhatWouldBeKeptIfARequestWereAsLong) {
  const auto keeping = [](const std::string& least) {
    return replaced(good_scenario, R"({"increment": {"line": "counter"}})",
                    R"({"compute": {"keep": {"carrying": ")" + least + R"(", "per_item": "1 us"}}})");
  };
  const std::string carrying = worker + "/loop/1/compute/keep/carrying";
  EXPECT_NO_THROW(load(file(keeping("8 B"))));
  expect_complaint(keeping("9 B"), without_effect, carrying);
  // Nobody collects what a READ brings.
  const std::string reads = replaced(keeping("64 B"), R"("window": 32)",
                                     R"("window": 32, "mix": [{"share": 0.5, "verb": "READ", "payload": "64 B"}])");
  expect_complaint(replaced(reads, R"("UC")", R"("RC")"), without_effect, carrying);
  // At other points of a sweep it is as long.
  EXPECT_NO_THROW(load(file(replaced(keeping("9 B"), R"("measure")",
                                     R"("sweep": [{"path": "/programs/client/loop/0/post/payload",
                                                   "values": ["8 B", "16 B"]}], "measure")"))));
}

TEST_F(Unused, KeepingWhatIsTreatedAsAllOthers) {
  expect_complaint(
      replaced(good_scenario, R"({"increment": {"line": "counter"}})", R"({"compute": {"keep": {"carrying": "8 B"}}})"),
      without_effect, worker + "/loop/1/compute/keep");
}

TEST_F(Unused, SlotsOfACompletionQueue) {
  const std::string memory = R"("via": "memory")";
  ASSERT_NE(good_scenario.find("per_slot"), std::string::npos);
  const std::string sends = replaced(replaced(replaced(good_scenario, memory, R"("via": "completion_queue")"),
                                              R"("verb": "WRITE")", R"("verb": "SEND")"),
                                     R"({"transport": "UC"})", R"({"transport": "UC", "count": 6})");
  expect_complaint(sends, without_effect, "/programs/worker/loop/0/collect/per_slot");
}

TEST_F(Unused, DrivesThatNobodyAccesses) {
  workspace_.write("drive.json", sample_profile(form_of<model::NvmeDriveParameters>(), 1));
  const std::string with_drives =
      replaced(good_scenario, R"("server": {"hardware": "hardware.json"})",
               R"("server": {"hardware": "hardware.json", "drives": {"hardware": "drive.json", "count": 2}})");
  expect_complaint(with_drives, without_effect, "/machines/server/drives");
  EXPECT_NO_THROW(
      load(file(replaced(with_drives, R"({"increment": {"line": "counter"}},)", R"({"access": {"size": "4 KiB"}},)"))));
}

TEST_F(Unused, ADeviceOnRemoteMemoryThatNobodyAccesses) {
  workspace_.write("software.json", sample_profile(form_of<model::HostSoftware>(), 1));
  const std::string with_device = replaced(good_scenario, R"("server": {"hardware": "hardware.json"})",
                                           R"("server": {"hardware": "hardware.json", "software": "software.json",
                                                         "remote_device": {"peers": "lender"}},
                                              "lender": {"hardware": "hardware.json"})");
  expect_complaint(with_device, without_effect, "/machines/server/remote_device");
}

}  // namespace
}  // namespace doorbell::scenario::testing
