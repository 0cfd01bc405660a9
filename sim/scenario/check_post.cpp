// Post steps that contradict the program, the scenario or the verbs interface.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "models/nic/verb_path.hpp"
#include "models/programs/loop_pass.hpp"
#include "scenario/check_shares.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {
namespace {

using namespace model;

/// A post step with its queue pairs, under examination.
class PostCheck {
 public:
  PostCheck(const Examined& examined, const StepSite& site, PostStep& step)
      : examined_{examined},
        site_{site},
        step_{step},
        queue_pairs_{examined.require_name(step.queue_pairs, site.program.queue_pairs, ErrorCode::unknown_queue_pairs,
                                           site.pointer / member_name(step, step.queue_pairs))} {}

  void destination() const {
    if (step_.destination == Destination::origin) {
      if (!step_.to.empty())
        refuse(ErrorCode::no_destination, step_.to, "none, as answers go to the origin of each request",
               in_quotes(step_.to));
      const auto end = site_.program.loop.begin() + static_cast<std::ptrdiff_t>(site_.index);
      const auto collects = [](const Step& step) { return std::holds_alternative<CollectStep>(step); };
      if (std::none_of(site_.program.loop.begin(), end, collects)) {
        refuse(ErrorCode::origin_without_collect, step_.destination, "a collect step before one that answers", "none");
      }
      if (std::any_of(site_.program.loop.begin(), end, is_answer))
        refuse(ErrorCode::never_posts, step_.destination, "one step that answers", "another before it");
      return;
    }
    if (step_.to.empty()) {
      const Pointer to = site_.pointer / member_name(step_, step_.to);
      const bool left_out = find(examined_.tree, to) == nullptr;
      examined_.refuse(ErrorCode::no_destination, left_out ? site_.pointer : to, R"("to", a program that receives)",
                       "none");
    }
    const Program& target = examined_.require_name(step_.to, examined_.scenario.programs, ErrorCode::unknown_program,
                                                   site_.pointer / member_name(step_, step_.to));
    if (target.machine == site_.program.machine && machine().count == 1) {
      refuse(ErrorCode::no_route, step_.to, "a program on another machine",
             fmt::format("{} on the same single machine {}", in_quotes(step_.to), in_quotes(target.machine)));
    }
    // Thread i asks thread i: of one group, both are on the same machine.
    if (target.machine == site_.program.machine && step_.destination == Destination::fixed && !step_.relay) {
      refuse(ErrorCode::no_route, step_.destination,
             fmt::format("{}, as {} is on the same group of machines", in_quotes(text_of(Destination::others)),
                         in_quotes(step_.to)),
             in_quotes(text_of(step_.destination)) + ", by which each machine would send to itself");
    }
  }

  /// What a step posts: its own operation, or one that is mixed in.
  template <class Operation> void operation(Operation& operation, const Pointer& pointer) const {
    verb(operation, pointer);
    payload(operation, pointer);
    if (operation.region) {
      const Bytes size = is_atomic(operation.verb) ? Bytes{8} : operation.payload;
      check_region(examined_, pointer / member_name(operation, operation.region), *operation.region, operation.verb,
                   size);
    }
  }

  void immediate() const {
    if (!step_.immediate || carries_payload(step_.verb)) return;
    refuse(ErrorCode::immediate_misplaced, step_.immediate, "no immediate data with " + text_of(step_.verb), "true");
  }

  /// As a default it says nothing; whoever writes it means something.
  void inlined() const {
    const auto carries = [](const auto& operation) { return carries_payload(operation.verb); };
    const auto some_carries = [&](const Alternative& kind) {
      return carries(kind) || std::ranges::any_of(kind.then, carries);
    };
    if (!step_.inlined || carries(step_) || std::ranges::any_of(step_.then, carries) ||
        std::ranges::any_of(step_.mix, some_carries)) {
      return;
    }
    if (find(examined_.tree, site_.pointer / member_name(step_, step_.inlined)) == nullptr) return;
    refuse(ErrorCode::inline_misplaced, step_.inlined, "no inline payload with " + text_of(step_.verb), "true");
  }

  /// Copies and registration are for payloads of one kind that the NIC fetches or brings by itself.
  void data() const {
    if (!step_.data) return;
    const auto misplaced = [&](const std::string& expected, const std::string& found) {
      refuse(ErrorCode::data_misplaced, step_.data, expected, found);
    };
    if (is_atomic(step_.verb)) misplaced("a verb with a payload", text_of(step_.verb));
    if (step_.payload == Bytes{0}) misplaced("a payload", "none");
    if (carries_payload(step_.verb) && step_.inlined)
      misplaced("a payload that is not inline, and so copied into the WQE", "an inline one");
    if (!step_.mix.empty() || has_follow_ups(step_) || step_.acknowledgement)
      misplaced("one kind of operation", "several");
    if (step_.relay)
      misplaced("a step that starts work or answers", "a relay, whose payload came into registered memory");
    if (step_.data->registration == Registration::in_place) return;
    const bool copies = step_.data->registration != Registration::map || step_.data->copy_up_to > Bytes{0};
    if (step_.verb == Verb::read && copies && !has_step<AwaitStep>(site_.program))
      misplaced("an await step that takes what is read", "none");
    if (!machine().software) {
      refuse(ErrorCode::no_software, step_.data,
             "a machine with a \"software\" profile, which says what copies and registration cost", "none");
    }
  }

  /// Only what has left its data somewhere is acknowledged.
  void acknowledgement() const {
    if (!step_.acknowledgement) return;
    const auto end = site_.program.loop.begin() + static_cast<std::ptrdiff_t>(site_.index);
    if (step_.destination != Destination::origin || std::none_of(site_.program.loop.begin(), end, may_leave_data)) {
      refuse(ErrorCode::access_misplaced, step_.acknowledgement,
             "answers, behind an access step, or a compute step or a relay that keeps what carries data", "none");
    }
    PostStep other = with_payload(step_, *step_.acknowledgement);
    payload(other, site_.pointer);
  }

  void mix() const {
    const Pointer pointer = site_.pointer / member_name(step_, step_.mix);
    check_shares(examined_, pointer, step_.mix);
    for (std::size_t i = 0; i < step_.mix.size(); ++i) {
      operation(step_.mix[i], pointer / i);
      then(step_.mix[i], pointer / i);
    }
  }

  /// What follows on the operation of this kind.
  template <class Kind> void then(Kind& kind, const Pointer& pointer) const {
    const Pointer at = pointer / member_name(kind, kind.then);
    if (!kind.then.empty()) follows_what_ends(at);
    for (std::size_t i = 0; i < kind.then.size(); ++i) {
      operation(kind.then[i], at / i);
      if (kind.then[i].share > 0) work_request(kind.then[i], at / i);
    }
  }

  void queue() const {
    const std::int64_t slots =
        std::int64_t{queue_pairs_.depth} * model::per_thread(queue_pairs_, machine().hardware.port.ports);
    if (step_.method == PostMethod::mmio && step_.batch > 1) {
      refuse(ErrorCode::mmio_batch, step_.batch, "a batch of 1 with method " + in_quotes(text_of(step_.method)),
             std::to_string(step_.batch));
    }
    if (own_share(step_) > 0) work_request(step_, site_.pointer);
    for (std::size_t i = 0; i < step_.mix.size(); ++i) {
      if (step_.mix[i].share > 0) work_request(step_.mix[i], site_.pointer / member_name(step_, step_.mix) / i);
    }
    const Pointer depth = examined_.program(site_.program_name) /
                          member_name(site_.program, site_.program.queue_pairs) / step_.queue_pairs /
                          member_name(queue_pairs_, queue_pairs_.depth);
    if (step_.signal_every > queue_pairs_.depth) {
      refuse_signals(ErrorCode::signal_beyond_depth, depth,
                     fmt::format("at most the depth {} of {}", queue_pairs_.depth, in_quotes(step_.queue_pairs)));
    }
    // The WQEs up to a signaled one and those of a call must fit together, or the call waits for what is not signaled.
    const bool by_itself = signals_last();
    const int call = longest_call();
    const int most = queue_pairs_.depth - call + 1;
    if (step_.signal_every > 1 && !by_itself && call <= queue_pairs_.depth && step_.signal_every > most) {
      refuse_signals(ErrorCode::signal_beyond_depth, depth,
                     fmt::format("at most {} with calls of {} on the depth {} of {}", most, call, queue_pairs_.depth,
                                 in_quotes(step_.queue_pairs)));
    }
    if (step_.window > 0 && is_told_by_cqes()) {
      const std::int64_t pairs = slots / queue_pairs_.depth;
      if (takes_the_oldest() && (pairs > 1 || !starts_alone())) {
        refuse_signals(ErrorCode::signal_beyond_window, site_.pointer / member_name(step_, step_.window),
                       "1 where the oldest operation is taken first: those of other queue pairs or steps can fill the "
                       "window before a CQE tells of it");
      }
      const std::int64_t longest = std::max<std::int64_t>(0, step_.window - most_awaited()) / pairs + 1;
      if (some_go_on()) {
        refuse_signals(ErrorCode::signal_beyond_window, site_.pointer / member_name(step_, step_.window),
                       "1 beside `then`: what goes on keeps its place in the window, which can be full before CQEs "
                       "tell of the others");
      }
      if (step_.signal_every > longest) {
        refuse_signals(
            ErrorCode::signal_beyond_window, site_.pointer / member_name(step_, step_.window),
            fmt::format("at most {}: otherwise a window of {} on {} queue pair{} can be full before CQEs tell of the "
                        "{} that await steps take",
                        longest, step_.window, pairs, pairs == 1 ? "" : "s", most_awaited()));
      }
    }
    if (step_.batch > queue_pairs_.depth) refuse_window(step_.batch, queue_pairs_.depth);
    // An answered request frees its slot when it is sent; only what completes at the requester holds it to the end.
    const bool holds_slots = !carries_payload(step_.verb) || !answered();
    if (holds_slots && step_.window > slots) refuse_window(step_.window, slots);
  }

 private:
  void follows_what_ends(const Pointer& at) const {
    const auto misplaced = [&](const std::string& expected, const std::string& found) {
      examined_.refuse(ErrorCode::follow_up_misplaced, at, expected, found);
    };
    if (!starts_work(step_)) misplaced("a step that starts work", step_.relay ? "a relay" : "one that answers");
    if (!has_step<AwaitStep>(site_.program)) misplaced("an await step that takes what comes before", "none");
    if (step_.window == 0 && !step_.arrivals) misplaced("a window, or arrivals", "neither");
  }

  /// Whether the last operation of each window, or of each call, is signaled whatever `signal_every` says.
  [[nodiscard]] bool signals_last() const {
    const bool whole = step_.signal_every >= step_.window && waits_for_whole_windows(site_.program, step_);
    if (!whole && !step_.relay) return false;
    const Program* target = find(examined_.scenario.programs, step_.to);
    return target != nullptr && completes_itself(step_, *target);
  }

  [[nodiscard]] bool is_told_by_cqes() const {
    const Program* target = find(examined_.scenario.programs, step_.to);
    return target != nullptr && told_by_cqes(site_.program, step_, *target);
  }

  /// How many operations the program's await steps wait for, at most, before it posts again.
  [[nodiscard]] int most_awaited() const {
    int most = 1;
    int sum = 0;
    const auto& loop = site_.program.loop;
    for (std::size_t i = 0; i < 2 * loop.size() && !step_.arrivals; ++i) {
      const Step& other = loop[i % loop.size()];
      const auto* await = std::get_if<AwaitStep>(&other);
      const auto* post = std::get_if<PostStep>(&other);
      if (post != nullptr && starts_work(*post)) sum = 0;
      if (await != nullptr) sum += await->at_least;
      most = std::max(most, sum);
    }
    return most;
  }

  [[nodiscard]] bool takes_the_oldest() const {
    return has_step<AwaitStep>(site_.program, [](const AwaitStep& step) { return step.order == AwaitOrder::posting; });
  }

  /// Whether no other step of the program starts work.
  [[nodiscard]] bool starts_alone() const {
    return !has_step<PostStep>(site_.program,
                               [&](const PostStep& other) { return &other != &step_ && starts_work(other); });
  }

  /// Whether operations of the program keep their place in the window while nothing of them is under way.
  [[nodiscard]] bool some_go_on() const { return has_step<PostStep>(site_.program, has_follow_ups); }

  /// Of all steps on these queue pairs.
  [[nodiscard]] int longest_call() const {
    int longest = 1;
    for (const Step& other : site_.program.loop) {
      const auto* post = std::get_if<PostStep>(&other);
      if (post != nullptr && post->queue_pairs == step_.queue_pairs) longest = std::max(longest, post->batch);
    }
    return longest;
  }

  template <class Operation> void verb(Operation& operation, const Pointer& pointer) const {
    const Verb verb = operation.verb;
    const bool needs_rc = verb == Verb::read || is_atomic(verb);
    const bool connected = queue_pairs_.transport != Transport::ud;
    const bool fine = needs_rc ? queue_pairs_.transport == Transport::rc : (verb == Verb::send || connected);
    if (!fine) {
      examined_.refuse(ErrorCode::verb_transport, pointer / member_name(operation, operation.verb),
                       needs_rc ? "queue pairs of transport RC" : "queue pairs of transport RC or UC",
                       fmt::format("{} on {}", text_of(verb), text_of(queue_pairs_.transport)));
    }
  }

  template <class Operation> void payload(Operation& operation, const Pointer& pointer) const {
    const Bytes payload = operation.payload;
    const auto refuse_payload = [&](ErrorCode code, const std::string& expected) {
      examined_.refuse(code, pointer / member_name(operation, operation.payload), expected, in_bytes(payload));
    };
    if (is_atomic(operation.verb) && payload != Bytes{0} && payload != Bytes{8}) {
      refuse_payload(ErrorCode::atomic_payload, "8 B");
    }
    if (carries_payload(operation.verb) && step_.inlined && payload > queue_pairs_.max_inline) {
      refuse_payload(ErrorCode::inline_too_big,
                     fmt::format("at most {} inline (max_inline of {})", in_bytes(queue_pairs_.max_inline),
                                 in_quotes(step_.queue_pairs)));
    }
    if (queue_pairs_.transport != Transport::ud) return;
    if (const Bytes mtu = path_mtu(); payload > mtu) {
      refuse_payload(ErrorCode::datagram_too_big, fmt::format("at most one packet ({}) over UD", in_bytes(mtu)));
    }
  }

  /// The smallest of the machines that talk.
  [[nodiscard]] Bytes path_mtu() const {
    Bytes mtu = machine().hardware.port.mtu;
    const auto reach = [&](const std::string& group) {
      mtu = std::min(mtu, find(examined_.scenario.machines, group)->hardware.port.mtu);
    };
    if (const Program* target = find(examined_.scenario.programs, step_.to)) reach(target->machine);
    if (step_.destination == Destination::origin) {
      for (const std::string& group : groups_that_send_to(examined_.scenario.programs, site_.program_name))
        reach(group);
    }
    return mtu;
  }

  template <class Operation> void work_request(Operation& operation, const Pointer& pointer) const {
    model::Operation one;
    one.transport = queue_pairs_.transport;
    one.verb = operation.verb;
    one.payload = operation.payload;
    one.inlined = step_.inlined;
    const Bytes wqe = model::wqe_bytes(machine().hardware.nic, one);
    const Bytes longest = machine().hardware.mmio.blueflame;
    if (step_.method != PostMethod::mmio || wqe <= longest) return;
    examined_.refuse(
        ErrorCode::mmio_too_long, pointer / member_name(operation, operation.payload),
        fmt::format("a WQE of at most {} with method {}", in_bytes(longest), in_quotes(text_of(step_.method))),
        in_bytes(wqe));
  }

  template <class T>
  [[noreturn]] void refuse(ErrorCode code, const T& member, const std::string& expected,
                           const std::string& found) const {
    examined_.refuse(code, site_.pointer / member_name(step_, member), expected, found);
  }

  [[noreturn]] void refuse_signals(ErrorCode code, const Pointer& other, const std::string& expected) const {
    refuse_signal_every(examined_, site_.pointer, step_, code, other, expected);
  }

  [[noreturn]] void refuse_window(const int& member, std::int64_t room) const {
    refuse(ErrorCode::window_blocks, member,
           fmt::format("at most the {} slots of the send queues of {}", room, in_quotes(step_.queue_pairs)),
           std::to_string(member));
  }

  [[nodiscard]] const MachineGroup& machine() const {
    return *find(examined_.scenario.machines, site_.program.machine);
  }

  [[nodiscard]] bool answered() const {
    const Program* target = find(examined_.scenario.programs, step_.to);
    return target != nullptr && answers(*target);
  }

  const Examined& examined_;
  const StepSite& site_;
  PostStep& step_;
  QueuePairs& queue_pairs_;
};

}  // namespace

void refuse_signal_every(const Examined& examined, const Pointer& at, PostStep& step, ErrorCode code,
                         const Pointer& other, const std::string& expected) {
  const Pointer itself = at / member_name(step, step.signal_every);
  const std::string value = std::to_string(step.signal_every);
  if (find(examined.tree, itself) != nullptr) examined.refuse(code, itself, expected, value);
  examined.refuse(code, find(examined.tree, other) != nullptr ? other : at, "a signal_every of " + expected,
                  value + ", the default");
}

void check_post(const Examined& examined, const StepSite& site, PostStep& step) {
  const PostCheck post{examined, site, step};
  post.destination();
  post.operation(step, site.pointer);
  post.immediate();
  post.inlined();
  post.queue();
  check_connections(examined, site, step);
  post.then(step, site.pointer);
  post.mix();
  post.acknowledgement();
  post.data();
}

}  // namespace doorbell::scenario
