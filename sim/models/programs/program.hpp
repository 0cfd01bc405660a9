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
#include "models/common/describe.hpp"
#include "models/programs/access_step.hpp"
#include "models/programs/completion_wait.hpp"
#include "models/programs/post_step.hpp"
#include "models/programs/queue_pairs.hpp"
#include "models/programs/touch_step.hpp"

namespace doorbell::model {

enum class Channel { memory, completion_queue };
enum class AwaitOrder { completion, posting };

template <> struct EnumNames<Channel> {
  static constexpr std::array<std::string_view, 2> values{"memory", "completion_queue"};
};
template <> struct EnumNames<AwaitOrder> {
  static constexpr std::array<std::string_view, 2> values{"completion", "posting"};
};

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
  v.optional("per_item", s.per_item,
             {.doc = "CPU time to handle one answer, or the end of a part of an operation.", .max = 1e-3});
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

/// Requests whose data a program keeps in memory: the PUTs of a store, say.
struct KeptRequests {
  Bytes carrying{1};
  std::optional<Time> per_item = {};
};
template <class V> void describe(V& v, KeptRequests& s) {
  v.field("carrying", s.carrying, {.doc = "Least payload of such requests.", .min = 1, .max = 1 << 30});
  v.optional("per_item", s.per_item,
             {.doc = "CPU time of each of them, at the clock of a single active core; as of the others when left out.",
              .max = 1});
}

/// Computes.
struct ComputeStep {
  static constexpr std::string_view kind = "compute";
  Time per_pass{0};
  Time per_item{0};  ///< For each request collected, or answer awaited, in this pass.
  std::vector<RareRequest> mix;
  std::optional<KeptRequests> keep = {};
};
template <class V> void describe(V& v, ComputeStep& s) {
  v.optional("per_pass", s.per_pass,
             {.doc = "CPU time once per pass, at the clock of a single active core.", .max = 1});
  v.optional("per_item", s.per_item,
             {.doc = "CPU time per collected request, or awaited answer, of this pass, likewise; of operations that "
                     "go on (`then`), each part counts.",
              .max = 1});
  v.optional("mix", s.mix, {.doc = "Requests that take another time than per_item."});
  v.optional("keep", s.keep,
             {.doc = "Collected requests that carry data which the program keeps in memory. Answers to them can be an "
                     "`acknowledgement`."});
}
/// Whether a collected request with so much payload is kept.
[[nodiscard]] inline bool keeps(const ComputeStep& step, Bytes payload) {
  return step.keep && payload >= step.keep->carrying;
}
/// CPU time of a request, on average over all, a share `kept` of which is kept.
[[nodiscard]] inline Time mean_per_item(const ComputeStep& step, double kept) {
  Time mean = step.per_item;
  for (const RareRequest& rare : step.mix) mean += stretched(rare.per_item - step.per_item, rare.share);
  if (step.keep && step.keep->per_item) mean += stretched(*step.keep->per_item - mean, kept);
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
  v.optional("per_item", s.per_item,
             {.doc = "One atomic increment per collected request, or awaited answer, instead of one per pass."});
}

/// Posts RECVs for the requests collected (or answers awaited) in this pass.
struct ReplenishStep {
  static constexpr std::string_view kind = "replenish";
  std::string queue_pairs;
  std::optional<int> recvs;  ///< Of each of these queue pairs; none: as many as its depth.
  Time per_item{0};          ///< CPU time per RECV posted.
  Time per_pass{0};
  Time rnr_timer = std::chrono::microseconds{640};
};
template <class V> void describe(V& v, ReplenishStep& s) {
  v.field("queue_pairs", s.queue_pairs,
          {.doc = "Whose receive queue is refilled. A program that collects has one such step, or RECVs enough."});
  v.optional("recvs", s.recvs,
             {.doc = "RECVs that each of these queue pairs has at the beginning; as many as its depth when left out. "
                     "Connections have receive queues of their own. Those of a thread that receives datagrams count "
                     "together, and so do those of shared queues.",
              .min = 1,
              .max = 65536});
  v.optional("per_item", s.per_item, {.doc = "CPU time per RECV posted.", .max = 1e-3});
  v.optional("per_pass", s.per_pass, {.doc = "CPU time of the posting call.", .max = 1e-3});
  v.optional("rnr_timer", s.rnr_timer,
             {.doc = "On RC: how long a queue pair waits after one of its requests has found no RECV, before it sends "
                     "it again (min_rnr_timer of the receiving queue pair; 640 us is what perftest sets).",
              .min = 1e-5,
              .max = 0.66});
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

/// Whether a step answers what was collected.
[[nodiscard]] inline bool is_answer(const Step& step) {
  const auto* post = std::get_if<PostStep>(&step);
  return post != nullptr && post->destination == Destination::origin;
}
/// Whether a program has such a step.
[[nodiscard]] inline bool answers(const Program& program) { return std::ranges::any_of(program.loop, is_answer); }

/// Whether a program increments that shared line.
[[nodiscard]] inline bool increments(const Program& program, const std::string& line) {
  return has_step<IncrementStep>(program, [&](const IncrementStep& step) { return step.line == line; });
}

/// Whether a step of a program posts to another one.
[[nodiscard]] inline bool sends_to(const Program& program, const std::string& receiver) {
  return has_step<PostStep>(program, [&](const PostStep& step) { return step.to == receiver; });
}

/// Whether a step may leave the data of requests somewhere.
[[nodiscard]] inline bool may_leave_data(const Step& step) {
  const auto* post = std::get_if<PostStep>(&step);
  const auto* compute = std::get_if<ComputeStep>(&step);
  return std::holds_alternative<AccessStep>(step) || (compute != nullptr && compute->keep) ||
         (post != nullptr && post->relay && post->relay->carrying > Bytes{0});
}

/// Whether a request with so much payload leaves its data in memory, with a drive, or with other machines because of
/// them.
[[nodiscard]] inline bool leaves_data(const Program& program, Bytes payload) {
  const auto relays = [&](const PostStep& step) {
    return step.relay && step.relay->carrying > Bytes{0} && payload >= step.relay->carrying;
  };
  return has_step<PostStep>(program, relays) ||
         has_step<ComputeStep>(program, [&](const ComputeStep& step) { return keeps(step, payload); }) ||
         has_step<AccessStep>(program, [&](const AccessStep& step) { return writes(step, payload); });
}

/// The step that posts what arrives, or null.
[[nodiscard]] inline const PostStep* open_loop(const Program& program) {
  return find_step<PostStep>(program, [](const PostStep& step) { return step.arrivals.has_value(); });
}

/// Whether a step's own operation leaves something behind where it arrives that a collect step of `channel` takes.
[[nodiscard]] inline bool arrives_by(const PostStep& step, Channel channel) {
  if (channel == Channel::memory) return step.verb == Verb::write && step.payload > Bytes{0};
  return step.verb == Verb::send || (step.verb == Verb::write && step.immediate);
}

/// Whether each answer of a program leaves a CQE where it arrives.
[[nodiscard]] inline bool answers_by_cqe(const Program& program) {
  return !has_step<PostStep>(program, [](const PostStep& post) {
    return post.destination == Destination::origin && any_operation(post, [](const PostStep& operation) {
             return !arrives_by(operation, Channel::completion_queue);
           });
  });
}

/// Whether a step brings what a collect step of program `receiver` takes; it answers that program if that has `asked`.
[[nodiscard]] inline bool feeds(const PostStep& step, const std::string& receiver, bool asked,
                                const CollectStep& collect) {
  const bool reaches = step.to == receiver || (asked && step.destination == Destination::origin);
  return reaches && any_operation(step, [&](const PostStep& one) { return arrives_by(one, collect.via); });
}

/// Whether `target` collects the step's own operation.
[[nodiscard]] inline bool takes(const Program& target, const PostStep& step) {
  return has_step<CollectStep>(target, [&](const CollectStep& collect) { return arrives_by(step, collect.via); });
}

/// Whether all operations of `step` towards `target` are finished by their own completion: READs and atomics, and what
/// is received and forgotten. On RC that is the response or ACK, on UC and UD the end of sending. Otherwise the target
/// answers, in an order of its own.
[[nodiscard]] inline bool completes_itself(const PostStep& step, const Program& target) {
  return !any_operation(step, [&](const PostStep& operation) { return takes(target, operation); });
}

/// Whether `target`, of that name, works for `asking`: it collects what that sends. One-sided operations only use the
/// memory of its machine.
[[nodiscard]] inline bool works_for(const Program& target, const std::string& name, const Program& asking) {
  return has_step<PostStep>(asking,
                            [&](const PostStep& step) { return step.to == name && !completes_itself(step, target); });
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
