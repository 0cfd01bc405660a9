// Programs that sleep until an interrupt, and wait for something that raises none.
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
  return std::holds_alternative<AccessStep>(step) ? "one that accesses drives" : "one with arrivals";
}

/// Whether answers come that leave no CQE.
bool is_answered_in_memory(const Scenario& scenario, const std::string& asker) {
  const Program& program = *find(scenario.programs, asker);
  for (const auto& [name, other] : scenario.programs) {
    const bool asked =
        has_step<PostStep>(program, [&receiver = name](const PostStep& post) { return post.to == receiver; });
    const auto writes_answers = [](const PostStep& post) {
      return post.destination == Destination::origin && !arrives_by(post, Channel::completion_queue);
    };
    if (asked && has_step<PostStep>(other, writes_answers)) return true;
  }
  return false;
}

}  // namespace

void check_completion(const Examined& examined) {
  for (auto& [name, program] : examined.scenario.programs) {
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
    if (is_answered_in_memory(examined.scenario, name)) {
      refuse(ErrorCode::never_interrupted, "answers that leave a CQE", "WRITEs without immediate data");
    }
  }
}

}  // namespace doorbell::scenario
