// Scenarios whose parts are right one by one but not together.
#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

const std::string client_program = "/programs/client";
const std::string reply = worker + "/loop/2/post";
const std::string client_request = client_program + "/loop/0/post";
const std::string cores_key = R"("cores": {"value": 16, "provenance": "assumed", "source": "test"})";

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
BadInput bad_profile(const std::string& name, const std::string& to, ErrorCode code, const std::string& member,
                     const std::string& says = {}) {
  return {name, cores_key, to, code, "/machines/server/hardware/cpu/cores" + member, says, {}, "hardware.json"};
}

class BadModels : public BadInputs {};

TEST_P(BadModels, AreRefusedAtTheirPlace) { expect_complaint(GetParam()); }

INSTANTIATE_TEST_SUITE_P(
    Names, BadModels,
    ::testing::Values(BadInput{"UnknownMachine", R"("machine": "server")", R"("machine": @"sever")", unknown_machine,
                               worker + "/machine", R"(mean "server"?)"},
                      BadInput{"UnknownTarget", R"("to": "worker")", R"("to": @"wroker")", unknown_program,
                               client_request + "/to", R"(mean "worker"?)"},
                      BadInput{"UnknownMeasured", R"({"program": "client")", R"({"program": @"clint")", unknown_program,
                               "/measure/program", R"(mean "client"?)"},
                      BadInput{"UnknownQueuePairs", R"("queue_pairs": "requests")", R"("queue_pairs": @"request")",
                               unknown_queue_pairs, client_request + "/queue_pairs", R"(mean "requests"?)"},
                      BadInput{"UnknownQueuePairsToReplenish", R"({"await": {"at_least": 0}})",
                               R"({"replenish": {"queue_pairs": @"r"}})", unknown_queue_pairs,
                               client_program + "/loop/1/replenish/queue_pairs"},
                      BadInput{"UnusedMachine", R"("server": {"hardware": "hardware.json"},)",
                               R"("server": {"hardware": "hardware.json"}, "spare": @{"hardware": "hardware.json"},)",
                               unused_machine, "/machines/spare"},
                      BadInput{"NoMachineAtAll", R"({
    "server": {"hardware": "hardware.json"},
    "client": {"hardware": "hardware.json", "count": 5}
  })",
                               "@{}", nothing_to_run, "/machines"},
                      BadInput{"ToItself", R"("queue_pairs": "responses", "destination": "origin")",
                               R"("queue_pairs": "responses", "to": @"worker")", no_route, reply + "/to"}),
    name_of);

/// A parameter of the server that contradicts others of its profile.
BadInput bad_hardware(const std::string& name, const std::string& part, const std::string& member,
                      const std::string& value, const std::string& says) {
  return {name,
          R"("batch": 32)",
          R"("batch": 32)",
          impossible_hardware,
          "/machines/server/hardware/" + part + "/" + member,
          says,
          {"machines.server.hardware." + part + "." + member + "=" + value}};
}

INSTANTIATE_TEST_SUITE_P(
    Hardware, BadModels,
    ::testing::Values(bad_hardware("OddPayload", "pcie", "max_payload", "\"384 B\"", "a power of two"),
                      bad_hardware("OddReadRequest", "pcie", "max_read_request", "\"1000 B\"", "a power of two"),
                      bad_hardware("OddBoundary", "pcie", "read_completion_boundary", "\"96 B\"", "64 B or 128 B"),
                      bad_hardware("LargeBoundary", "pcie", "read_completion_boundary", "\"4 KiB\"", "64 B or 128 B"),
                      bad_hardware("OddMtu", "port", "mtu", "\"1500 B\"", "256, 512, 1024, 2048 or 4096 B"),
                      bad_hardware("LargeMtu", "port", "mtu", "\"8 KiB\"", "or 4096 B, found 8192 B"),
                      bad_hardware("RisingClock", "cpu", "turbo", R"(["3 GHz", "2 GHz", "2.5 GHz"])",
                                   "clocks that do not rise with the number of active cores, found 2 G/s and then "
                                   "2.5 G/s"),
                      bad_hardware("OddLanes", "pcie", "lanes", "3", "1, 2, 4, 8, 12, 16 or 32"),
                      bad_hardware("OddLine", "mmio", "line", "\"48 B\"", "a power of two"),
                      BadInput{"BufferBelowAPacket",
                               R"("batch": 32)",
                               R"("batch": 32)",
                               impossible_hardware,
                               "/machines/server/hardware/port/receive_buffer",
                               "at least one packet of the mtu, 1024 B, found 1000 B",
                               {"machines.server.hardware.port.mtu=\"1 KiB\"",
                                "machines.server.hardware.port.receive_buffer=\"1000 B\""}},
                      bad_hardware("NoClock", "cpu", "turbo", "[]", "the clock with one active core"),
                      bad_hardware("ThreadsFasterThanCores", "cpu", "smt_gain", "2.5", "at most 1")),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Programs, BadModels,
    ::testing::Values(
        BadInput{"MoreThreadsThanCores", R"("threads": 14)", R"("threads": @17)", too_many_threads,
                 client_program + "/threads", "at most 16"},
        BadInput{"InlineReceiveWithoutTheNic",
                 R"("UC")",
                 R"("UC")",
                 no_inline_receive,
                 client_program + "/queue_pairs/requests/inline_receive",
                 "no inline receive",
                 {"machines.client.hardware.nic.inline_receive=\"0 B\"",
                  "programs.client.queue_pairs.requests.inline_receive=true"}},
        BadInput{"BatchByMmio", R"("batch": 32)", R"("method": "mmio", "batch": @2)", mmio_batch, reply + "/batch"},
        BadInput{"TooLongForMmio",
                 R"("batch": 32)",
                 R"("method": "mmio", "batch": 1)",
                 mmio_too_long,
                 reply + "/payload",
                 "a WQE of at most 64 B",
                 {"machines.server.hardware.nic.ud_wqe_header=\"68 B\"",
                  "machines.server.hardware.mmio.blueflame=\"64 B\"", "programs.worker.loop.2.post.payload=\"8 B\""}},
        BadInput{
            "TooLongForMmioInAMix",
            R"("batch": 32)",
            R"("method": "mmio", "batch": 1)",
            mmio_too_long,
            reply + "/mix/0/payload",
            "a WQE of at most 128 B",
            {"machines.server.hardware.nic.ud_wqe_header=\"72 B\"", "machines.server.hardware.mmio.blueflame=\"128 B\"",
             R"(programs.worker.loop.2.post.mix=[{"share": 0.5, "verb": "SEND", "payload": "60 B"}])"}},
        BadInput{"TooBigToInline", R"("payload": "8 B", "batch")", R"("payload": @"61 B", "batch")", inline_too_big,
                 reply + "/payload", "at most 60 B"},
        BadInput{"OriginWithoutCollect",
                 R"({"collect": {"via": "memory", "at_most": 32, "per_slot": "1 ns", "per_item": "5 ns"}},
        {"increment": {"line": "counter"}},
        {"post": {"verb": "SEND", "payload": "8 B", "batch": 32, "queue_pairs": "responses", "destination": "origin"}})",
                 R"({"post": {"verb": "SEND", "queue_pairs": "responses", "destination": @"origin"}})",
                 origin_without_collect, worker + "/loop/0/post/destination"},
        BadInput{"OriginAndTarget", R"("destination": "origin")", R"("destination": "origin", "to": @"client")",
                 no_destination, reply + "/to", "expected none, as answers go to the origin"},
        BadInput{"NoTarget",
                 R"("post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "worker", )",
                 R"("post": @{"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", )", no_destination,
                 client_request + "/to"},
        BadInput{"CollectFromNobody", R"("via": "memory")", R"("via": @"completion_queue")", collect_without_requests,
                 worker + "/loop/0/collect/via"},
        BadInput{"SignalBeyondDepth", R"("batch": 32)", R"("batch": 32, "signal_every": @129)", signal_beyond_depth,
                 reply + "/signal_every"},
        BadInput{"SignalBeyondDepthOfACall", R"("batch": 32)", R"("batch": 32, "signal_every": @98)",
                 signal_beyond_depth, reply + "/signal_every", "at most 97"},
        BadInput{"BatchBeyondDepth", R"("batch": 32)", R"("batch": @129)", window_blocks, reply + "/batch"},
        BadInput{"WindowWithoutAwait", R"("window": 32}},
        {"await": {"at_least": 0}})",
                 R"("window": @32}})", window_without_await, client_request + "/window", "an await step"},
        BadInput{"EndlessAwait", R"({"at_least": 0})", R"({"at_least": @33})", await_never_ends,
                 client_program + "/loop/1/await/at_least", "at most 32"},
        BadInput{"AnswersInOrder", R"({"at_least": 0})", R"({"at_least": 0, "order": @"posting"})", order_of_answers,
                 client_program + "/loop/1/await/order", "where programs answer"},
        BadInput{"WindowThatIsNeverLessThanFull",
                 R"("window": 32}},
        {"await": {"at_least": 0}})",
                 R"("window": 32}},
        {"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "worker", "window": @32}},
        {"await": {"at_least": 0}})",
                 never_posts, client_program + "/loop/1/post/window", "more than 32"},
        BadInput{"AnswersTwice", R"("queue_pairs": "responses", "destination": "origin"}})",
                 R"("queue_pairs": "responses", "destination": "origin"}},
        {"post": {"verb": "SEND", "payload": "8 B", "queue_pairs": "responses", "destination": @"origin"}})",
                 never_posts, worker + "/loop/3/post/destination", "one step that answers"},
        BadInput{"AwaitOfWhatNobodyAnswers", R"(,
        {"post": {"verb": "SEND", "payload": "8 B", "batch": 32, "queue_pairs": "responses", "destination": "origin"}}
      ]
    },
    "client": {
      "machine": "client", "threads": 14,
      "queue_pairs": {"requests": {"transport": "UC"}},
      "loop": [
        {"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "worker", "window": 32}},
        {"await": {"at_least": 0}})",
                 R"(
      ]
    },
    "client": {
      "machine": "client", "threads": 14,
      "queue_pairs": {"requests": {"transport": "UC"}},
      "loop": [
        {"post": {"verb": "WRITE", "payload": "8 B", "queue_pairs": "requests", "to": "worker", "window": 32}},
        {"await": @{"at_least": 0}})",
                 await_unanswered, client_program + "/loop/1/await", R"("worker" collects and answers)"},
        BadInput{"AwaitWithoutPost", R"({"increment": {"line": "counter"}})", R"({"await": @{}})", await_without_post,
                 worker + "/loop/1/await"},
        BadInput{"MeasuresNothing", R"(
  },
  "measure": {"program": "client")",
                 R"(, "idle": {"machine": "client", "loop": [{"compute": {"per_pass": "1 us"}}]}},
  "measure": {"program": @"idle")",
                 nothing_measured, "/measure/program"}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Verbs, BadModels,
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
        BadInput{"NotOneQueuePairForEachMachineThatIsAnswered",
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
                 R"(at least 5 RC queue pairs in "responses", one for each machine that sends to "worker", found 3)"},
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
                    window_blocks, "/window", "128 slots"),
        bad_request("RegionOfSend", request_on(R"("UC")", R"("verb": "SEND", "queue_pairs": "more", "to": "worker",
                               "region": @{"count": 1, "stride": "64 B"})"),
                    region_misplaced, "/region"),
        bad_request("WordBeyondItsObject",
                    request_on(R"("RC")", R"("verb": "READ", "payload": "60 B", "queue_pairs": "more",
                               "to": "worker", "region": {"count": 1, "stride": @"64 B", "offset": "8 B"})"),
                    region_does_not_fit, "/region/stride", "at least 68 B"),
        bad_request("SkewInOrder", request_on(R"("RC")", R"("verb": "READ", "queue_pairs": "more", "to": "worker",
                               "region": {"count": 9, "stride": "64 B", "pattern": "sequential", "skew": @0.99})"),
                    skew_in_order, "/region/skew", "0 with pattern"),
        bad_request("RegionBeyondMemory", request_on(R"("RC")", R"("verb": "READ", "queue_pairs": "more",
                               "to": "worker", "region": {"count": @1e12, "stride": "1 MB"})"),
                    region_does_not_fit, "/region/count"),
        bad_request("OddPages", request_on(R"("RC")", R"("verb": "READ", "queue_pairs": "more", "to": "worker",
                               "region": {"count": 9, "stride": "64 B", "page": @"3 MiB"})"),
                    region_does_not_fit, "/region/page", "a power of two")),
    name_of);

const std::string read_most = R"("verb": "READ", "queue_pairs": "more", "to": "worker", "mix": )";

INSTANTIATE_TEST_SUITE_P(
    Mixes, BadModels,
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
        bad_request("RegionOfSendInMix", request_on(R"("RC")", read_most + R"([{"share": 0.5, "verb": "SEND",
                               "region": @{"count": 1, "stride": "64 B"}}])"),
                    region_misplaced, "/mix/0/region"),
        bad_request("WordBeyondItsObjectInMix",
                    request_on(R"("RC")", read_most + R"([{"share": 0.5, "verb": "READ", "payload": "65 B",
                               "region": {"count": 1, "stride": @"64 B"}}])"),
                    region_does_not_fit, "/mix/0/region/stride")),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Profiles, BadModels,
    ::testing::Values(
        bad_profile("BareNumber", R"("cores": @16)", no_provenance, ""),
        bad_profile("NoProvenance", R"("cores": @{"value": 16, "source": "x"})", no_provenance, "", "\"datasheet\""),
        bad_profile("NoSource", R"("cores": @{"value": 16, "provenance": "assumed"})", no_provenance, "", "\"source\""),
        bad_profile("EmptySource", R"("cores": {"value": 16, "provenance": "assumed", "source": @""})", no_provenance,
                    "/source"),
        bad_profile("SourceIsNoText", R"("cores": {"value": 16, "provenance": "assumed", "source": @7})", wrong_type,
                    "/source"),
        bad_profile("UnknownProvenance", R"("cores": {"value": 16, "provenance": @"guessed", "source": "x"})",
                    unknown_choice, "/provenance", "\"assumed\""),
        bad_profile("NoValue", R"("cores": @{"provenance": "assumed", "source": "x"})", missing_key, "", "\"value\""),
        bad_profile("UnknownKeyOfLeaf", R"("cores": {"value": 16, @"provenence": "assumed", "source": "x"})",
                    unknown_key, "/provenence", R"(mean "provenance"?)"),
        bad_profile("NoCores", R"("cores": {"value": @0, "provenance": "assumed", "source": "x"})", out_of_range, ""),
        BadInput{"UnknownComponent",
                 R"("cpu": {)",
                 R"(@"gpu": {)",
                 unknown_key,
                 "/machines/server/hardware/gpu",
                 R"(mean "cpu"?)",
                 {},
                 "hardware.json"}),
    name_of);

}  // namespace
}  // namespace doorbell::scenario::testing
