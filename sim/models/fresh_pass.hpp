// What a thread posts in a pass of its loop that begins with nothing in flight.
#pragma once

#include <algorithm>
#include <vector>

#include "models/scenario.hpp"

namespace doorbell::model {

struct FreshPass {
  std::vector<int> posts;  ///< Work requests, by post step that starts work; answers and relays are not among them.
  int total = 0;
  bool bounded = false;  ///< What is in flight cannot exceed `total`.
};

[[nodiscard]] inline FreshPass fresh_pass(const Program& program) {
  FreshPass pass;
  bool windows_only = true;
  bool unlimited = false;
  for (const Step& step : program.loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr || !starts_work(*post)) continue;
    const int posted = post->window > 0 ? std::max(0, post->window - pass.total) : post->batch;
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

}  // namespace doorbell::model
