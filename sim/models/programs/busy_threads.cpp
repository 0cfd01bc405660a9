#include "models/programs/busy_threads.hpp"

#include <algorithm>

#include "models/common/resource_name.hpp"
#include "models/programs/contended_lines.hpp"
#include "models/programs/growing_batches.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/related_programs.hpp"

namespace doorbell::model {
namespace {

bool relays_to(const ProgramPlan& asking, const ProgramPlan& asked) {
  return std::ranges::any_of(posts_to(asking, asked), [](const PostStep* post) { return post->relay.has_value(); });
}

/// Whether requests come to the queues of some threads of `asked` only, or to some from more threads than to others.
bool divides_unevenly(const ProgramPlan& asking, const ProgramPlan& asked) {
  const bool fixed = std::ranges::any_of(posts_to(asking, asked),
                                         [](const PostStep* post) { return post->destination == Destination::fixed; });
  return fixed && asking.threads.size() % asked.request_queues.size() != 0;
}

bool holds(const std::vector<const ProgramPlan*>& plans, const ProgramPlan& plan) {
  return std::ranges::find(plans, &plan) != plans.end();
}

/// In whose windows is what `asked` has to do. Of who passes on what others have asked these are told instead, if
/// `asking` is behind them only. Nobody where some of it is relayed.
std::vector<const ProgramPlan*> who_wait_for(const ProgramPlan& asked, const ProgramPlan& asking,
                                             Simulation& simulation) {
  const bool at_once = asks(asking, asked);
  std::vector<const ProgramPlan*> waiting;
  std::vector<const ProgramPlan*> on_the_way{&asked};
  for (std::size_t i = 0; i < on_the_way.size(); ++i) {
    for (const auto& other : simulation.programs()) {
      if (!asks(*other, *on_the_way[i])) continue;
      if (relays_to(*other, *on_the_way[i])) return {};
      auto& list = !at_once && other.get() != &asking && passes_on(*other) ? on_the_way : waiting;
      if (!holds(list, *other)) list.push_back(other.get());
    }
  }
  return waiting;
}

/// How much more of the time in windows than their own what `asked` does to operations holds them: who awaits answers
/// of several programs waits for the last of them, and those that have come already hold their places until then.
double share_of_rounds(const std::vector<const ProgramPlan*>& waiting, const ProgramPlan& asked) {
  double all = 0;
  double behind_it = 0;
  for (const ProgramPlan* plan : waiting) {
    const auto& services = plan->statistics.services;
    const auto service = std::ranges::find(services, asked.program, &AnsweringService::program);
    const double in_window = to_seconds(plan->statistics.in_window);
    all += in_window;
    if (service == services.end() || service->until_answered <= Time{0}) {
      behind_it += in_window;
    } else {
      behind_it += in_window * to_seconds(service->in_window) / to_seconds(service->until_answered);
    }
  }
  return all > 0 ? behind_it / all : 1;
}

/// Depth first. Where programs ask each other, the one that comes first begins.
void add_asked_first(const ProgramPlan& plan, Simulation& simulation, std::vector<const ProgramPlan*>& begun,
                     std::vector<const ProgramPlan*>& done) {
  if (holds(begun, plan)) return;
  begun.push_back(&plan);
  for (const auto& other : simulation.programs()) {
    if (asks(plan, *other)) add_asked_first(*other, simulation, begun, done);
  }
  done.push_back(&plan);
}

}  // namespace

bool passes_on(const ProgramPlan& plan) {
  if (!plan.collects() || fresh_pass(*plan.program).most != 1) return false;
  bool asked = false;
  bool awaited = false;
  for (const Step& step : plan.program->loop) {
    awaited = awaited || (asked && std::holds_alternative<AwaitStep>(step));
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr) continue;
    if (post->destination == Destination::origin) return awaited;
    asked = true;
    awaited = false;
  }
  return false;
}

std::vector<const ProgramPlan*> asked_first(Simulation& simulation) {
  std::vector<const ProgramPlan*> begun;
  std::vector<const ProgramPlan*> done;
  for (const auto& plan : simulation.programs()) add_asked_first(*plan, simulation, begun, done);
  return done;
}

std::optional<HeldFor> held_for_threads(Simulation& simulation, const ProgramPlan& asking, Time measured) {
  std::optional<HeldFor> most;
  for (const auto& asked : simulation.programs()) {
    // What awaits others in turn is in hand without being worked on.
    if (!asked->collects() || has_step<AwaitStep>(*asked->program) || fills_elastic_line(simulation, *asked)) continue;
    // With more in flight they take more at a time.
    if (shares_work_in_batches(*asked)) continue;
    const std::vector<const ProgramPlan*> waiting_for_it = who_wait_for(*asked, asking, simulation);
    if (!holds(waiting_for_it, asking)) continue;
    Time in_windows{0};
    for (const ProgramPlan* other : waiting_for_it) in_windows += other->statistics.in_window;
    if (in_windows <= Time{0}) continue;
    const ProgramStatistics& done = asked->statistics;
    const Time occupied = done.busy + done.stalled + done.without_page + done.without_room;
    const double waiting = std::clamp(
        to_seconds(done.at_threads - occupied) * share_of_rounds(waiting_for_it, *asked) / to_seconds(in_windows), 0.0,
        1.0);
    constexpr double worth_telling = 0.2;
    if (waiting < (most ? most->share : worth_telling)) continue;
    const double busy = to_seconds(occupied) / (to_seconds(measured) * static_cast<double>(asked->threads.size()));
    // Spread evenly, requests of which as many come would wait for none. From half of the time on that gains more than
    // a window twice as large ever could.
    const double gain = waiting < 0.5 ? waiting : 1;
    const bool uneven =
        std::ranges::any_of(simulation.programs(), [&](const auto& other) { return divides_unevenly(*other, *asked); });
    if (const auto line = costliest_line(simulation, *asked)) {
      // With more in flight its threads would take more at a time.
      if (line->elastic) continue;
      most = HeldFor{line->resource, Limit::shared_line, waiting, line->busy, gain};
      continue;
    }
    const Limit limit = asked->threads.size() == 1 ? Limit::one_busy_thread
                        : uneven                   ? Limit::unevenly_busy_threads
                                                   : Limit::busy_threads;
    most = HeldFor{threads_of(asked->program->machine, asked->name), limit, waiting, std::min(1.0, busy), gain};
  }
  return most;
}

}  // namespace doorbell::model
