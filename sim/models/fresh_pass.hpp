// What a thread posts in a pass of its loop.
#pragma once

#include <algorithm>
#include <vector>

#include "models/scenario.hpp"

namespace doorbell::model {

/// Of a pass that begins with nothing in flight.
struct FreshPass {
  std::vector<int> posts;  ///< Work requests, by post step that starts work; answers and relays are not among them.
  int total = 0;
  bool bounded = false;  ///< What is in flight cannot exceed `total`.
};

/// The same for one that begins with `in_flight` operations, where steps have windows.
[[nodiscard]] inline FreshPass pass_beside(const Program& program, int in_flight) {
  FreshPass pass;
  bool windows_only = true;
  bool unlimited = false;
  for (const Step& step : program.loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr || !starts_work(*post)) continue;
    const int posted = post->window > 0 ? std::max(0, post->window - in_flight - pass.total) : post->batch;
    windows_only = windows_only && post->window > 0;
    unlimited = unlimited || (post->arrivals && post->window == 0);
    pass.posts.push_back(posted);
    pass.total += posted;
  }
  const auto* await = find_step<AwaitStep>(program);
  pass.bounded =
      await != nullptr && !unlimited && (windows_only || await->at_least == 0 || await->at_least >= pass.total);
  return pass;
}

[[nodiscard]] inline FreshPass fresh_pass(const Program& program) { return pass_beside(program, 0); }

/// What takes the place of the operations for which the program waits: of several windows the largest is filled again
/// before others have room.
[[nodiscard]] inline FreshPass refill_pass(const Program& program) {
  FreshPass fresh = fresh_pass(program);
  const auto* await = find_step<AwaitStep>(program);
  if (!fresh.bounded || await->at_least == 0) return fresh;
  return pass_beside(program, std::max(0, fresh.total - await->at_least));
}

}  // namespace doorbell::model
