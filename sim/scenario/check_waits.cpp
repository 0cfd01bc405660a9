// What a program waits for, and what waits for ever.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "models/programs/loop_pass.hpp"
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {
namespace {

using namespace model;

/// The first request of this program that `fits`, which is called with its target, too.
template <class Predicate>
const PostStep* find_request(const Examined& examined, const StepSite& site, Predicate fits) {
  return find_step<PostStep>(site.program, [&](const PostStep& post) {
    const Program* target = find(examined.scenario.programs, post.to);
    // Answers of this program and what it relays are not awaited; names that do not exist are refused elsewhere.
    return starts_work(post) && target != nullptr && fits(post, *target);
  });
}

/// What completes by itself can be told from the rest; answers of a program cannot.
void check_order(const Examined& examined, const StepSite& site, AwaitStep& step) {
  const bool answered = find_request(examined, site, std::not_fn(completes_itself)) != nullptr;
  if (!answered) return;
  examined.refuse(ErrorCode::order_of_answers, site.pointer / member_name(step, step.order),
                  in_quotes(text_of(AwaitOrder::completion)) + " where programs answer",
                  in_quotes(text_of(step.order)));
}

/// The number of a step among those that start work.
std::size_t number_of(const StepSite& site) {
  std::size_t number = 0;
  for (std::size_t i = 0; i < site.index; ++i) {
    const auto* post = std::get_if<PostStep>(&site.program.loop[i]);
    if (post != nullptr && starts_work(*post)) ++number;
  }
  return number;
}

/// What is posted for the requests at hand is neither limited by a window nor awaited.
void check_at_hand(const Examined& examined, const StepSite& site, PostStep& step) {
  const auto refuse = [&](const auto& member, const std::string& expected, const std::string& found) {
    examined.refuse(ErrorCode::not_awaited, site.pointer / member_name(step, member), expected, found);
  };
  if (step.window > 0 && !step.relay)
    refuse(step.window, "no window in a step that answers", std::to_string(step.window));
  if (step.poll != PollCqes::by_rounds)
    refuse(step.poll, in_quotes(text_of(PollCqes::by_rounds)) + " in a step whose operations nothing awaits",
           in_quotes(text_of(step.poll)));
}

/// How far each program gets before it waits for what never comes.
class FirstPass {
 public:
  explicit FirstPass(const Examined& examined) : examined_{examined}, passed_(examined.scenario.programs.size(), 0) {
    while (advance()) {}
  }

  /// Refuses the first step that waits for what no program gets far enough to post.
  void check() const {
    for (std::size_t i = 0; i < passed_.size(); ++i) {
      auto& [name, program] = examined_.scenario.programs[i];
      if (passed_[i] == program.loop.size()) continue;
      const Pointer loop = examined_.program(name) / member_name(program, program.loop);
      const auto kind = std::visit([](const auto& step) { return step.kind; }, program.loop[passed_[i]]);
      examined_.refuse(ErrorCode::nobody_starts, loop / passed_[i] / kind,
                       fmt::format("a program that {} {} without waiting for it first",
                                   kind == AwaitStep::kind ? "answers" : "posts to", in_quotes(name)),
                       "none");
    }
  }

 private:
  /// Whether a program got further.
  bool advance() {
    bool any = false;
    for (std::size_t i = 0; i < passed_.size(); ++i) {
      const std::size_t before = passed_[i];
      while (passed_[i] < examined_.scenario.programs[i].second.loop.size() && passes(i)) ++passed_[i];
      any = any || passed_[i] > before;
    }
    return any;
  }

  [[nodiscard]] bool passes(std::size_t number) const {
    const Step& step = examined_.scenario.programs[number].second.loop[passed_[number]];
    if (std::holds_alternative<AwaitStep>(step)) return is_answered(number);
    const auto* collect = std::get_if<CollectStep>(&step);
    if (collect == nullptr) return true;
    for (std::size_t i = 0; i < passed_.size(); ++i) {
      const std::string& sender = program_name(i);
      const bool asked = has_posted(number, [&](const PostStep& post) { return post.to == sender; });
      if (has_posted(i, [&](const PostStep& post) { return feeds(post, program_name(number), asked, *collect); }))
        return true;
    }
    return false;
  }

  /// Whether something that the program has asked for ends by itself or is answered, or it has asked for nothing yet.
  [[nodiscard]] bool is_answered(std::size_t number) const {
    const auto& programs = examined_.scenario.programs;
    if (!has_posted(number, starts_work)) return true;
    return has_posted(number, [&](const PostStep& post) {
      const auto asked = std::ranges::find(programs, post.to, &std::pair<std::string, Program>::first);
      if (asked == programs.end()) return false;
      const auto answers = [](const PostStep& answer) { return answer.destination == Destination::origin; };
      return !takes(asked->second, post) || has_posted(static_cast<std::size_t>(asked - programs.begin()), answers);
    });
  }

  [[nodiscard]] const std::string& program_name(std::size_t number) const {
    return examined_.scenario.programs[number].first;
  }

  template <class Predicate> [[nodiscard]] bool has_posted(std::size_t number, Predicate fits) const {
    const auto& loop = examined_.scenario.programs[number].second.loop;
    return std::any_of(loop.begin(), loop.begin() + static_cast<std::ptrdiff_t>(passed_[number]),
                       [&](const Step& step) {
                         const auto* post = std::get_if<PostStep>(&step);
                         return post != nullptr && fits(*post);
                       });
  }

  const Examined& examined_;
  std::vector<std::size_t> passed_;  // steps of the loop, by program
};

/// A window counts all operations of its thread: steps before it may leave it no room.
void check_room(const Examined& examined, const StepSite& site, PostStep& step) {
  const std::size_t number = number_of(site);
  const LoopPass fresh = fresh_pass(site.program);
  if (fresh.posts[number] > 0) return;
  examined.refuse(
      ErrorCode::never_posts, site.pointer / member_name(step, step.window),
      fmt::format("more than {}, which steps before it keep in flight, or an await step between", fresh.most),
      std::to_string(step.window));
}

}  // namespace

void check_starts(const Examined& examined) { FirstPass{examined}.check(); }

void check_await(const Examined& examined, const StepSite& site, AwaitStep& step) {
  const int outstanding = fresh_pass(site.program).most;
  if (outstanding == 0) {
    examined.refuse(ErrorCode::await_without_post, site.pointer, "a post step whose operations can be awaited", "none");
  }
  if (step.at_least > outstanding) {
    examined.refuse(ErrorCode::await_never_ends, site.pointer / member_name(step, step.at_least),
                    fmt::format("at most {}, the operations that can be outstanding", outstanding),
                    std::to_string(step.at_least));
  }
  if (step.order == AwaitOrder::posting) check_order(examined, site, step);
}

void check_window(const Examined& examined, const StepSite& site, PostStep& step) {
  if (!starts_work(step)) return check_at_hand(examined, site, step);
  if (step.window == 0) return;
  if (has_step<AwaitStep>(site.program)) return check_room(examined, site, step);
  examined.refuse(ErrorCode::window_without_await, site.pointer / member_name(step, step.window),
                  "an await step in the loop, which empties the window", "none");
}

void check_answers(const Examined& examined, const StepSite& site) {
  // What is collected and not answered is ended neither by an answer nor by a completion of its own.
  Verb verb{};
  const PostStep* lost = find_request(examined, site, [&verb](const PostStep& post, const Program& target) {
    return any_operation(post, [&](const PostStep& operation) {
      verb = operation.verb;
      return takes(target, operation) && !answers(target);
    });
  });
  if (lost == nullptr) return;
  examined.refuse(ErrorCode::await_unanswered, site.pointer,
                  fmt::format("requests that {} collects and answers, or does not collect", in_quotes(lost->to)),
                  fmt::format("{} that nobody answers", text_of(verb)));
}

}  // namespace doorbell::scenario
