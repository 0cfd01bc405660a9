// Programs that sleep until an interrupt, and wait for something that raises none; and those that share queues.
#include <fmt/format.h>

#include <string>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

namespace {

/// The first step that waits for something other than CQEs, or null.
const Step* waits_for_else(const Program& program) {
  for (const Step& step : program.loop) {
    const auto* collect = std::get_if<CollectStep>(&step);
    const auto* post = std::get_if<PostStep>(&step);
    if ((collect != nullptr && collect->via == Channel::memory) || (post != nullptr && post->arrivals) ||
        std::holds_alternative<AccessStep>(step))
      return &step;
  }
  return nullptr;
}

std::string what_it_waits_for(const Step& step) {
  if (std::holds_alternative<CollectStep>(step)) return "one that polls memory";
  return std::holds_alternative<AccessStep>(step) ? "one that accesses storage" : "one with arrivals";
}

/// Whether answers come that leave no CQE.
bool is_answered_in_memory(const Scenario& scenario, const Program& asker) {
  return has_step<PostStep>(asker, [&](const PostStep& post) {
    const Program* target = find(scenario.programs, post.to);
    const auto is_taken = [&](const PostStep& operation) { return takes(*target, operation); };
    return target != nullptr && any_operation(post, is_taken) && !answers_by_cqe(*target);
  });
}

/// Whether nobody answers the operations of a step, and neither each of them leaves a CQE nor the last of each window.
bool leaves_too_few(const Scenario& scenario, const Program& program, const PostStep& post) {
  const Program* target = find(scenario.programs, post.to);
  if (target == nullptr || post.relay || post.signal_every == 1 || !completes_itself(post, *target)) return false;
  return !waits_for_whole_windows(program, post) || post.signal_every < post.window;
}

void check_shared_queues(const Examined& examined, const std::string& name, Program& program) {
  const int queues = program.completion.shared_queues;
  if (queues == 0) return;
  const auto refuse = [&](const std::string& expected, const std::string& found) {
    examined.refuse(ErrorCode::shared_queues,
                    examined.program(name) / member_name(program, program.completion) /
                        member_name(program.completion, program.completion.shared_queues),
                    expected, found);
  };
  const auto polls = [](const CollectStep& step) { return step.via == Channel::completion_queue; };
  if (!has_step<CollectStep>(program, polls)) {
    refuse("a program that collects from its completion queue",
           fmt::format("{} shared queue{}", queues, queues == 1 ? "" : "s"));
  }
  if (queues > program.threads) {
    refuse(fmt::format("at most {}, the threads of a machine", program.threads), std::to_string(queues));
  }
}

}  // namespace

void check_completion(const Examined& examined) {
  for (auto& [name, program] : examined.scenario.programs) {
    check_shared_queues(examined, name, program);
    if (program.completion.mode == WaitMode::busy) continue;
    const Pointer at = examined.program(name) / member_name(program, program.completion) /
                       member_name(program.completion, program.completion.mode);
    const auto refuse = [&](ErrorCode code, const std::string& expected, const std::string& found) {
      examined.refuse(code, at, expected, found);
    };
    if (!find(examined.scenario.machines, program.machine)->software) {
      refuse(ErrorCode::no_software, "a machine with a \"software\" profile, which says what interrupts cost", "none");
    }
    if (const Step* step = waits_for_else(program)) {
      refuse(ErrorCode::never_interrupted, "steps that wait for CQEs only", what_it_waits_for(*step));
    }
    if (!has_step<CollectStep>(program) && !has_step<AwaitStep>(program)) {
      refuse(ErrorCode::never_interrupted, "a collect or await step", "none");
    }
    if (is_answered_in_memory(examined.scenario, program)) {
      refuse(ErrorCode::never_interrupted, "answers that leave a CQE", "WRITEs without immediate data");
    }
    if (!has_step<AwaitStep>(program)) continue;
    for (std::size_t i = 0; i < program.loop.size(); ++i) {
      auto* post = std::get_if<PostStep>(&program.loop[i]);
      if (post == nullptr || !leaves_too_few(examined.scenario, program, *post)) continue;
      refuse_signal_every(examined, examined.program(name) / member_name(program, program.loop) / i / PostStep::kind,
                          *post, ErrorCode::never_interrupted, at,
                          "1 in a program that sleeps, so that all that it awaits leaves a CQE");
    }
  }
}

}  // namespace doorbell::scenario
