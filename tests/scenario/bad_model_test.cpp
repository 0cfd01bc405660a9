// Scenarios whose parts are right one by one but not together.
#include "bad_input.hpp"

namespace doorbell::scenario::testing {
namespace {

using enum ErrorCode;

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
                 client_request, R"("to", a program that receives)"},
        BadInput{"EmptyTarget", R"("to": "worker")", R"("to": @"")", no_destination, client_request + "/to"},
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

}  // namespace
}  // namespace doorbell::scenario::testing
