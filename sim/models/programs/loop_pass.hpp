// What a thread posts in a pass of its loop.
#pragma once

#include <algorithm>
#include <vector>

#include "models/programs/program.hpp"

namespace doorbell::model {

/// What a pass posts and waits for if no await step takes more than it has to.
struct LoopPass {
  std::vector<int> posts;   ///< Work requests, by post step that starts work; answers and relays are not among them.
  std::vector<int> awaits;  ///< Operations whose end is taken, by await step.
  int total = 0;            ///< Work requests in all.
  int most = 0;             ///< Operations in flight at a time.
  int left = 0;             ///< And at the end.
  bool bounded = false;     ///< What is in flight cannot grow from pass to pass.
};

/// A pass that begins with `in_flight` operations.
[[nodiscard]] inline LoopPass pass_beside(const Program& program, int in_flight) {
  LoopPass pass;
  pass.left = in_flight;
  for (const Step& step : program.loop) {
    if (const auto* await = std::get_if<AwaitStep>(&step)) {
      const int taken = await->at_least == 0 ? pass.left : std::min(await->at_least, pass.left);
      pass.awaits.push_back(taken);
      pass.left -= taken;
    } else if (const auto* post = std::get_if<PostStep>(&step); post != nullptr && starts_work(*post)) {
      const int posted = post->window > 0 ? std::max(0, post->window - pass.left) : post->batch;
      pass.posts.push_back(posted);
      pass.total += posted;
      pass.left += posted;
      pass.most = std::max(pass.most, pass.left);
    }
  }
  return pass;
}

/// A pass that begins with nothing in flight.
[[nodiscard]] inline LoopPass fresh_pass(const Program& program) {
  LoopPass pass = pass_beside(program, 0);
  bool windows_only = true;
  bool unlimited = false;
  for (const Step& step : program.loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr || !starts_work(*post)) continue;
    windows_only = windows_only && post->window > 0;
    unlimited = unlimited || (post->arrivals && post->window == 0);
  }
  pass.bounded =
      !pass.awaits.empty() && !unlimited && (windows_only || pass_beside(program, pass.left).left <= pass.left);
  return pass;
}

/// Whether CQEs of `step` are polled by rounds of `signal_every` before more is posted, and not as its operations are
/// awaited. `target` is the program that it posts to.
[[nodiscard]] inline bool polls_for_room(const Program& program, const PostStep& step, const Program& target) {
  if (!completes_itself(step, target)) return true;
  const bool polls_when_awaiting =
      step.signal_every == 1 || step.poll == PollCqes::when_awaited || waits_for_whole_windows(program, step);
  return !(step.relay || ((step.window > 0 || step.arrivals) && polls_when_awaiting));
}

/// Whether the thread learns only from a later CQE of the queue pair that an operation of `step` has finished.
[[nodiscard]] inline bool told_by_cqes(const Program& program, const PostStep& step, const Program& target) {
  return step.signal_every > 1 && !step.relay && completes_itself(step, target) &&
         !polls_for_room(program, step, target) && !waits_for_whole_windows(program, step);
}

/// What passes come to after the first ones: of several windows without an await step between them, the largest is
/// filled again before others have room.
[[nodiscard]] inline LoopPass steady_pass(const Program& program) {
  LoopPass pass = fresh_pass(program);
  if (!pass.bounded) return pass;
  constexpr int settling = 64;  // passes, more than any mix of windows needs
  for (int i = 0; i < settling; ++i) {
    const LoopPass next = pass_beside(program, pass.left);
    const bool settled = next.left == pass.left;
    pass = next;
    if (settled) break;
  }
  pass.bounded = true;
  return pass;
}

}  // namespace doorbell::model
