#include "models/programs/busy_threads.hpp"

#include <algorithm>
#include <string>

#include "models/common/resource_name.hpp"

namespace doorbell::model {
namespace {

template <class Condition> bool any_post_to(const ProgramPlan& asking, const ProgramPlan& asked, Condition condition) {
  return std::ranges::any_of(asking.program->loop, [&](const Step& step) {
    const auto* post = std::get_if<PostStep>(&step);
    return post != nullptr && post->to == asked.name && condition(*post);
  });
}

bool asks(const ProgramPlan& asking, const ProgramPlan& asked) {
  return any_post_to(asking, asked, [](const PostStep&) { return true; });
}

bool awaits(const ProgramPlan& asked) {
  return std::ranges::any_of(asked.program->loop,
                             [](const Step& step) { return std::holds_alternative<AwaitStep>(step); });
}

bool relays_to(const ProgramPlan& asking, const ProgramPlan& asked) {
  return any_post_to(asking, asked, [](const PostStep& post) { return post.relay.has_value(); });
}

}  // namespace

std::optional<HeldFor> held_for_threads(Simulation& simulation, const ProgramPlan& asking, Time measured) {
  std::optional<HeldFor> most;
  for (const auto& asked : simulation.programs()) {
    // What awaits others in turn is in hand without being worked on.
    if (!asked->collects || !asks(asking, *asked) || awaits(*asked)) continue;
    Time in_windows{0};
    bool relayed = false;
    for (const auto& other : simulation.programs()) {
      if (asks(*other, *asked)) in_windows += other->statistics.in_window;
      relayed = relayed || relays_to(*other, *asked);
    }
    if (relayed || in_windows <= Time{0}) continue;
    const ProgramStatistics& done = asked->statistics;
    const Time occupied = done.busy + done.stalled + done.without_page + done.without_room;
    const double waiting = std::clamp(to_seconds(done.at_threads - occupied) / to_seconds(in_windows), 0.0, 1.0);
    constexpr double worth_telling = 0.2;
    if (waiting < (most ? most->share : worth_telling)) continue;
    const double busy = to_seconds(occupied) / (to_seconds(measured) * static_cast<double>(asked->threads.size()));
    // Spread evenly, requests of which as many come would wait for none. From half of the time on that gains more than
    // a window twice as large ever could.
    const double gain = waiting < 0.5 ? waiting : 1;
    most = HeldFor{threads_of(asked->program->machine, asked->name), Limit::busy_threads, waiting, std::min(1.0, busy),
                   gain};
  }
  return most;
}

}  // namespace doorbell::model
