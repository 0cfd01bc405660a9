// The step by which programs post work requests. Plain data, as scenario.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/nic/verb.hpp"
#include "models/programs/arrivals.hpp"
#include "models/programs/queue_pairs.hpp"
#include "models/programs/region.hpp"
#include "models/programs/relay.hpp"
#include "models/remote_memory/registration.hpp"

namespace doorbell::model {

enum class Rotation { per_batch, per_operation };
enum class Destination { fixed, round_robin, random, others, origin };
[[nodiscard]] constexpr bool at_random(Destination destination) {
  return destination == Destination::random || destination == Destination::others;
}

template <> struct EnumNames<Rotation> {
  static constexpr std::array<std::string_view, 2> values{"batch", "operation"};
};
template <> struct EnumNames<Destination> {
  static constexpr std::array<std::string_view, 5> values{"fixed", "round_robin", "random", "others", "origin"};
};

/// Describes what an operation beside a step's own asks for.
template <class V, class Other> void describe_operation(V& v, Other& s) {
  v.field("verb", s.verb, {.doc = "Operation."});
  v.optional("payload", s.payload, {.doc = "Application bytes of one operation.", .min = 0, .max = 1 << 30});
  v.optional("region", s.region, {.doc = "Addresses touched at the destination."});
}

/// An operation that needs what the one before it has brought: the value, say, whose place an index entry tells.
struct FollowUp {
  double share = 1;
  Verb verb = Verb::send;
  Bytes payload{0};
  std::optional<Region> region = {};
};
template <class V> void describe(V& v, FollowUp& s) {
  v.optional("share", s.share, {.doc = "How often it is needed, decided at random.", .min = 0, .max = 1});
  describe_operation(v, s);
}

/// Another operation that takes the place of a step's own one now and then (the PUTs of a store, say).
struct Alternative {
  double share = 0;  ///< Of the step's operations, chosen at random.
  Verb verb = Verb::send;
  Bytes payload{0};
  std::optional<Region> region;
  std::vector<FollowUp> then = {};
};
template <class V> void describe(V& v, Alternative& s) {
  v.field("share", s.share, {.doc = "Share of the step's operations, chosen at random.", .min = 0, .max = 1});
  describe_operation(v, s);
  v.optional("then", s.then, {.doc = "What follows on it, as in the step."});
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
  std::vector<FollowUp> then;            ///< Posted one after the other, each when the one before it is done.
  std::vector<Alternative> mix;          ///< Operations mixed in at random.
  std::optional<Arrivals> arrivals;      ///< Posts what has arrived, and no more than `window` allows.
  std::optional<Relay> relay;            ///< For the requests at hand, which wait until it is done.
  std::optional<DataPlacement> data;     ///< How the NIC reaches the payload; none: it lies in registered memory.
  std::optional<Bytes> acknowledgement;  ///< Payload of the answers to requests that have left their data somewhere.
};
/// Calls that post so many WQEs.
[[nodiscard]] inline int calls_for(const PostStep& step, int wqes) { return (wqes + step.batch - 1) / step.batch; }
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
  v.optional("rotate", s.rotate,
             {.doc = "In a step that answers: whether the next queue pair of the set is for the next pass or the next "
                     "call. Other steps take it with each call."});
  v.optional("to", s.to, {.doc = "Program that receives the operations."});
  v.optional(
      "destination", s.destination,
      {.doc = "Which of its threads; \"others\" connects each queue pair to a thread of another machine and "
              "takes one at random (over UD: any of these threads); \"origin\" answers what was collected. In a "
              "relay: which machine comes "
              "first, and which of its threads (over connections that lead to a thread, because SENDs or WRITEs with "
              "immediate data go there, always the same one)."});
  v.optional(
      "window", s.window,
      {.doc = "Post until so many operations of the thread are outstanding, those of its other steps included; 0 posts "
              "one batch per pass.",
       .min = 0,
       .max = 1 << 20});
  v.optional("signal_every", s.signal_every,
             {.doc = "One signaled WQE in so many; 1 signals every WQE. Where an await step takes whole windows, of at "
                     "most so many, only the last WQE of each on each queue pair is signaled, or the last of each call "
                     "where the destination is chosen at random.",
              .min = 1,
              .max = 65536});
  v.optional(
      "poll", s.poll,
      {.doc = "When CQEs of operations that nobody answers are polled, where not every WQE is signaled: by_rounds: "
              "before a queue pair's last WQE of signal_every is posted, the one of them that is signaled must be "
              "done, whatever the window says (as in rdma_bench), unless an await step takes whole windows; "
              "when_awaited: as operations are awaited; the CQE of one that is signaled tells that those before it on "
              "its queue pair have finished, too (as in perftest)."});
  v.optional("region", s.region, {.doc = "Addresses touched at the destination."});
  v.optional("then", s.then,
             {.doc = "Operations that follow on the step's own, at the same destination: each is posted when an await "
                     "step has taken the end of the one before it. Together they are one operation of the program, and "
                     "keep one place in the window."});
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
      {.doc = "Application bytes of answers to requests that a compute step keeps, an access step has written to a "
              "drive, or a relay has passed on because of what they carry; as all others when left out.",
       .min = 0,
       .max = 1 << 30});
}

/// The step with this payload, and no other operation.
[[nodiscard]] inline PostStep with_payload(PostStep step, Bytes payload) {
  step.mix.clear();
  step.then.clear();
  step.payload = payload;
  return step;
}

/// The step with one of the operations that are mixed in or follow, and no other.
template <class Other> [[nodiscard]] PostStep only(PostStep step, const Other& other) {
  step.mix.clear();
  step.then.clear();
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

/// Whether operations follow on some of those that a step begins with.
[[nodiscard]] inline bool has_follow_ups(const PostStep& step) {
  return !step.then.empty() ||
         std::ranges::any_of(step.mix, [](const Alternative& other) { return !other.then.empty(); });
}

/// What may follow in a step: first on its own operation, then on each that is mixed in.
[[nodiscard]] inline std::vector<const FollowUp*> follow_ups_of(const PostStep& step) {
  std::vector<const FollowUp*> all;
  for (const FollowUp& next : step.then) all.push_back(&next);
  for (const Alternative& other : step.mix) {
    for (const FollowUp& next : other.then) all.push_back(&next);
  }
  return all;
}

/// Work requests that one operation of a step takes, on average; at least 1.
[[nodiscard]] inline double mean_parts(const PostStep& step) {
  double parts = 1;
  for (const FollowUp& next : step.then) parts += own_share(step) * next.share;
  for (const Alternative& other : step.mix) {
    for (const FollowUp& next : other.then) parts += other.share * next.share;
  }
  return parts;
}

/// Whether a step starts work of its own: it neither answers nor acts for requests.
[[nodiscard]] inline bool starts_work(const PostStep& step) {
  return step.destination != Destination::origin && !step.relay;
}

/// Whether what a step posts goes to one peer after the other, or to any, over queue pairs that lead to one each.
[[nodiscard]] inline bool needs_connections(const PostStep& step, const QueuePairs& set) {
  const bool turns = step.destination == Destination::round_robin || step.destination == Destination::random;
  return turns && !step.relay && set.transport != Transport::ud;
}

/// Whether one of the operations of a step, its own or one that is mixed in or follows, `fits`.
template <class Predicate> [[nodiscard]] bool any_operation(const PostStep& step, Predicate fits) {
  const auto fits_other = [&](const auto& other) { return fits(only(step, other)); };
  const auto fits_kind = [&](const Alternative& kind) {
    return fits_other(kind) || std::ranges::any_of(kind.then, fits_other);
  };
  const bool own = own_share(step) > 0 && (fits(step) || std::ranges::any_of(step.then, fits_other));
  return own || std::ranges::any_of(step.mix, fits_kind);
}

/// Whether a connected queue pair on which a step posts leads to one thread: a SEND is received by the thread that owns
/// the other end. What is one-sided reaches the memory of a machine, whichever of its threads looks there.
[[nodiscard]] inline bool leads_to_thread(const PostStep& step) {
  return any_operation(step, [](const PostStep& operation) { return operation.verb == Verb::send; });
}

}  // namespace doorbell::model
