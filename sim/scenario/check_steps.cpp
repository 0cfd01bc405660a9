// Steps of a program that contradict the program, the scenario or the verbs interface.
#include <fmt/format.h>

#include <algorithm>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {
namespace {

using namespace model;

bool is_atomic(Verb verb) { return verb == Verb::fetch_add || verb == Verb::compare_swap; }
bool carries_payload(Verb verb) { return verb == Verb::send || verb == Verb::write; }

template <class Wanted, class Predicate> bool any_step(const Program& program, Predicate predicate) {
  return std::any_of(program.loop.begin(), program.loop.end(), [&](const Step& step) {
    const Wanted* wanted = std::get_if<Wanted>(&step);
    return wanted != nullptr && predicate(*wanted);
  });
}

/// Whether requests to this program are answered.
bool answers(const Program& program) {
  return any_step<PostStep>(program, [](const PostStep& step) { return step.destination == Destination::origin; });
}

bool posts_to(const Program& program, const std::string& target) {
  return any_step<PostStep>(program, [&](const PostStep& step) { return step.to == target; });
}

/// What a post step leaves behind where its operation arrives.
bool arrives_by(const PostStep& step, Channel channel) {
  if (channel == Channel::memory) return step.verb == Verb::write;
  return step.verb == Verb::send || (step.verb == Verb::write && step.immediate);
}

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
        refuse(ErrorCode::no_destination, step_.to, "no program beside the origin", in_quotes(step_.to));
      const auto end = site_.program.loop.begin() + static_cast<std::ptrdiff_t>(site_.index);
      const auto collects = [](const Step& step) { return std::holds_alternative<CollectStep>(step); };
      if (std::none_of(site_.program.loop.begin(), end, collects)) {
        refuse(ErrorCode::origin_without_collect, step_.destination, "a collect step before one that answers", "none");
      }
      return;
    }
    if (step_.to.empty()) refuse(ErrorCode::no_destination, step_.to, "a program that receives", "none");
    const Program& target = examined_.require_name(step_.to, examined_.scenario.programs, ErrorCode::unknown_program,
                                                   site_.pointer / member_name(step_, step_.to));
    if (target.machine == site_.program.machine && machine().count == 1) {
      refuse(ErrorCode::no_route, step_.to, "a program on another machine",
             fmt::format("{} on the same single machine {}", in_quotes(step_.to), in_quotes(target.machine)));
    }
  }

  void verb() const {
    const bool needs_rc = step_.verb == Verb::read || is_atomic(step_.verb);
    const bool connected = queue_pairs_.transport != Transport::ud;
    const bool fine = needs_rc ? queue_pairs_.transport == Transport::rc : (step_.verb == Verb::send || connected);
    if (!fine) {
      refuse(ErrorCode::verb_transport, step_.verb,
             needs_rc ? "queue pairs of transport RC" : "queue pairs of transport RC or UC",
             fmt::format("{} on {}", text_of(step_.verb), text_of(queue_pairs_.transport)));
    }
  }

  void payload() const {
    if (is_atomic(step_.verb) && step_.payload != Bytes{0} && step_.payload != Bytes{8}) {
      refuse(ErrorCode::atomic_payload, step_.payload, "8 B", text_of(step_.payload));
    }
    if (carries_payload(step_.verb) && step_.inlined && step_.payload > queue_pairs_.max_inline) {
      refuse(ErrorCode::inline_too_big, step_.payload,
             fmt::format("at most {} inline (max_inline of {})", text_of(queue_pairs_.max_inline),
                         in_quotes(step_.queue_pairs)),
             text_of(step_.payload));
    }
    const Bytes mtu = machine().hardware.port.mtu;
    if (queue_pairs_.transport == Transport::ud && step_.payload > mtu) {
      refuse(ErrorCode::datagram_too_big, step_.payload, fmt::format("at most one packet ({}) over UD", text_of(mtu)),
             text_of(step_.payload));
    }
  }

  void queue() const {
    const int slots = queue_pairs_.depth * queue_pairs_.count *
                      (queue_pairs_.ports == PortUse::all ? machine().hardware.port.ports : 1);
    if (step_.method == PostMethod::mmio && step_.batch > 1) {
      refuse(ErrorCode::mmio_batch, step_.batch, "a batch of 1 with method " + in_quotes(text_of(step_.method)),
             std::to_string(step_.batch));
    }
    if (step_.signal_every > queue_pairs_.depth) {
      refuse(ErrorCode::signal_beyond_depth, step_.signal_every,
             fmt::format("at most the depth {} of {}", queue_pairs_.depth, in_quotes(step_.queue_pairs)),
             std::to_string(step_.signal_every));
    }
    const int room = step_.rotate == Rotation::per_batch ? queue_pairs_.depth : slots;
    if (step_.batch > room) refuse_window(step_.batch, room);
    // An answered request frees its slot when it is sent; only what completes at the requester holds it to the end.
    const bool holds_slots = !carries_payload(step_.verb) || !answered();
    if (holds_slots && step_.window > slots) refuse_window(step_.window, slots);
  }

  void region() const {
    if (!step_.region) return;
    Region& region = *step_.region;
    const Pointer at = site_.pointer / member_name(step_, step_.region);
    if (step_.verb == Verb::send) {
      examined_.refuse(ErrorCode::region_misplaced, at, "no region with " + text_of(step_.verb), "a region");
    }
    const Bytes access = is_atomic(step_.verb) ? Bytes{8} : step_.payload;
    if (region.offset + access > region.stride) {
      examined_.refuse(ErrorCode::region_does_not_fit, at / member_name(region, region.stride),
                       fmt::format("objects of at least {}", text_of(region.offset + access)), text_of(region.stride));
    }
    constexpr double largest = 1e15;  // A petabyte: beyond any machine, and safely within 64 bits.
    if (static_cast<double>(region.count) * static_cast<double>(region.stride.count) > largest) {
      examined_.refuse(ErrorCode::region_does_not_fit, at / member_name(region, region.count),
                       "a region of at most 1000 TB", std::to_string(region.count));
    }
  }

 private:
  template <class T>
  [[noreturn]] void refuse(ErrorCode code, const T& member, const std::string& expected,
                           const std::string& found) const {
    examined_.refuse(code, site_.pointer / member_name(step_, member), expected, found);
  }

  [[noreturn]] void refuse_window(const int& member, int room) const {
    refuse(ErrorCode::window_blocks, member,
           fmt::format("at most the {} slots of the send queues of {}", room, in_quotes(step_.queue_pairs)),
           std::to_string(member));
  }

  [[nodiscard]] const MachineGroup& machine() const {
    const auto& machines = examined_.scenario.machines;
    const auto named = [&](const auto& entry) { return entry.first == site_.program.machine; };
    return std::find_if(machines.begin(), machines.end(), named)->second;
  }

  [[nodiscard]] bool answered() const {
    const auto& programs = examined_.scenario.programs;
    return std::any_of(programs.begin(), programs.end(),
                       [&](const auto& entry) { return entry.first == step_.to && answers(entry.second); });
  }

  const Examined& examined_;
  const StepSite& site_;
  PostStep& step_;
  const QueuePairs& queue_pairs_;
};

}  // namespace

void check_post(const Examined& examined, const StepSite& site, PostStep& step) {
  const PostCheck post{examined, site, step};
  post.destination();
  post.verb();
  post.payload();
  post.queue();
  post.region();
}

void check_collect(const Examined& examined, const StepSite& site, CollectStep& step) {
  const auto& programs = examined.scenario.programs;
  const bool fed = std::any_of(programs.begin(), programs.end(), [&](const auto& entry) {
    const bool asked = posts_to(site.program, entry.first);
    return any_step<PostStep>(entry.second, [&](const PostStep& post) {
      const bool reaches = post.to == site.program_name || (asked && post.destination == Destination::origin);
      return reaches && arrives_by(post, step.via);
    });
  });
  if (fed) return;
  const std::string needed = step.via == Channel::memory ? text_of(Verb::write) : text_of(Verb::send);
  examined.refuse(ErrorCode::collect_without_requests, site.pointer / member_name(step, step.via),
                  fmt::format("a program that posts {} to {}", needed, in_quotes(site.program_name)), "none");
}

void check_await(const Examined& examined, const StepSite& site, AwaitStep& step) {
  std::int64_t outstanding = 0;
  for (const Step& other : site.program.loop) {
    const PostStep* post = std::get_if<PostStep>(&other);
    if (post != nullptr && post->destination != Destination::origin)
      outstanding += post->window > 0 ? post->window : post->batch;
  }
  if (outstanding == 0) {
    examined.refuse(ErrorCode::await_without_post, site.pointer, "a post step whose operations can be awaited", "none");
  }
  if (step.at_least > outstanding) {
    examined.refuse(ErrorCode::await_never_ends, site.pointer / member_name(step, step.at_least),
                    fmt::format("at most {}, the operations that can be outstanding", outstanding),
                    std::to_string(step.at_least));
  }
}

}  // namespace doorbell::scenario
