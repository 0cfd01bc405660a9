// Post steps beside the limits of their queue pairs and of the NIC.
#include <gtest/gtest.h>

#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

/// The good scenario, whose clients post once more in each pass.
class SecondPost : public Variants {
 protected:
  [[nodiscard]] static std::string posting(const std::string& queue_pairs, const std::string& members) {
    const std::string with_more =
        replaced(good_scenario, R"({"requests": {"transport": "UC"}})",
                 R"({"requests": {"transport": "UC"}, "more": {"transport": )" + queue_pairs + "}}");
    return replaced(
        with_more, R"({"await": {"at_least": 0}})",
        R"({"post": {"queue_pairs": "more", "to": "worker", )" + members + R"(}}, {"await": {"at_least": 0}})");
  }
  const std::string second_ = "/programs/client/loop/1/post";
};

TEST_F(SecondPost, ReadsHoldSlotsOnTheQueuePairsOfAllPorts) {
  workspace_.write("hardware.json", replaced(read_all(workspace_.folder() / "hardware.json"), R"("ports": {"value": 1)",
                                             R"("ports": {"value": 2)"));
  const auto reads = [](const std::string& ports, int window) {
    return posting(R"("RC", "count": 3, "depth": 64, "ports": ")" + ports + "\"",
                   R"("verb": "READ", "payload": "8 B", "window": )" + std::to_string(window));
  };
  EXPECT_NO_THROW((void)load(file(reads("all", 2 * 3 * 64))));
  expect_complaint(reads("all", 2 * 3 * 64 + 1), window_blocks, second_ + "/window");
  EXPECT_NO_THROW((void)load(file(reads("own", 3 * 64))));
  expect_complaint(reads("own", 3 * 64 + 1), window_blocks, second_ + "/window");
}

TEST_F(SecondPost, OnlyWqesByMmioHaveALongestSize) {
  const auto sends = [this](const char* blueflame, const char* method) {
    return load(
        file(posting(R"("UD")", R"("verb": "SEND", "payload": "8 B", "method": ")" + std::string{method} + "\"")),
        {.sets = {"machines.client.hardware.nic.ud_wqe_header=56 B",
                  std::string{"machines.client.hardware.mmio.blueflame="} + blueflame},
         .seed = {}});
  };
  EXPECT_NO_THROW((void)sends("64 B", "mmio"));
  EXPECT_THROW((void)sends("63 B", "mmio"), ScenarioError);
  EXPECT_NO_THROW((void)sends("63 B", "automatic"));
}

TEST_F(SecondPost, RoundsOfSignalsLeaveRoomForTheCallsOnTheirQueuePairs) {
  // On a depth of 128, a call of 64 leaves a round of 65.
  const auto calls = [](const std::string& queue_pairs) {
    const std::string text = posting(R"("UC")", R"("verb": "WRITE", "payload": "8 B")");
    const std::string signaled =
        replaced(text, R"("to": "worker", "window": 32)", R"("to": "worker", "window": 32, "signal_every": 100)");
    const std::string third = R"({"post": {"verb": "WRITE", "payload": "8 B", "to": "worker", "batch": 64,
                                           "queue_pairs": ")" +
                              queue_pairs + R"("}}, {"await")";
    return replaced(signaled, R"({"await")", third);
  };
  expect_complaint(calls("requests"), signal_beyond_depth, "/programs/client/loop/0/post/signal_every");
  EXPECT_NO_THROW((void)load(file(calls("more"))));
}

TEST_F(SecondPost, OfAWindowSomeCqeTellsWhatHasFinished) {
  const auto reads = [](int count, int signal_every, int at_least, const std::string& poll) {
    const std::string text = posting(R"("RC", "count": )" + std::to_string(count),
                                     R"("verb": "READ", "payload": "8 B", "window": 64, "signal_every": )" +
                                         std::to_string(signal_every) + R"(, "poll": ")" + poll + "\"");
    return replaced(text, R"({"at_least": 0})", R"({"at_least": )" + std::to_string(at_least) + "}");
  };
  const std::string place = second_ + "/signal_every";
  EXPECT_NO_THROW((void)load(file(reads(1, 64, 1, "when_awaited"))));
  expect_complaint(reads(1, 65, 1, "when_awaited"), signal_beyond_window, place);
  EXPECT_NO_THROW((void)load(file(reads(2, 32, 1, "when_awaited"))));
  expect_complaint(reads(2, 33, 1, "when_awaited"), signal_beyond_window, place);
  expect_complaint(reads(1, 64, 2, "when_awaited"), signal_beyond_window, place);
  EXPECT_NO_THROW((void)load(file(reads(1, 65, 1, "by_rounds")))) << "posts wait for CQEs, awaits do not";
  EXPECT_NO_THROW((void)load(file(reads(1, 65, 0, "when_awaited")))) << "the last of a window is signaled";
}

TEST_F(SecondPost, ADatagramIsAtMostOnePacket) {
  const auto of = [](const std::string& transport, const std::string& payload) {
    return posting("\"" + transport + "\"", R"("verb": "SEND", "inline": false, "payload": ")" + payload + "\"");
  };
  EXPECT_NO_THROW((void)load(file(of("UD", "256 B"))));
  expect_complaint(of("UD", "257 B"), datagram_too_big, second_ + "/payload");
  EXPECT_NO_THROW((void)load(file(of("UC", "257 B"))));
}

TEST_F(SecondPost, AnAtomicAccessesAWordOfItsObject) {
  const auto at = [](const std::string& offset) {
    return posting(R"("RC")", R"("verb": "FETCH_ADD", "payload": "0 B", "region": {"count": 1, "stride": "64 B",
                               "offset": ")" +
                                  offset + "\"}");
  };
  EXPECT_NO_THROW((void)load(file(at("56 B"))));
  expect_complaint(at("64 B"), region_does_not_fit, second_ + "/region/stride");
}

TEST_F(SecondPost, AtomicsAccessAlignedWords) {
  const auto with = [](const std::string& verb, int count, const std::string& stride, const std::string& offset) {
    return posting(R"("RC")", R"("verb": ")" + verb + R"(", "payload": "8 B", "region": {"count": )" +
                                  std::to_string(count) + R"(, "stride": ")" + stride + R"(", "offset": ")" + offset +
                                  "\"}");
  };
  EXPECT_NO_THROW((void)load(file(with("FETCH_ADD", 9, "24 B", "8 B"))));
  expect_complaint(with("FETCH_ADD", 9, "24 B", "4 B"), atomic_unaligned, second_ + "/region/offset");
  expect_complaint(with("COMPARE_SWAP", 9, "20 B", "8 B"), atomic_unaligned, second_ + "/region/stride");
  EXPECT_NO_THROW((void)load(file(with("FETCH_ADD", 1, "20 B", "8 B")))) << "one object, at address 0";
  EXPECT_NO_THROW((void)load(file(with("READ", 9, "20 B", "4 B"))));
}

TEST_F(SecondPost, AtomicsThatAreMixedInAccessAlignedWords) {
  const auto at = [](const std::string& offset) {
    return posting(R"("RC")", R"("verb": "READ", "payload": "8 B", "mix": [{"share": 0.5, "verb": "FETCH_ADD",
                               "region": {"count": 9, "stride": "64 B", "offset": ")" +
                                  offset + "\"}}]");
  };
  EXPECT_NO_THROW((void)load(file(at("24 B"))));
  expect_complaint(at("25 B"), atomic_unaligned, second_ + "/mix/0/region/offset");
}

/// `signal_every` is left to its default, 64, and so is told where something else is written.
TEST_F(SecondPost, WhatDoesNotGoWithTheDefaultOfSignalsIsToldWhereItStands) {
  const std::string depth_of_more = "/programs/client/queue_pairs/more/depth";
  const auto reads = [](const std::string& queue_pairs, const std::string& members) {
    return posting(R"("RC")" + queue_pairs, R"("verb": "READ", "payload": "8 B")" + members);
  };
  EXPECT_NO_THROW((void)load(file(reads(R"(, "depth": 64)", ""))));
  expect_complaint(reads(R"(, "depth": 63)", ""), signal_beyond_depth, depth_of_more);
  expect_complaint(reads(R"(, "depth": 64)", R"(, "batch": 2)"), signal_beyond_depth, depth_of_more);
  expect_complaint(reads("", R"(, "batch": 100)"), signal_beyond_depth, second_);
  const std::string awaiting = R"(, "window": 32, "poll": "when_awaited")";
  const std::string text = replaced(reads("", awaiting), R"({"at_least": 0})", R"({"at_least": 1})");
  expect_complaint(text, signal_beyond_window, second_ + "/window");
}

}  // namespace
}  // namespace doorbell::scenario::testing
