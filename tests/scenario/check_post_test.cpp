// Post steps that contradict their verbs, their queue pairs, the NIC or the rest of the program.
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

/// A thread that waits for its oldest operation does not post on that one's queue pair again while others fill the
/// window.
TEST_F(SecondPost, OtherOperationsLeaveRoomForTheCqeOfTheOldest) {
  const auto reading = [](int queue_pairs, int signal_every, const std::string& order, int more = 0) {
    const std::string read = R"({"post": {"verb": "READ", "payload": "8 B", "queue_pairs": "reads", "to": "worker",
                                          "poll": "when_awaited", "batch": 4, "signal_every": )" +
                             std::to_string(signal_every) + R"(, "window": )";
    const std::string again = more > 0 ? read + std::to_string(more) + "}}, " : "";
    return replaced(good_scenario, R"("client": {
      "machine": "client", "threads": 14)",
                    R"("reader": {"machine": "client", "queue_pairs": {"reads": {"transport": "RC", "count": )" +
                        std::to_string(queue_pairs) + R"(}}, "loop": [)" + read + "4}}, " + again +
                        R"({"await": {"order": ")" + order + R"("}}]}, "client": {
      "machine": "client", "threads": 14)");
  };
  const std::string place = "/programs/reader/loop/0/post/signal_every";
  EXPECT_NO_THROW((void)load(file(reading(1, 4, "posting"))));
  EXPECT_NO_THROW((void)load(file(reading(2, 2, "completion"))));
  EXPECT_NO_THROW((void)load(file(reading(2, 1, "posting"))));
  expect_complaint(reading(2, 2, "posting"), signal_beyond_window, place);
  EXPECT_NO_THROW((void)load(file(reading(1, 2, "completion", 8))));
  expect_complaint(reading(1, 2, "posting", 8), signal_beyond_window, place);
}

TEST_F(SecondPost, AThreadsOwnMachineIsNoFixedDestination) {
  const auto reading = [](const std::string& destination) {
    return replaced(posting(R"("RC")", R"("verb": "READ", "payload": "8 B", "signal_every": 1, "destination": ")" +
                                           destination + "\""),
                    R"("queue_pairs": "more", "to": "worker")", R"("queue_pairs": "more", "to": "client")");
  };
  expect_complaint(reading("fixed"), no_route, second_ + "/destination");
  EXPECT_NO_THROW((void)load(file(reading("others"))));
}

TEST_F(SecondPost, ADatagramIsAtMostOnePacket) {
  const auto of = [](const std::string& transport, const std::string& payload) {
    return posting("\"" + transport + R"(", "count": 6)",
                   R"("verb": "SEND", "inline": false, "payload": ")" + payload + "\"");
  };
  EXPECT_NO_THROW((void)load(file(of("UD", "256 B"))));
  expect_complaint(of("UD", "257 B"), datagram_too_big, second_ + "/payload");
  EXPECT_NO_THROW((void)load(file(of("UC", "257 B"))));
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

const std::string posted = R"("verb": "WRITE", "payload": "8 B", "queue_pairs": "requests")";

/// The good scenario, whose clients copy what they write.
class CopyingClients : public Variants {
 protected:
  const std::string without_ =
      replaced(good_scenario, posted, posted + R"(, "inline": false, "data": {"registration": "copy"})");
  const std::string text_ = with_software(without_);
  const std::string data_ = "/programs/client/loop/0/post/data";
};

TEST_F(CopyingClients, AreRead) {
  const auto points = load(file(text_));
  const model::Program& client = *model::find(points.front().scenario.programs, "client");
  EXPECT_EQ(model::find_step<model::PostStep>(client)->data->registration, model::Registration::copy);
}

TEST_F(CopyingClients, NeedSoftwareThatSaysWhatItCosts) { expect_complaint(without_, no_software, data_); }

TEST_F(CopyingClients, HaveSomethingToCopy) {
  expect_complaint(replaced(text_, R"("inline": false)", R"("inline": true)"), data_misplaced, data_);
  expect_complaint(replaced(text_, R"("data": {)", R"("mix": [{"share": 0.5, "verb": "WRITE"}], "data": {)"),
                   data_misplaced, data_);
  expect_complaint(replaced(text_, R"("payload": "8 B", "queue_pairs": "requests")",
                            R"("payload": "0 B", "queue_pairs": "requests")"),
                   data_misplaced, data_);
}

TEST_F(CopyingClients, CopyNoWordsOfAtomics) {
  const std::string reliable = replaced(text_, R"("transport": "UC")", R"("transport": "RC")");
  expect_complaint(replaced(reliable, R"("verb": "WRITE")", R"("verb": "FETCH_ADD")"), data_misplaced, data_);
}

TEST_F(CopyingClients, AnswersAreCopiedWhereTheyAreOfOneKind) {
  workspace_.write("drive.json", sample_profile(form_of<model::NvmeDriveParameters>(), 1));
  workspace_.write("software.json", sample_profile(form_of<model::HostSoftware>(), 1));
  const std::string with_drives =
      replaced(replaced(good_scenario, R"("server": {"hardware": "hardware.json")",
                        R"("server": {"hardware": "hardware.json", "software": "software.json",
                                      "drives": {"hardware": "drive.json"})"),
               R"({"increment": {"line": "counter"}})", R"({"access": {"size": "4 KiB"}})");
  const auto answering = [&](const std::string& more) {
    return replaced(with_drives, R"("destination": "origin")",
                    R"("destination": "origin", "inline": false, "data": {"registration": "copy"})" + more);
  };
  EXPECT_NO_THROW((void)load(file(answering(""))));
  expect_complaint(answering(R"(, "acknowledgement": "4 B")"), data_misplaced, worker + "/loop/2/post/data");
}

TEST_F(CopyingClients, NeedNoSoftwareForDataThatLieWhereTheyShould) {
  EXPECT_NO_THROW((void)load(file(replaced(without_, R"("registration": "copy")", R"("registration": "in_place")"))));
}

/// A second request of the clients before their good one, on queue pairs of its own.
BadInput bad_request(const std::string& name, const std::string& to, ErrorCode code, const std::string& member,
                     const std::string& says = {}) {
  return {name,
          R"({"transport": "UC"}},
      "loop": [)",
          to,
          code,
          client_request + member,
          says};
}
std::string request_on(const std::string& queue_pairs, const std::string& step) {
  return R"({"transport": "UC"}, "more": {"transport": )" + queue_pairs + R"(}}, "loop": [{"post": {)" + step + "}},";
}

class BadPosts : public BadInputs {};

TEST_P(BadPosts, AreRefusedAtTheirPlace) { expect_complaint(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Verbs, BadPosts,
    ::testing::Values(
        bad_request("ImmediateOfARead",
                    request_on(R"("RC")",
                               R"("verb": "READ", "immediate": @true, "queue_pairs": "more", "to": "worker")"),
                    immediate_misplaced, "/immediate", "no immediate data with READ"),
        bad_request("InlineRead",
                    request_on(R"("RC")", R"("verb": "READ", "inline": @true, "queue_pairs": "more", "to": "worker")"),
                    inline_misplaced, "/inline", "no inline payload with READ"),
        bad_request("InlineAtomic",
                    request_on(R"("RC")",
                               R"("verb": "FETCH_ADD", "inline": @true, "queue_pairs": "more", "to": "worker")"),
                    inline_misplaced, "/inline", "no inline payload with FETCH_ADD"),
        bad_request("ReadOnUd", request_on(R"("UD")", R"("verb": @"READ", "queue_pairs": "more", "to": "worker")"),
                    verb_transport, "/verb", "READ on UD"),
        bad_request("WriteOnUd", request_on(R"("UD")", R"("verb": @"WRITE", "queue_pairs": "more", "to": "worker")"),
                    verb_transport, "/verb", "WRITE on UD"),
        bad_request("ReadOnUc", request_on(R"("UC")", R"("verb": @"READ", "queue_pairs": "more", "to": "worker")"),
                    verb_transport, "/verb", "READ on UC"),
        bad_request("AtomicOnUc",
                    request_on(R"("UC")", R"("verb": @"FETCH_ADD", "queue_pairs": "more", "to": "worker")"),
                    verb_transport, "/verb", "FETCH_ADD on UC"),
        bad_request("NotOneQueuePairForEachMachine",
                    request_on(R"("RC", "count": 4)", R"("verb": "READ", "queue_pairs": @"more", "to": "client")"),
                    unconnected, "/queue_pairs",
                    R"(at least 5 RC queue pairs in "more", one for each machine of "cli)"),
        BadInput{
            "NotOneQueuePairForEachThreadThatIsAnswered",
            R"("responses": {"transport": "UD", "count": 3, "ports": "all"}},
      "loop": [
        {"collect": {"via": "memory", "at_most": 32, "per_slot": "1 ns", "per_item": "5 ns"}},
        {"increment": {"line": "counter"}},
        {"post": {"verb": "SEND", "payload": "8 B", "batch": 32, "queue_pairs": "responses", )",
            R"("responses": {"transport": "RC", "count": 3, "ports": "all"}},
      "loop": [
        {"collect": {"via": "memory", "at_most": 32, "per_slot": "1 ns", "per_item": "5 ns"}},
        {"increment": {"line": "counter"}},
        {"post": {"verb": "SEND", "payload": "8 B", "batch": 32, "queue_pairs": @"responses", )",
            unconnected, reply + "/queue_pairs",
            R"(at least 70 RC queue pairs in "responses", one for each thread that may ask the same thread of "worker", )"
            R"(found 3)"},
        BadInput{"AnswersUpToAWindow", R"("destination": "origin")", R"("destination": "origin", "window": @4)",
                 not_awaited, reply + "/window", "no window in a step that answers, found 4"},
        BadInput{"AnswersThatNobodyAwaits", R"("destination": "origin")",
                 R"("destination": "origin", "poll": @"when_awaited")", not_awaited, reply + "/poll",
                 R"("by_rounds" in a step whose operations nothing awaits)"},
        bad_request("AtomicPayload",
                    request_on(R"("RC")", R"("verb": "COMPARE_SWAP", "payload": @"16 B", "queue_pairs": "more",
                               "to": "worker")"),
                    atomic_payload, "/payload"),
        bad_request("DatagramTooBig", request_on(R"("UD")", R"("verb": "SEND", "payload": @"5 kB", "inline": false,
                               "queue_pairs": "more", "to": "worker")"),
                    datagram_too_big, "/payload", "at most one packet (256 B) over UD, found 5000 B"),
        [] {
          BadInput larger = bad_request("DatagramTooBigForTheOtherMachine",
                                        request_on(R"("UD")", R"("verb": "SEND", "payload": "8 B", "inline": false,
                                        "queue_pairs": "more", "to": "worker")"),
                                        datagram_too_big, "/payload", "at most one packet (256 B) over UD");
          larger.sets = {"machines.client.hardware.port.receive_buffer=8 KiB",
                         "machines.client.hardware.port.mtu=4 KiB", "programs.client.loop.0.post.payload=2 KiB"};
          return larger;
        }(),
        bad_request("WindowBeyondQueue", request_on(R"("RC")", R"("verb": "READ", "queue_pairs": "more", "to": "worker",
                               "window": @129)"),
                    window_blocks, "/window", "128 slots")),
    name_of);

const std::string read_most = R"("verb": "READ", "queue_pairs": "more", "to": "worker", "mix": )";

INSTANTIATE_TEST_SUITE_P(
    Mixes, BadPosts,
    ::testing::Values(
        bad_request("ShareAboveOne", request_on(R"("RC")", read_most + R"([{"share": @1.5, "verb": "READ"}])"),
                    out_of_range, "/mix/0/share"),
        bad_request("SharesAboveOneTogether", request_on(R"("RC")", read_most + R"([{"share": 0.7, "verb": "READ"},
                                                          {"share": @0.4, "verb": "READ"}])"),
                    mix_shares, "/mix/1/share", "at most 1"),
        BadInput{"RareRequestsAboveOneTogether", R"({"increment": {"line": "counter"}})",
                 R"({"compute": {"mix": [{"share": 0.6, "per_item": "1 us"}, {"share": @0.5, "per_item": "2 us"}]}})",
                 mix_shares, worker + "/loop/1/compute/mix/1/share", "at most 1"},
        bad_request("AtomicInMixOnUc", request_on(R"("UC")", R"("verb": "WRITE", "queue_pairs": "more", "to": "worker",
                               "mix": [{"share": 0.5, "verb": @"FETCH_ADD"}])"),
                    verb_transport, "/mix/0/verb", "FETCH_ADD on UC"),
        bad_request("TooBigToInlineInMix",
                    request_on(R"("RC")", read_most + R"([{"share": 0.5, "verb": "WRITE", "payload": @"61 B"}])"),
                    inline_too_big, "/mix/0/payload"),
        bad_request("RegionOfSendInMix",
                    request_on(R"("RC", "count": 6)", read_most + R"([{"share": 0.5, "verb": "SEND",
                               "region": @{"count": 1, "stride": "64 B"}}])"),
                    region_misplaced, "/mix/0/region"),
        bad_request("WordBeyondItsObjectInMix",
                    request_on(R"("RC")", read_most + R"([{"share": 0.5, "verb": "READ", "payload": "65 B",
                               "region": {"count": 1, "stride": @"64 B"}}])"),
                    region_does_not_fit, "/mix/0/region/stride")),
    name_of);

const std::string reading_in_parts =
    R"({"post": {"verb": "READ", "payload": "32 B", "queue_pairs": "reads", "to": "worker", "window": 4,
        "signal_every": 1, "then": [{"verb": "READ", "payload": "64 B"}]}}, {"await": {"at_least": 1}})";

/// Somebody who READs beside the good scenario's clients.
class FollowUpScenario : public Variants {
 protected:
  [[nodiscard]] static std::string with(const std::string& from, const std::string& to) {
    const std::string loop = from.empty() ? reading_in_parts : replaced(reading_in_parts, from, to);
    return replaced(good_scenario, R"("programs": {)",
                    R"("programs": {"reader": {"machine": "client",
                       "queue_pairs": {"reads": {"transport": "RC", "count": 8}}, "loop": [)" +
                        loop + "]},");
  }
};
const std::string first_part = "/programs/reader/loop/0/post";

TEST_F(FollowUpScenario, IsRead) {
  const model::Scenario scenario = load(file(with("", ""))).front().scenario;
  const auto* post = model::find_step<model::PostStep>(*model::find(scenario.programs, "reader"));
  ASSERT_EQ(post->then.size(), 1U);
  EXPECT_EQ(post->then[0].share, 1);
  EXPECT_EQ(post->then[0].payload, Bytes{64});
}

TEST_F(FollowUpScenario, NeedsSomebodyWhoSeesTheEndOfWhatComesBefore) {
  expect_complaint(with(R"(, {"await": {"at_least": 1}})", ""), follow_up_misplaced, first_part + "/then");
  expect_complaint(with(R"("window": 4,)", ""), follow_up_misplaced, first_part + "/then");
  expect_complaint(replaced(good_scenario, R"("destination": "origin")",
                            R"("destination": "origin", "then": [{"verb": "SEND", "payload": "8 B"}])"),
                   follow_up_misplaced, worker + "/loop/2/post/then");
}

TEST_F(FollowUpScenario, ItsOperationsAreExaminedLikeOthers) {
  const auto following = [](const std::string& operation) {
    return with(R"({"verb": "READ", "payload": "64 B"})", operation);
  };
  expect_complaint(following(R"({"verb": "FETCH_ADD", "payload": "16 B"})"), atomic_payload,
                   first_part + "/then/0/payload");
  expect_complaint(following(R"({"verb": "READ", "payload": "64 B", "region": {"count": 2, "stride": "32 B"}})"),
                   region_does_not_fit, first_part + "/then/0/region/stride");
  expect_complaint(following(R"({"verb": "WRITE", "payload": "1 KiB"})"), inline_too_big,
                   first_part + "/then/0/payload");
  expect_complaint(with(R"("then": [)", R"("mix": [{"share": 0.1, "verb": "READ", "payload": "8 B",
                           "then": [{"verb": "FETCH_ADD", "payload": "4 B"}]}], "then": [)"),
                   atomic_payload, first_part + "/mix/0/then/0/payload");
}

TEST_F(FollowUpScenario, NamesAreThoseOfAnOperation) {
  expect_complaint(with(R"({"verb": "READ", "payload": "64 B"})", R"({"verb": "READ", "size": "64 B"})"), unknown_key,
                   first_part + "/then/0/size");
}

TEST_F(FollowUpScenario, CqesThatTellOfOthersComeInTime) {
  const auto signaling = [](const std::string& every, const std::string& awaits) {
    return replaced(with(R"("signal_every": 1, "then": [{"verb": "READ", "payload": "64 B"}])",
                         R"("poll": "when_awaited", "signal_every": )" + every),
                    R"({"await": {"at_least": 1}}]},)", R"({"await": {"at_least": 1}})" + awaits + "]},");
  };
  // Four on eight queue pairs ...
  EXPECT_NO_THROW((void)load(file(signaling("1", ""))));
  const std::string on_one = replaced(signaling("4", ""), R"("count": 8)", R"("count": 1)");
  EXPECT_NO_THROW((void)load(file(on_one)));
  // ... what two steps take, one after the other, must be known for both.
  const std::string two = replaced(signaling("4", R"(, {"await": {"at_least": 1}})"), R"("count": 8)", R"("count": 1)");
  expect_complaint(two, signal_beyond_window, first_part + "/signal_every");
  const std::string going_on = with(R"("signal_every": 1)", R"("poll": "when_awaited", "signal_every": 2)");
  expect_complaint(going_on, signal_beyond_window, first_part + "/signal_every");
}

}  // namespace
}  // namespace doorbell::scenario::testing
