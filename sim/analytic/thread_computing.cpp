#include "analytic/thread_computing.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "models/programs/loop_pass.hpp"

namespace doorbell::analytic {

using namespace model;

Computing computing_around(const ProgramFlow& program, const PostFlow& post) {
  const std::vector<Step>& loop = program.program->loop;
  const auto begin = static_cast<std::size_t>(
      std::ranges::find_if(loop, [&](const Step& step) { return std::get_if<PostStep>(&step) == post.in_loop; }) -
      loop.begin());
  if (begin == loop.size()) return {};  // posted by the device that the program accesses
  Computing computing;
  bool under_way = true;
  bool taken = false;  // whether something has been taken in this pass
  for (std::size_t i = 1; i < loop.size(); ++i) {
    const std::size_t at = (begin + i) % loop.size();
    if (at == 0) taken = false;
    if (std::holds_alternative<AwaitStep>(loop[at])) {
      taken = under_way;
      under_way = false;
    }
    const auto* compute = std::get_if<ComputeStep>(&loop[at]);
    if (compute == nullptr) continue;
    (under_way ? computing.under_way : computing.after) +=
        compute->per_pass + (taken ? mean_per_item(*compute, 0) : Time{0});
  }
  const auto at_clock = [&](Time time) { return from_seconds(to_seconds(time) * program.stretch); };
  return {at_clock(computing.under_way), at_clock(computing.after)};
}

Time computed_between(const ProgramFlow& program) {
  double computed = 0;
  double started = 0;
  for (const PostFlow& post : program.posts) {
    if (!starts_work(*post.step) || post.follows) continue;
    computed += to_seconds(computing_around(program, post).after) * post.work_requests;
    started += post.work_requests;
  }
  return started > 0 ? from_seconds(computed / started) : Time{0};
}

}  // namespace doorbell::analytic
