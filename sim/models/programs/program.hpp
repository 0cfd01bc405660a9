// What runs on the machines of a scenario: queue pairs, and the steps of a loop that every thread repeats.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/quantity.hpp"
#include "models/describe.hpp"
#include "models/programs/access_step.hpp"
#include "models/programs/arrivals.hpp"
#include "models/programs/completion_wait.hpp"
#include "models/programs/region.hpp"
#include "models/programs/relay.hpp"
#include "models/programs/touch_step.hpp"
#include "models/remote_memory/registration.hpp"

namespace doorbell::model {

enum class Transport { rc, uc, ud };
enum class Verb { send, write, read, fetch_add, compare_swap };
[[nodiscard]] constexpr bool is_atomic(Verb verb) { return verb == Verb::fetch_add || verb == Verb::compare_swap; }
/// How WQEs reach the NIC (Kalia et al. 2016, section 3.1): the CPU writes them through MMIO (BlueFlame), or rings a
/// doorbell and the NIC reads them by DMA. `automatic` is what the drivers do: MMIO for a batch of one, a doorbell for
/// more.
enum class PostMethod { mmio, doorbell, automatic };
enum class Rotation { per_batch, per_operation };
enum class Destination { fixed, round_robin, random, others, origin };
enum class Channel { memory, completion_queue };
enum class PortUse { all, own };
enum class AwaitOrder { completion, posting };

template <> struct EnumNames<Transport> { static constexpr std::array<std::string_view, 3> values{"RC", "UC", "UD"}; };
template <> struct EnumNames<Verb> {
  static constexpr std::array<std::string_view, 5> values{"SEND", "WRITE", "READ", "FETCH_ADD", "COMPARE_SWAP"};
};
template <> struct EnumNames<PostMethod> {
  static constexpr std::array<std::string_view, 3> values{"mmio", "doorbell", "automatic"};
};
template <> struct EnumNames<Rotation> {
  static constexpr std::array<std::string_view, 2> values{"batch", "operation"};
};
template <> struct EnumNames<Destination> {
  static constexpr std::array<std::string_view, 5> values{"fixed", "round_robin", "random", "others", "origin"};
};
template <> struct EnumNames<Channel> {
  static constexpr std::array<std::string_view, 2> values{"memory", "completion_queue"};
};
template <> struct EnumNames<PortUse> { static constexpr std::array<std::string_view, 2> values{"all", "own"}; };
template <> struct EnumNames<AwaitOrder> {
  static constexpr std::array<std::string_view, 2> values{"completion", "posting"};
};

/// A set of queue pairs that every thread of a program owns.
struct QueuePairs {
  Transport transport = Transport::ud;
  int count = 1;                 ///< Per thread, and per port when `ports` is `all`.
  PortUse ports = PortUse::own;  ///< `all`: a set on every port of the NIC; `own`: thread i of machine m uses port (i +
                                 ///< m) mod ports.
  int depth = 128;               ///< WQEs the send queue holds.
  Bytes max_inline{60};
  bool inline_receive = false;  ///< RECVs ask for small payloads in the CQE (Kalia et al. 2016, section 3.2).
};
template <class V> void describe(V& v, QueuePairs& s) {
  v.field("transport", s.transport, {.doc = "RC, UC or UD."});
  v.optional("count", s.count,
             {.doc = "Queue pairs per thread, and per port when ports is \"all\". RC and UC lead to one machine each: "
                     "they are divided among those to which the thread posts, or from which its program is sent what "
                     "it answers.",
              .min = 1,
              .max = 4096});
  v.optional("ports", s.ports,
             {.doc = "\"all\": a set on every port; \"own\": thread i of a group's machine m uses port i + m, modulo "
                     "the number of ports."});
  v.optional("depth", s.depth,
             {.doc = "WQEs that the send queue holds, and RECVs that its receive queue does.", .min = 1, .max = 65536});
  v.optional("max_inline", s.max_inline,
             {.doc = "Largest payload that a WQE can carry inline.", .min = 0, .max = 1024});
  v.optional("inline_receive", s.inline_receive,
             {.doc = "RECVs take small payloads in the CQE, where the NIC can do that."});
}

// ---- steps of a program's loop -------------------------------------------------------------------------------------

/// Another operation that takes the place of a step's own one now and then (the PUTs of a store, say).
struct Alternative {
  double share = 0;  ///< Of the step's operations, chosen at random.
  Verb verb = Verb::send;
  Bytes payload{0};
  std::optional<Region> region;
};
template <class V> void describe(V& v, Alternative& s) {
  v.field("share", s.share, {.doc = "Share of the step's operations, chosen at random.", .min = 0, .max = 1});
  v.field("verb", s.verb, {.doc = "Operation."});
  v.optional("payload", s.payload, {.doc = "Application bytes of one operation.", .min = 0, .max = 1 << 30});
  v.optional("region", s.region, {.doc = "Addresses touched at the destination."});
}

/// When the CQEs of a step are polled whose operations complete themselves and are not all signaled.
enum class PollCqes { by_rounds, when_awaited };
template <> struct EnumNames<PollCqes> {
  static constexpr std::array<std::string_view, 2> values{"by_rounds", "when_awaited"};
};

/// Posts work requests: responses to what was collected (`destination: origin`), or new operations up to a window.
struct PostStep {
  static constexpr std::string_view kind = "post";
  Verb verb = Verb::send;
  Bytes payload{0};
  bool immediate = false;  ///< Carry 4 B of application data in the header.
  bool inlined = true;
  PostMethod method = PostMethod::automatic;
  int batch = 1;                          ///< Most WQEs per posting call (per doorbell).
  std::string queue_pairs;                ///< Which of the program's queue-pair sets.
  Rotation rotate = Rotation::per_batch;  ///< When to go on to the next queue pair of the set.
  std::string to;                         ///< Program that receives, or empty when `destination` is `origin`.
  Destination destination = Destination::round_robin;
  int window = 0;         ///< Post until so many operations are outstanding; 0: one batch per pass.
  int signal_every = 64;  ///< One signaled WQE in so many; 1 signals all.
  PollCqes poll = PollCqes::by_rounds;
  std::optional<Region> region;          ///< For READ, WRITE and atomics.
  std::vector<Alternative> mix;          ///< Operations mixed in at random.
  std::optional<Arrivals> arrivals;      ///< Posts what has arrived, and no more than `window` allows.
  std::optional<Relay> relay;            ///< For the requests at hand, which wait until it is done.
  std::optional<DataPlacement> data;     ///< How the NIC reaches the payload; none: it lies in registered memory.
  std::optional<Bytes> acknowledgement;  ///< Payload of the answers to requests that have left their data somewhere.
};
template <class V> void describe(V& v, PostStep& s) {
  v.field("verb", s.verb, {.doc = "Operation."});
  v.optional(
      "payload", s.payload,
      {.doc = "Application bytes of one operation; 0 B with immediate is header-only.", .min = 0, .max = 1 << 30});
  v.optional("immediate", s.immediate, {.doc = "Carry 4 B of application data in the packet header."});
  v.optional("inline", s.inlined, {.doc = "Copy the payload into the WQE."});
  v.optional("method", s.method, {.doc = "WQE by MMIO, by doorbell, or automatic (MMIO for a single WQE)."});
  v.optional("batch", s.batch, {.doc = "Most WQEs per posting call.", .min = 1, .max = 4096});
  v.field("queue_pairs", s.queue_pairs, {.doc = "Name of one of the program's queue-pair sets."});
  v.optional("rotate", s.rotate, {.doc = "When to take the next queue pair of the set."});
  v.optional("to", s.to, {.doc = "Program that receives the operations."});
  v.optional("destination", s.destination,
             {.doc = "Which of its threads; \"others\" connects each queue pair to a thread of another machine and "
                     "takes one at random; \"origin\" answers what was "
                     "collected."});
  v.optional(
      "window", s.window,
      {.doc = "Post until so many operations of the thread are outstanding, those of its other steps included; 0 posts "
              "one batch per pass.",
       .min = 0,
       .max = 1 << 20});
  v.optional("signal_every", s.signal_every,
             {.doc = "One signaled WQE in so many; 1 signals every WQE.", .min = 1, .max = 65536});
  v.optional(
      "poll", s.poll,
      {.doc = "When CQEs of operations that nobody answers are polled, where not every WQE is signaled: by_rounds: "
              "before a queue pair's last WQE of signal_every is posted, the one of them that is signaled must be "
              "done, whatever the window says (as in rdma_bench), unless an await step takes whole windows; "
              "when_awaited: as operations finish (as in perftest)."});
  v.optional("region", s.region, {.doc = "Addresses touched at the destination."});
  v.optional("mix", s.mix, {.doc = "Other operations that are mixed in at random."});
  v.optional("arrivals", s.arrivals,
             {.doc = "Posts operations as they arrive (an open loop); `window`, unless 0, is the most that may be "
                     "outstanding."});
  v.optional("relay", s.relay,
             {.doc = "Posts for the requests at hand, which go on when that is done, and not up to a window."});
  v.optional("data", s.data,
             {.doc = "How the NIC reaches payloads that are not inline, and that applications have wherever they like; "
                     "left out, they lie in registered memory from the beginning."});
  v.optional(
      "acknowledgement", s.acknowledgement,
      {.doc = "Application bytes of answers to requests that an access step has written to a drive, or a relay has "
              "passed on because of what they carry; as all others when left out.",
       .min = 0,
       .max = 1 << 30});
}

/// The step with this payload, and no operation mixed in.
[[nodiscard]] inline PostStep with_payload(PostStep step, Bytes payload) {
  step.mix.clear();
  step.payload = payload;
  return step;
}

/// The step with one of the operations that are mixed in, and no other.
[[nodiscard]] inline PostStep only(PostStep step, const Alternative& other) {
  step.mix.clear();
  step.verb = other.verb;
  step.payload = other.payload;
  step.region = other.region;
  return step;
}
/// Share of the step's operations that are its own and not mixed in.
[[nodiscard]] inline double own_share(const PostStep& step) {
  double share = 1;
  for (const Alternative& other : step.mix) share -= other.share;
  return share > 1e-9 ? share : 0;
}

/// Takes requests that have arrived: polls a request region in memory, or a receive completion queue.
struct CollectStep {
  static constexpr std::string_view kind = "collect";
  Channel via = Channel::completion_queue;
  int at_most = 1;   ///< Requests per pass (opportunistic batching: N <= at_most).
  Time per_slot{0};  ///< CPU time to look at one slot of a polled region that holds nothing new.
  Time per_item{0};  ///< CPU time to take one request.
  Time per_pass{0};  ///< CPU time of one pass whatever it finds.
};
template <class V> void describe(V& v, CollectStep& s) {
  v.field("via", s.via, {.doc = "\"memory\": a polled request region; \"completion_queue\": RECV completions."});
  v.optional("at_most", s.at_most, {.doc = "Most requests taken in one pass.", .min = 1, .max = 65536});
  v.optional("per_slot", s.per_slot, {.doc = "CPU time to look at a slot that holds nothing new.", .max = 1e-3});
  v.optional("per_item", s.per_item, {.doc = "CPU time to take one request.", .max = 1e-3});
  v.optional("per_pass", s.per_pass, {.doc = "CPU time of a pass whatever it finds.", .max = 1e-3});
}

/// Waits until operations of this thread have been answered (RPC) or completed (what the other side does not collect).
struct AwaitStep {
  static constexpr std::string_view kind = "await";
  int at_least = 1;                           ///< 0: all that are outstanding.
  AwaitOrder order = AwaitOrder::completion;  ///< `posting`: the oldest operation first, whatever else is done.
  Time per_item{0};                           ///< CPU time to handle one answer, without the cost of polling its CQE.
};
template <class V> void describe(V& v, AwaitStep& s) {
  v.optional("at_least", s.at_least,
             {.doc = "Answers to wait for; 0 means all outstanding.", .min = 0, .max = 1 << 20});
  v.optional(
      "order", s.order,
      {.doc = "\"completion\" takes what is done; \"posting\" the oldest operation first, as a program does that "
              "polls the slots of its window in turn (only what nobody answers)."});
  v.optional("per_item", s.per_item, {.doc = "CPU time to handle one answer.", .max = 1e-3});
}

/// Requests that take another time than most.
struct RareRequest {
  double share = 0;
  Time per_item{0};
};
template <class V> void describe(V& v, RareRequest& s) {
  v.field("share", s.share, {.doc = "Share of the requests, chosen at random.", .min = 0, .max = 1});
  v.field("per_item", s.per_item, {.doc = "CPU time of each of them.", .max = 1});
}

/// Computes.
struct ComputeStep {
  static constexpr std::string_view kind = "compute";
  Time per_pass{0};
  Time per_item{0};  ///< For each request collected in this pass.
  std::vector<RareRequest> mix;
};
template <class V> void describe(V& v, ComputeStep& s) {
  v.optional("per_pass", s.per_pass,
             {.doc = "CPU time once per pass, at the clock of a single active core.", .max = 1});
  v.optional("per_item", s.per_item, {.doc = "CPU time per collected request, likewise.", .max = 1});
  v.optional("mix", s.mix, {.doc = "Requests that take another time than per_item."});
}
/// CPU time of a request, on average.
[[nodiscard]] inline Time mean_per_item(const ComputeStep& step) {
  Time mean = step.per_item;
  for (const RareRequest& rare : step.mix) mean += stretched(rare.per_item - step.per_item, rare.share);
  return mean;
}

/// Atomically increments a counter that threads of one machine share (a contended cache line).
struct IncrementStep {
  static constexpr std::string_view kind = "increment";
  std::string line;       ///< Name of the shared line; threads of one machine that use one name share it.
  bool per_item = false;  ///< One increment per request instead of one per pass.
};
template <class V> void describe(V& v, IncrementStep& s) {
  v.field("line", s.line, {.doc = "Name of the shared cache line."});
  v.optional("per_item", s.per_item, {.doc = "One atomic increment per request instead of one per pass."});
}

/// Posts RECVs for the requests collected (or answers awaited) in this pass.
struct ReplenishStep {
  static constexpr std::string_view kind = "replenish";
  std::string queue_pairs;
  Time per_item{0};  ///< CPU time per RECV posted.
  Time per_pass{0};
};
template <class V> void describe(V& v, ReplenishStep& s) {
  v.field("queue_pairs", s.queue_pairs,
          {.doc = "Whose receive queue is refilled. A program that collects and has no such step has RECVs enough."});
  v.optional("per_item", s.per_item, {.doc = "CPU time per RECV posted.", .max = 1e-3});
  v.optional("per_pass", s.per_pass, {.doc = "CPU time of the posting call.", .max = 1e-3});
}

using Step =
    std::variant<PostStep, CollectStep, AwaitStep, ComputeStep, IncrementStep, ReplenishStep, AccessStep, TouchStep>;

/// What every one of `threads` threads on each instance of `machine` does, over and over.
struct Program {
  std::string machine;
  int threads = 1;  ///< Per machine instance.
  Named<QueuePairs> queue_pairs;
  CompletionWait completion;
  std::optional<ProgramMemory> memory;  ///< On each machine one, which its threads share.
  std::vector<Step> loop;
};
template <class V> void describe(V& v, Program& s) {
  v.field("machine", s.machine, {.doc = "Name of a machine group of this scenario."});
  v.optional(
      "threads", s.threads,
      {.doc =
           "Threads per machine, each on a hardware thread of its own; those that share a core slow each other down.",
       .min = 1,
       .max = 4096});
  v.optional("queue_pairs", s.queue_pairs, {.doc = "Queue-pair sets that each thread owns."});
  v.optional("completion", s.completion,
             {.doc = "How its threads wait for the CQEs that they collect or await. Those that are to make room in a "
                     "send queue are always polled."});
  v.optional("memory", s.memory,
             {.doc = "Memory that does not hold all of its pages; the others are on the machine's remote_device. For "
                     "touch steps."});
  v.optional("loop", s.loop,
             {.doc = "Steps, repeated for ever. A program without steps only serves one-sided operations."});
}

/// The first step of type S in the loop that `fits`, or null.
template <class S, class Predicate> [[nodiscard]] const S* find_step(const Program& program, Predicate fits) {
  for (const Step& step : program.loop) {
    const S* found = std::get_if<S>(&step);
    if (found != nullptr && fits(*found)) return found;
  }
  return nullptr;
}
/// The first step of type S in the loop, or null.
template <class S> [[nodiscard]] const S* find_step(const Program& program) {
  return find_step<S>(program, [](const S&) { return true; });
}

/// Whether there is a step of type S, one that `fits` if that is given.
template <class S, class... Predicate> [[nodiscard]] bool has_step(const Program& program, Predicate... fits) {
  return find_step<S>(program, fits...) != nullptr;
}

/// Whether a step of a program posts to another one.
[[nodiscard]] inline bool sends_to(const Program& program, const std::string& receiver) {
  return has_step<PostStep>(program, [&](const PostStep& step) { return step.to == receiver; });
}

/// Whether a request with so much payload leaves its data with a drive, or with other machines because of them.
[[nodiscard]] inline bool leaves_data(const Program& program, Bytes payload) {
  const auto relays = [&](const PostStep& step) {
    return step.relay && step.relay->carrying > Bytes{0} && payload >= step.relay->carrying;
  };
  return has_step<PostStep>(program, relays) ||
         has_step<AccessStep>(program, [&](const AccessStep& step) { return writes(step, payload); });
}

/// Whether a step starts work of its own: it neither answers nor acts for requests.
[[nodiscard]] inline bool starts_work(const PostStep& step) {
  return step.destination != Destination::origin && !step.relay;
}

/// Whether what a step posts goes to one machine after the other, or to any, over queue pairs that lead to one each.
[[nodiscard]] inline bool needs_connections(const PostStep& step, const QueuePairs& set) {
  const bool turns = step.destination == Destination::round_robin || step.destination == Destination::random;
  return turns && !step.relay && set.transport != Transport::ud;
}

/// The step that posts what arrives, or null.
[[nodiscard]] inline const PostStep* open_loop(const Program& program) {
  return find_step<PostStep>(program, [](const PostStep& step) { return step.arrivals.has_value(); });
}

/// Whether a step's own operation leaves something behind where it arrives that a collect step of `channel` takes.
[[nodiscard]] inline bool arrives_by(const PostStep& step, Channel channel) {
  if (channel == Channel::memory) return step.verb == Verb::write;
  return step.verb == Verb::send || (step.verb == Verb::write && step.immediate);
}

/// Whether `target` collects the step's own operation.
[[nodiscard]] inline bool takes(const Program& target, const PostStep& step) {
  return has_step<CollectStep>(target, [&](const CollectStep& collect) { return arrives_by(step, collect.via); });
}

/// Whether one of the operations of a step, its own or one that is mixed in, `fits`.
template <class Predicate> [[nodiscard]] bool any_operation(const PostStep& step, Predicate fits) {
  return (own_share(step) > 0 && fits(step)) ||
         std::ranges::any_of(step.mix, [&](const Alternative& other) { return fits(only(step, other)); });
}

/// Whether all operations of `step` towards `target` are finished by their own completion: READs and atomics, and what
/// is received and forgotten. On RC that is the response or ACK, on UC and UD the end of sending. Otherwise the target
/// answers, in an order of its own.
[[nodiscard]] inline bool completes_itself(const PostStep& step, const Program& target) {
  return !any_operation(step, [&](const PostStep& operation) { return takes(target, operation); });
}

/// Whether the program posts a window of `post`, waits for all of it, and posts the next: then only the last operation
/// of each need be signaled. A program that waits for less keeps its window full and polls CQEs by rounds of
/// `signal_every`.
[[nodiscard]] inline bool waits_for_whole_windows(const Program& program, const PostStep& post) {
  return post.window > 0 && has_step<AwaitStep>(program, [&](const AwaitStep& await) {
           return await.at_least == 0 || await.at_least >= post.window;
         });
}

}  // namespace doorbell::model
