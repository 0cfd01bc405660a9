// Relays: post steps that act for requests.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {
namespace {

using namespace model;

/// A step with a relay, under examination; what it posts by itself has been found right.
class RelayCheck {
 public:
  RelayCheck(const Examined& examined, const StepSite& site, PostStep& step)
      : examined_{examined},
        site_{site},
        step_{step},
        relay_{*step.relay},
        target_{*find(examined.scenario.programs, step.to)} {}

  void place() const {
    const auto begin = site_.program.loop.begin();
    const auto here = begin + static_cast<std::ptrdiff_t>(site_.index);
    const auto misplaced = [&](const std::string& expected, const std::string& found) {
      examined_.refuse(ErrorCode::relay_misplaced, pointer(), expected, found);
    };
    const auto collects = [](const Step& step) { return std::holds_alternative<CollectStep>(step); };
    if (std::none_of(begin, here, collects)) misplaced("a collect step before it", "none");
    if (std::any_of(begin, here, is_answer)) misplaced("no answers before it", "some");
    if (std::none_of(here, site_.program.loop.end(), is_answer))
      misplaced("a post step behind it that answers", "none");
    if (step_.window > 0)
      misplaced("no window, since requests decide how much is posted", std::to_string(step_.window));
    if (step_.destination == Destination::others) {
      misplaced(fmt::format("destination {}, {} or {}", in_quotes(text_of(Destination::fixed)),
                            in_quotes(text_of(Destination::round_robin)), in_quotes(text_of(Destination::random))),
                in_quotes(text_of(step_.destination)));
    }
  }

  void copies() const {
    const int peers = machines_reached();
    if (relay_.copies > peers) {
      refuse(relay_.copies,
             fmt::format("at most {}, the machines of {} that {} reaches", peers, in_quotes(step_.to),
                         in_quotes(site_.program_name)),
             std::to_string(relay_.copies));
    }
    if (relay_.at_least > relay_.copies) {
      refuse(relay_.at_least, fmt::format("at most the {} copies", relay_.copies), std::to_string(relay_.at_least));
    }
  }

  /// How an operation ends must be the same for all, and known: their completions are told apart by queue pair.
  void completions() const {
    const bool itself = completes_itself(step_, target_);
    const bool answered = !any_operation(step_, [&](const PostStep& operation) { return !takes(target_, operation); });
    if (!itself && !answered) {
      examined_.refuse(ErrorCode::relay_misplaced, site_.pointer / member_name(step_, step_.mix),
                       "operations that are all collected, or none", "some");
    }
    if (!itself && !answers(target_)) {
      examined_.refuse(ErrorCode::await_unanswered, pointer(),
                       fmt::format("requests that {} collects and answers, or does not collect", in_quotes(step_.to)),
                       fmt::format("{} that nobody answers", text_of(step_.verb)));
    }
    for (const Step& other : site_.program.loop) {
      const auto* post = std::get_if<PostStep>(&other);
      if (post == nullptr || post->queue_pairs != step_.queue_pairs) continue;
      const bool same = post->relay && completes_itself(*post, *find(examined_.scenario.programs, post->to)) == itself;
      if (same) continue;
      examined_.refuse(ErrorCode::relay_misplaced, site_.pointer / member_name(step_, step_.queue_pairs),
                       "queue pairs that no other kind of step uses", in_quotes(step_.queue_pairs));
    }
  }

  /// A request that comes back to the program which relays it would be relayed for ever.
  void circle() const {
    std::set<std::string> seen;
    if (!comes_back(step_.to, seen)) return;
    examined_.refuse(ErrorCode::relay_circle, site_.pointer / member_name(step_, step_.to),
                     "a program that does not relay to this one in turn", in_quotes(step_.to));
  }

 private:
  [[nodiscard]] Pointer pointer() const { return site_.pointer / member_name(step_, step_.relay); }

  template <class T>
  [[noreturn]] void refuse(const T& member, const std::string& expected, const std::string& found) const {
    examined_.refuse(ErrorCode::relay_copies, pointer() / member_name(relay_, member), expected, found);
  }

  [[nodiscard]] int machines_reached() const {
    const int machines = find(examined_.scenario.machines, target_.machine)->count;
    return target_.machine == site_.program.machine ? machines - 1 : machines;
  }

  [[nodiscard]] bool comes_back(const std::string& name, std::set<std::string>& seen) const {
    if (!seen.insert(name).second) return false;
    const Program* program = find(examined_.scenario.programs, name);
    if (program == nullptr || !has_step<CollectStep>(*program)) return false;
    if (name == site_.program_name) return true;
    return has_step<PostStep>(*program, [&](const PostStep& post) { return post.relay && comes_back(post.to, seen); });
  }

  const Examined& examined_;
  const StepSite& site_;
  PostStep& step_;
  Relay& relay_;
  const Program& target_;
};

}  // namespace

void check_relay(const Examined& examined, const StepSite& site, PostStep& step) {
  const RelayCheck relay{examined, site, step};
  relay.place();
  relay.copies();
  relay.completions();
  relay.circle();
}

}  // namespace doorbell::scenario
