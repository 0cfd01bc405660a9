#include "analytic/operation_cycle.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "analytic/device_access.hpp"
#include "analytic/drive_access.hpp"
#include "analytic/service_times.hpp"
#include "analytic/thread_computing.hpp"
#include "core/random.hpp"
#include "models/common/resource_name.hpp"
#include "models/nic/state_fetch.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/request_slots.hpp"

namespace doorbell::analytic {

using namespace model;

Timeline timeline_of(const Flow& flow, const ProgramFlow& from, const PostFlow& post, int wqes) {
  const ProgramFlow& to = flow.programs()[post.to];
  Timeline timeline =
      unloaded_timeline(path_of(flow, from, post, wqes), from.hardware, to.hardware, flow.scenario().fabric);
  // All that one operation needs are fetched at the same time.
  const double waits = std::min(1.0, translations_missing(flow, to, post));
  const Time wait = from_seconds(to_seconds(state_fetch_time(to.hardware)) * waits);
  timeline.visible += wait;
  if (post.queue_pairs->transport == Transport::rc) timeline.completed += wait;
  return timeline;
}

double started_by(const ProgramFlow& program) {
  double started = 0;
  for (const PostFlow& post : program.posts) {
    if (starts_work(*post.step) && !post.follows) started += post.work_requests;
  }
  return started;
}

namespace {

/// For how long the threads of each program, by its index, have been idle when a CQE comes.
struct IdleTimes {
  std::vector<Time> times;
  std::vector<Time> awake;  ///< From one CQE to the next while the thread does not sleep.
  bool look = true;         ///< They look for each request or CQE that comes; whoever is busy finds it.
  bool calls = true;  ///< Answers wait for what is asked for them; not again for what that asks, which may be the same.

  Time& operator[](std::size_t program) { return times[program]; }
  const Time& operator[](std::size_t program) const { return times[program]; }
};

/// What a thread takes to wake up for a CQE, on average; nothing if it is still polling.
std::optional<Time> waking(const Flow& flow, std::size_t index, const IdleTimes& idle) {
  const ProgramFlow& program = flow.programs()[index];
  const CompletionWait& wait = program.program->completion;
  const Time polling = patience(wait, program.hardware.cpu);
  // A timer runs from the last time that it was woken, whatever comes meanwhile.
  const bool timed = wait.mode == WaitMode::timer && idle[index] > Time{0};
  if (idle[index] <= polling && !timed) return std::nullopt;
  const WakeUp wake = wake_up(program.machine->software->driver);
  const std::int64_t found_awake = timed ? polling / idle.awake[index] : 0;
  return (wake.delay + from_seconds(to_seconds(wake.work) * program.stretch)) / (found_awake + 1);
}

/// From a CQE until one of the threads that poll an empty completion queue looks.
Time next_look(const ProgramFlow& program, const IdleTimes& idle) {
  if (!idle.look) return Time{0};
  const Time lock = queue_lock_time(program) > Time{0} ? program.hardware.shared_line.transfer : Time{0};
  return (program.hardware.cpu.poll_empty + lock) / 2;
}

/// Looking into the request region, slot after slot, or into the completion queue, until the request is there.
Time detection(const Flow& flow, std::size_t receiver, const CollectStep& collect, const IdleTimes& idle) {
  const ProgramFlow& program = flow.programs()[receiver];
  const CpuParameters& cpu = program.hardware.cpu;
  if (collect.via == Channel::completion_queue)
    return waking(flow, receiver, idle).value_or(next_look(program, idle)) + queue_lock_time(program) + cpu.poll_cqe;
  const model::Scenario& scenario = flow.scenario();
  const auto slots = static_cast<double>(slots_of(program.name, scenario.programs, scenario.machines).threads);
  if (!idle.look || slots == 0) return Time{0};
  const double looked_at = slots / 2 + (collect.at_most == 1 ? (slots - 1) / 2 : slots - 1);
  return from_seconds(to_seconds(collect.per_slot) * program.stretch * looked_at);
}

Time cycle(const Flow& flow, std::size_t source, const PostFlow& post, const IdleTimes& idle, int wqes = 1);

/// What a step that relays adds to the time of a request, on average over those that are not relayed, too.
Time relay_time(const Flow& flow, const ProgramFlow& program, const PostStep& step, const IdleTimes& idle) {
  double operations = 0;
  for (const PostFlow& post : program.posts) {
    if (post.in_loop == &step)
      operations += to_seconds(cycle(flow, flow.index_of(program.name), post, idle)) * post.work_requests;
  }
  if (operations == 0) return Time{0};
  // Those for one request are under way at the same time.
  return from_seconds(operations / step.relay->copies / (program.passes * program.items));
}

/// Of a step that posts before requests are answered, one operation.
Time call_time(const Flow& flow, std::size_t program, const PostStep& step, IdleTimes idle) {
  idle.calls = false;
  double weighted = 0;
  double all = 0;
  for (const PostFlow& post : flow.programs()[program].posts) {
    if (post.in_loop != &step) continue;
    weighted += to_seconds(cycle(flow, program, post, idle)) * post.work_requests;
    all += post.work_requests;
  }
  return all > 0 ? from_seconds(weighted / all) : Time{0};
}

const HardwareProfile& lenders_of(const Flow& flow, const ProgramFlow& program) {
  return find(flow.scenario().machines, program.machine->remote_device.value().peers)->hardware;
}

/// Taking one request to storage, until the thread has found that it is done.
Time access_time(const Flow& flow, const ProgramFlow& program, const AccessStep& step, const IdleTimes& idle) {
  const CpuParameters& cpu = program.hardware.cpu;
  const Time own = from_seconds(to_seconds(step.per_command + step.per_completion) * program.stretch) +
                   (idle.look ? cpu.poll_empty / 2 : Time{0});
  if (step.device == AccessedDevice::drives) {
    return own + cpu.poll_cqe +
           unloaded_command(*program.machine->drives, program.hardware.root_complex, step, program.write_share);
  }
  return own + DeviceAccess{program, step, flow.scenario().fabric}.unloaded(lenders_of(flow, program));
}

/// The operations on a program's memory that a request waits for.
Time touch_time(const Flow& flow, const ProgramFlow& program, const TouchStep& step) {
  return DeviceAccess{program, step, flow.scenario().fabric}.unloaded(lenders_of(flow, program)) *
         operations_of(step, 1);
}

/// From the moment when a request can be seen until its answer can be: the receiver's steps up to its post, and that.
std::optional<Time> answer_time(const Flow& flow, std::size_t receiver, std::size_t asker, const IdleTimes& idle) {
  const ProgramFlow& program = flow.programs()[receiver];
  const CpuParameters& cpu = program.hardware.cpu;
  const auto stretched = [&](Time software) { return from_seconds(to_seconds(software) * program.stretch); };
  Time time{0};
  Time awaited{0};  // of the program's own calls, the longest since the last await step
  bool collected = false;
  for (const Step& step : program.program->loop) {
    if (const auto* collect = std::get_if<CollectStep>(&step)) {
      // What comes before is done while it waits for the request.
      if (!std::exchange(collected, true)) time = awaited = Time{0};
      time += detection(flow, receiver, *collect, idle) + stretched(collect->per_item + collect->per_pass);
    } else if (const auto* compute = std::get_if<ComputeStep>(&step)) {
      time += stretched(compute->per_pass + flow.mean_per_item(program, *compute));
    } else if (const auto* replenish = std::get_if<ReplenishStep>(&step)) {
      const double recvs = taking_recvs(flow, program);
      time += stretched(replenish->per_pass) + queue_lock_time(program) +
              from_seconds(recvs * to_seconds(stretched(replenish->per_item) + cpu.recv_cost));
    } else if (const auto* access = std::get_if<AccessStep>(&step)) {
      time += access_time(flow, program, *access, idle);
    } else if (const auto* touch = std::get_if<TouchStep>(&step)) {
      time += touch_time(flow, program, *touch);
    } else if (std::holds_alternative<AwaitStep>(step)) {
      time += std::exchange(awaited, Time{0});
    } else if (std::holds_alternative<IncrementStep>(step)) {
      time += program.hardware.shared_line.local;
    } else if (const auto* post = std::get_if<PostStep>(&step)) {
      if (post->relay) time += relay_time(flow, program, *post, idle);
      if (idle.calls && starts_work(*post) && waits_for_whole_windows(*program.program, *post))
        awaited = std::max(awaited, call_time(flow, receiver, *post, idle));
      if (post->destination != Destination::origin) continue;
      for (const PostFlow& answer : program.posts) {
        if (answer.step->destination == Destination::origin && answer.to == asker)
          return time + timeline_of(flow, program, answer).visible;
      }
    }
  }
  return std::nullopt;
}

/// From the begin of a post until its thread looks for the end of what it has posted.
Time looks_after(const Flow& flow, const ProgramFlow& program, const PostFlow& post, const Timeline& request) {
  const VerbPath path = path_of(flow, program, post, 1);
  Time posted{0};
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const PathStep& step = path.steps[i];
    if (step.phase == Phase::post && step.resource == Resource::core) posted = request.spans[i].end;
  }
  return posted + computing_around(program, post).under_way;
}

/// Time of an operation of a post, in a call of so many, alone in the system.
Time cycle(const Flow& flow, std::size_t source, const PostFlow& post, const IdleTimes& idle, int wqes) {
  const ProgramFlow& program = flow.programs()[source];
  const Timeline request = timeline_of(flow, program, post, wqes);
  if (post.step->relay) {
    const CpuParameters& cpu = program.hardware.cpu;
    const Time seen = waking(flow, source, idle).value_or(idle.look ? cpu.poll_empty / 2 : Time{0}) +
                      return_time(flow, program, post);
    if (post.completes_itself) return request.completed + cpu.poll_cqe + seen;
    return request.visible + answer_time(flow, post.to, source, idle).value_or(Time{0}) + seen;
  }
  const auto* await = find_step<AwaitStep>(*program.program);
  if (await == nullptr) return request.completed;
  // Who polls for room in the send queue does not sleep for what completes itself.
  const bool sleeps =
      !post.completes_itself || !polls_for_room(*program.program, *post.step, *flow.programs()[post.to].program);
  const Time woken = sleeps ? waking(flow, source, idle).value_or(Time{0}) : Time{0};
  const Time seen = woken + from_seconds(to_seconds(await->per_item) * program.stretch);
  const Time looks = looks_after(flow, program, post, request);
  if (post.completes_itself) {
    return std::max(request.completed, looks) + seen + path_of(flow, program, post, 1).operation.take_data;
  }
  if (const std::optional<Time> answered = answer_time(flow, post.to, source, idle)) {
    const Time poll = ends_by_answer_with_cqe(flow, post) ? program.hardware.cpu.poll_cqe : Time{0};
    return std::max(request.visible + *answered, looks) + seen + poll;
  }
  return request.completed;
}

/// The end of a window.
struct LastCall {
  Time later{0};  ///< Its last operation than one that is posted first and alone.
  int wqes = 1;
};

/// Of a window that is posted when all of the one before is done. Other windows are refilled one by one.
LastCall last_call(const Flow& flow, const ProgramFlow& program, const PostFlow& post) {
  const PostStep& step = *post.in_loop;
  // What goes on is posted first, and may take longer than all that is posted after it.
  if (has_follow_ups(step)) return {};
  if (post.by_device || !waits_for_whole_windows(*program.program, step)) return {};
  const int batch = std::min(step.batch, step.window);
  const int before = (step.window - 1) / batch;
  const VerbPath call = path_of(flow, program, post, batch);
  const Time posting = call.service(Phase::post, Side::requester, Resource::core, Per::call) +
                       call.service(Phase::post, Side::requester, Resource::core, Per::operation) * batch;
  const int last = step.window - before * batch;
  // A list takes one processing unit, WQE by WQE.
  const Time processing = call.service(Phase::process, Side::requester, Resource::processing_unit, Per::operation);
  return {posting * before + processing * (last - 1), last};
}

/// Mean over the posts by which a program starts work, of operations one by one or of whole windows.
Time mean_cycle(const Flow& flow, std::size_t source, const IdleTimes& idle, bool windows = false) {
  double weighted = 0;
  double all = 0;
  for (const PostFlow& post : flow.programs()[source].posts) {
    if (!starts_work(*post.step)) continue;
    const LastCall last = windows ? last_call(flow, flow.programs()[source], post) : LastCall{};
    Time time = last.later + cycle(flow, source, post, idle, last.wqes);
    if (post.follows) time += computing_around(flow.programs()[source], post).after;
    weighted += to_seconds(time) * post.work_requests;
    if (!post.follows) all += post.work_requests;
  }
  return all > 0 ? from_seconds(weighted / all) : Time{0};
}

/// Nobody is woken.
IdleTimes never_idle(const Flow& flow) {
  const std::vector<Time> none(flow.programs().size(), Time{0});
  return {none, none};
}

std::string cores_of(const ProgramFlow& program) { return model::cores_of(program.program->machine, program.name); }

/// CPU time of one operation on the row of that name.
Time work_of(const DemandMatrix& demands, const std::string& cores) {
  const Eigen::VectorXd totals = demands.totals();
  for (std::size_t r = 0; r < demands.resources.size(); ++r) {
    if (demands.resources[r].name == cores) return from_seconds(totals(static_cast<Eigen::Index>(r)));
  }
  return Time{0};
}

/// When one operation of `source` at a time is under way: all the time that a thread does not work for it.
IdleTimes idle_alone(const Flow& flow, std::size_t source, const DemandMatrix& demands) {
  const ProgramFlow& asker = flow.programs()[source];
  IdleTimes idle = never_idle(flow);
  // Each program that wakes up makes the others wait longer.
  for (std::size_t round = 0; round <= flow.programs().size(); ++round) {
    Time period = mean_cycle(flow, source, idle) + computed_between(asker);
    if (asker.arrivals) period = from_seconds(asker.threads() / asker.arrivals->per_second);
    IdleTimes next = idle;
    for (std::size_t i = 0; i < idle.times.size(); ++i) {
      IdleTimes polling = idle;
      polling[i] = Time{0};
      next.awake[i] = asker.arrivals ? period : mean_cycle(flow, source, polling) + computed_between(asker);
      next[i] = std::max(Time{0}, period - work_of(demands, cores_of(flow.programs()[i])));
    }
    idle = std::move(next);
  }
  return idle;
}

/// Whether each thread of `source` has one operation at a time, always of the same kind.
bool goes_one_by_one(const ProgramFlow& source) {
  return source.outstanding && *source.outstanding <= source.threads() && source.posts.size() == 1;
}

/// Whether nothing is ever under way but one operation of `source`.
bool is_alone(const Flow& flow, const ProgramFlow& source) {
  return flow.sources().size() == 1 && *source.outstanding <= 1;
}

/// Whether those who answer `source` have nothing else to do: they have one request at a time, each from its own
/// thread.
bool asks_idle_threads(const Flow& flow, const ProgramFlow& source) {
  if (is_alone(flow, source)) return true;
  if (flow.sources().size() > 1 || !goes_one_by_one(source)) return false;
  const PostFlow& post = source.posts.front();
  const ProgramFlow& receiver = flow.programs()[post.to];
  return post.step->destination == Destination::fixed && source.threads() <= receiver.threads() &&
         receiver.program->completion.shared_queues == 0 &&
         std::ranges::all_of(receiver.posts,
                             [](const PostFlow& answer) { return answer.step->destination == Destination::origin; });
}

/// Whether some requests take much longer than others: then means say nothing about the shortest wait.
bool has_rare_requests(const Flow& flow) {
  return std::ranges::any_of(flow.programs(), [](const ProgramFlow& program) {
    return has_step<ComputeStep>(
               *program.program,
               [](const ComputeStep& step) { return !step.mix.empty() || (step.keep && step.keep->per_item); }) ||
           has_step<PostStep>(*program.program, [](const PostStep& step) { return step.relay.has_value(); });
  });
}

/// How long threads are idle at the least while operations of `source` follow one another; 0 where that is not sure.
IdleTimes idle_at_least(const Flow& flow, std::size_t source, const DemandMatrix& demands) {
  const ProgramFlow& asker = flow.programs()[source];
  IdleTimes idle = never_idle(flow);
  if (!goes_one_by_one(asker) || has_rare_requests(flow)) return idle;
  double farthest = 0;
  double software = 0;
  for (const ProgramFlow& program : flow.programs()) {
    farthest = std::max(farthest, core::RandomStream::farthest_from_one(program.hardware.cpu.variation));
    software += to_seconds(work_of(demands, cores_of(program))) / started_by(asker);
  }
  // Beside others it waits longer.
  const double shortest = to_seconds(mean_cycle(flow, source, idle) + computed_between(asker)) - software * farthest;
  for (std::size_t i = 0; i < idle.times.size(); ++i) {
    if (i != source && !is_alone(flow, asker)) continue;
    const double work = to_seconds(work_of(demands, cores_of(flow.programs()[i]))) / started_by(asker);
    // For how long it polls varies as well.
    idle[i] = idle.awake[i] = from_seconds(std::max(0.0, shortest - work * (1 + farthest)) / (1 + farthest));
  }
  return idle;
}

Time turn(const Flow& flow, std::size_t source, const IdleTimes& idle) {
  const ProgramFlow& program = flow.programs()[source];
  const Time time = mean_cycle(flow, source, idle, true);
  return goes_one_by_one(program) ? time + computed_between(program) : time;
}

}  // namespace

Time cycle_alone(const Flow& flow, std::size_t source, const DemandMatrix& demands) {
  return mean_cycle(flow, source, idle_alone(flow, source, demands));
}

Time turn_alone(const Flow& flow, std::size_t source, const DemandMatrix& demands) {
  return turn(flow, source, idle_at_least(flow, source, demands));
}

Time shortest_turn(const Flow& flow, std::size_t source, const DemandMatrix& demands) {
  IdleTimes idle = idle_at_least(flow, source, demands);
  const ProgramFlow& program = flow.programs()[source];
  idle.look = program.outstanding && asks_idle_threads(flow, program);
  return turn(flow, source, idle);
}

}  // namespace doorbell::analytic
