#include "analytic/analysis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "analytic/device_access.hpp"
#include "analytic/drive_access.hpp"
#include "analytic/left_out.hpp"
#include "analytic/mva.hpp"
#include "analytic/service_times.hpp"
#include "analytic/timeline.hpp"
#include "models/programs/loop_pass.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

Timeline timeline_of(const Flow& flow, const ProgramFlow& from, const PostFlow& post) {
  return unloaded_timeline(path_of(flow, from, post, 1), from.hardware, flow.programs()[post.to].hardware,
                           flow.scenario().fabric);
}

/// For how long the threads of each program, by its index, have been idle when a CQE comes.
using IdleTimes = std::vector<Time>;

/// What a thread takes to wake up for a CQE; nothing if it is still polling.
std::optional<Time> waking(const Flow& flow, std::size_t index, const IdleTimes& idle) {
  const ProgramFlow& program = flow.programs()[index];
  if (idle[index] <= patience(program.program->completion, program.machine->hardware.cpu)) return std::nullopt;
  const WakeUp wake = wake_up(program.machine->software->driver);
  return wake.delay + from_seconds(to_seconds(wake.work) * program.stretch);
}

/// Between two looks at an empty completion queue, of any of the threads that poll it.
Time empty_poll(const ProgramFlow& program) {
  const Time lock = queue_lock_time(program) > Time{0} ? program.hardware.shared_line.transfer : Time{0};
  return program.hardware.cpu.poll_empty + lock;
}

/// Looking into the request region, slot after slot, or into the completion queue, until the request is there.
Time detection(const Flow& flow, std::size_t receiver, const CollectStep& collect, const IdleTimes& idle) {
  const ProgramFlow& program = flow.programs()[receiver];
  const CpuParameters& cpu = program.hardware.cpu;
  if (collect.via == Channel::completion_queue)
    return waking(flow, receiver, idle).value_or(empty_poll(program) / 2) + queue_lock_time(program) + cpu.poll_cqe;
  double slots = 0;
  for (const ProgramFlow& sender : flow.programs()) {
    const bool sends = std::ranges::any_of(sender.posts, [&](const PostFlow& post) {
      return post.to == receiver && post.step->destination != Destination::origin;
    });
    if (sends) slots += sender.threads();
  }
  const double looked_at = slots / 2 + (collect.at_most == 1 ? (slots - 1) / 2 : slots - 1);
  return from_seconds(to_seconds(collect.per_slot) * looked_at);
}

Time cycle(const Flow& flow, std::size_t source, const PostFlow& post, const IdleTimes& idle);

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

const HardwareProfile& lenders_of(const Flow& flow, const ProgramFlow& program) {
  return find(flow.scenario().machines, program.machine->remote_device.value().peers)->hardware;
}

/// Taking one request to storage, until the thread has found that it is done.
Time access_time(const Flow& flow, const ProgramFlow& program, const AccessStep& step) {
  const CpuParameters& cpu = program.hardware.cpu;
  const Time own =
      from_seconds(to_seconds(step.per_command + step.per_completion) * program.stretch) + cpu.poll_empty / 2;
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
  for (const Step& step : program.program->loop) {
    if (const auto* collect = std::get_if<CollectStep>(&step)) {
      time += detection(flow, receiver, *collect, idle) + stretched(collect->per_item + collect->per_pass);
    } else if (const auto* compute = std::get_if<ComputeStep>(&step)) {
      time += stretched(compute->per_pass + mean_per_item(*compute));
    } else if (const auto* replenish = std::get_if<ReplenishStep>(&step)) {
      time += stretched(replenish->per_pass + replenish->per_item) + queue_lock_time(program) + cpu.recv_cost;
    } else if (const auto* access = std::get_if<AccessStep>(&step)) {
      time += access_time(flow, program, *access);
    } else if (const auto* touch = std::get_if<TouchStep>(&step)) {
      time += touch_time(flow, program, *touch);
    } else if (std::holds_alternative<IncrementStep>(step)) {
      time += program.hardware.shared_line.local;
    } else if (const auto* post = std::get_if<PostStep>(&step)) {
      if (post->relay) time += relay_time(flow, program, *post, idle);
      if (post->destination != Destination::origin) continue;
      for (const PostFlow& answer : program.posts) {
        if (answer.step->destination == Destination::origin && answer.to == asker)
          return time + timeline_of(flow, program, answer).visible;
      }
    }
  }
  return std::nullopt;
}

/// Time of one operation of a post, alone in the system.
Time cycle(const Flow& flow, std::size_t source, const PostFlow& post, const IdleTimes& idle) {
  const ProgramFlow& program = flow.programs()[source];
  const Timeline request = timeline_of(flow, program, post);
  if (post.step->relay) {
    const CpuParameters& cpu = program.hardware.cpu;
    const Time seen = waking(flow, source, idle).value_or(cpu.poll_empty / 2) + return_time(program, post);
    if (post.completes_itself) return request.completed + cpu.poll_cqe + seen;
    return request.visible + answer_time(flow, post.to, source, idle).value_or(Time{0}) + seen;
  }
  const auto* await = find_step<AwaitStep>(*program.program);
  if (await == nullptr) return request.completed;
  const Time seen = waking(flow, source, idle).value_or(Time{0}) + await->per_item;
  if (post.completes_itself) return request.completed + seen + path_of(flow, program, post, 1).operation.take_data;
  if (const std::optional<Time> answered = answer_time(flow, post.to, source, idle)) {
    return request.visible + *answered + seen + program.hardware.cpu.poll_cqe;
  }
  return request.completed;
}

/// Mean over the posts by which a program starts work.
Time mean_cycle(const Flow& flow, std::size_t source, const IdleTimes& idle) {
  double weighted = 0;
  double all = 0;
  for (const PostFlow& post : flow.programs()[source].posts) {
    if (post.step->destination == Destination::origin) continue;
    weighted += to_seconds(cycle(flow, source, post, idle)) * post.work_requests;
    all += post.work_requests;
  }
  return all > 0 ? from_seconds(weighted / all) : Time{0};
}

/// Nobody is woken: under load the next CQE is there before a thread sleeps.
IdleTimes never_idle(const Flow& flow) { return IdleTimes(flow.programs().size(), Time{0}); }

/// What a thread does between the end of one operation and the begin of the next.
Time pause_of(const ProgramFlow& program) {
  Time pause{0};
  bool under_way = false;
  for (const Step& step : program.program->loop) {
    const auto* compute = std::get_if<ComputeStep>(&step);
    if (std::holds_alternative<PostStep>(step)) under_way = true;
    if (std::holds_alternative<AwaitStep>(step)) under_way = false;
    if (compute != nullptr && !under_way) pause += compute->per_pass + mean_per_item(*compute);
  }
  return from_seconds(to_seconds(pause) * program.stretch);
}

double started_by(const ProgramFlow& program) {
  double started = 0;
  for (const PostFlow& post : program.posts) {
    if (post.step->destination != Destination::origin) started += post.work_requests;
  }
  return started;
}

std::string cores_of(const ProgramFlow& program) { return program.program->machine + "/cores of " + program.name; }

/// CPU time of one operation on the row of that name.
Time work_of(const Analysis& analysis, const std::string& cores) {
  const Eigen::VectorXd totals = analysis.demands.totals();
  for (std::size_t r = 0; r < analysis.demands.resources.size(); ++r) {
    if (analysis.demands.resources[r].name == cores) return from_seconds(totals(static_cast<Eigen::Index>(r)));
  }
  return Time{0};
}

/// When one operation of `source` at a time is under way: all the time that a thread does not work for it.
IdleTimes idle_alone(const Flow& flow, std::size_t source, const Analysis& analysis) {
  const ProgramFlow& asker = flow.programs()[source];
  IdleTimes idle = never_idle(flow);
  // Each program that wakes up makes the others wait longer.
  for (std::size_t round = 0; round <= flow.programs().size(); ++round) {
    Time period = mean_cycle(flow, source, idle) + pause_of(asker);
    if (asker.arrivals) period = from_seconds(asker.threads() / asker.arrivals->per_second);
    for (std::size_t i = 0; i < idle.size(); ++i) {
      const ProgramFlow& program = flow.programs()[i];
      idle[i] = std::max(Time{0}, period - work_of(analysis, cores_of(program)));
    }
  }
  return idle;
}

/// Whether nothing is ever under way but one operation of `source`, always of the same kind.
bool is_alone(const Flow& flow, const ProgramFlow& source) {
  return flow.sources().size() == 1 && source.outstanding && *source.outstanding <= 1 && source.posts.size() == 1;
}

/// Whether each thread of `source` has one operation at a time, always of the same kind.
bool goes_one_by_one(const ProgramFlow& source) {
  return source.outstanding && *source.outstanding <= source.threads() && source.posts.size() == 1;
}

/// How long threads are idle at the least while operations of `source` follow one another.
IdleTimes idle_surely(const Flow& flow, std::size_t source, const Analysis& analysis) {
  const ProgramFlow& program = flow.programs()[source];
  IdleTimes idle = never_idle(flow);
  if (is_alone(flow, program)) {
    idle = idle_alone(flow, source, analysis);
  } else if (goes_one_by_one(program)) {
    // Beside others it waits longer.
    const Time work = from_seconds(to_seconds(work_of(analysis, cores_of(program))) / started_by(program));
    idle[source] = std::max(Time{0}, mean_cycle(flow, source, idle) - work);
  }
  // Times vary: some waits may be so short that a thread is still polling.
  for (Time& time : idle) time /= 2;
  return idle;
}

/// From the begin of an operation until its thread may begin the next in its place.
Seconds turn(const Flow& flow, std::size_t source, const Analysis& analysis) {
  const ProgramFlow& program = flow.programs()[source];
  Seconds time{mean_cycle(flow, source, idle_surely(flow, source, analysis))};
  if (goes_one_by_one(program)) time += Seconds{pause_of(program)} * (program.passes / started_by(program));
  return time;
}

void bound_resources(Analysis& analysis) {
  const Eigen::VectorXd totals = analysis.demands.totals();
  for (std::size_t r = 0; r < analysis.demands.resources.size(); ++r) {
    const ResourceRow& row = analysis.demands.resources[r];
    analysis.add(row.name, Seconds{totals(static_cast<Eigen::Index>(r))}, row.servers, row.limit);
  }
}

void bound_windows(const Flow& flow, Analysis& analysis) {
  for (const std::size_t source : flow.sources()) {
    const ProgramFlow& program = flow.programs()[source];
    if (program.arrivals) {
      analysis.add(program.program->machine + "/arrivals of " + program.name,
                   Seconds{started_by(program) / program.arrivals->per_second}, 1, Limit::arrivals);
    }
    if (!program.outstanding) continue;
    analysis.add(program.program->machine + "/window of " + program.name,
                 turn(flow, source, analysis) * started_by(program), *program.outstanding, std::nullopt);
  }
}

/// The last WQE of a round of `signal_every` waits for the CQE of the first, which is signaled.
void bound_rounds(const Flow& flow, Analysis& analysis) {
  for (const std::size_t source : flow.sources()) {
    const ProgramFlow& program = flow.programs()[source];
    double held = 0;
    const PostStep* step = nullptr;
    bool several = false;
    double pairs = 0;
    for (const PostFlow& post : program.posts) {
      if (post.step->destination == Destination::origin || post.step->relay) continue;
      several = several || (step != nullptr && step != post.in_loop);
      step = post.in_loop;
      pairs = static_cast<double>(queue_pairs_of(program, *post.queue_pairs)) * program.machine->count;
      held += to_seconds(timeline_of(flow, program, post).completed) * post.work_requests;
    }
    // Steps that share queue pairs share rounds.
    if (step == nullptr || several || step->signal_every == 1) continue;
    const Program& target = *flow.programs()[flow.index_of(step->to)].program;
    if (!polls_for_room(*program.program, *step, target)) continue;
    analysis.add(program.program->machine + "/send queues of " + program.name, Seconds{held},
                 pairs * (step->signal_every + step->batch - 1), Limit::in_flight);
  }
}

/// How long a READ or an atomic counts against its queue pair: from its processing until its response is back.
Time in_flight_time(const VerbPath& path, const Timeline& timeline) {
  Time begin{0};
  Time end{0};
  for (std::size_t i = 0; i < path.steps.size(); ++i) {
    const PathStep& step = path.steps[i];
    if (step.resource == Resource::nic_transmit && step.side == Side::requester) begin = timeline.spans[i].begin;
    if (step.resource == Resource::nic_receive && step.phase == Phase::complete) end = timeline.spans[i].end;
  }
  return end - begin;
}

void bound_remote_reads(const Flow& flow, Analysis& analysis) {
  for (const ProgramFlow& program : flow.programs()) {
    std::map<const QueuePairs*, double> held;
    for (const PostFlow& post : program.posts) {
      if (!is_remote_read(post.step->verb)) continue;
      const Time time = in_flight_time(path_of(flow, program, post, 1), timeline_of(flow, program, post));
      held[post.queue_pairs] += to_seconds(time) * post.work_requests;
    }
    for (const auto& [name, set] : program.program->queue_pairs) {
      const auto found = held.find(&set);
      if (found == held.end()) continue;
      const double allowed = static_cast<double>(queue_pairs_of(program, set)) * program.machine->count *
                             program.hardware.nic.max_outstanding_reads;
      analysis.add(fmt::format("{}/READs in flight of {}", program.program->machine, program.name),
                   Seconds{found->second}, allowed, std::nullopt);
    }
  }
}

/// Customers are the operations in flight of all programs that start work; a cycle is one such operation.
void add_mean_values(const Flow& flow, Analysis& analysis) {
  // What storage does at once, or after the answer, is no queue of requests.
  const bool has_storage = std::ranges::any_of(flow.programs(), [](const ProgramFlow& program) {
    return has_step<AccessStep>(*program.program) || has_step<TouchStep>(*program.program);
  });
  if (has_storage) return;
  double customers = 0;
  double started = 0;
  double latency = 0;
  for (const std::size_t source : flow.sources()) {
    const ProgramFlow& program = flow.programs()[source];
    if (!program.outstanding) return;
    customers += *program.outstanding;
    started += started_by(program);
    latency += turn(flow, source, analysis).count() * started_by(program);
  }
  if (customers < 1 || started <= 0) return;
  analysis.in_flight = customers;

  std::vector<Station> stations;
  const Eigen::VectorXd totals = analysis.demands.totals();
  double service = 0;
  for (std::size_t r = 0; r < analysis.demands.resources.size(); ++r) {
    const ResourceRow& row = analysis.demands.resources[r];
    const double demand = totals(static_cast<Eigen::Index>(r)) / started;
    if (!row.is_station || demand <= 0) continue;
    stations.push_back({from_seconds(demand), row.servers});
    service += demand;
  }
  // Packets of one operation can be in several places at once: then this is negative.
  const Time delay = from_seconds(latency / started - service);
  const MeanValues values = mean_value_analysis(stations, delay, std::llround(customers));
  analysis.mean_value = Rate{values.throughput.per_second / started};
}

std::vector<std::string> shares_assumed(const Flow& flow) {
  std::vector<std::string> names;
  for (const std::size_t source : flow.sources()) {
    const ProgramFlow& program = flow.programs()[source];
    if (started_by(program) > 0) names.push_back(program.name);
  }
  return names.size() > 1 ? names : std::vector<std::string>{};
}

Time unloaded_latency(const Flow& flow, const Analysis& analysis) {
  const std::size_t measured = flow.index_of(flow.scenario().measure.program);
  const auto& sources = flow.sources();
  if (std::find(sources.begin(), sources.end(), measured) != sources.end())
    return mean_cycle(flow, measured, idle_alone(flow, measured, analysis));
  // Work that others start: what they see.
  Time longest{0};
  for (const std::size_t source : sources)
    longest = std::max(longest, mean_cycle(flow, source, idle_alone(flow, source, analysis)));
  return longest;
}

}  // namespace

Analysis analyze(const Scenario& scenario) {
  const Flow flow{scenario};
  Analysis analysis;
  analysis.demands = demand_matrix(flow);
  if (flow.programs()[flow.index_of(scenario.measure.program)].operations <= 0) return analysis;
  analysis.assumed_shares = shares_assumed(flow);
  analysis.unloaded_latency = unloaded_latency(flow, analysis);
  bound_resources(analysis);
  bound_windows(flow, analysis);
  bound_rounds(flow, analysis);
  bound_remote_reads(flow, analysis);
  tell_left_out(flow, analysis.left_out);
  add_mean_values(flow, analysis);
  analysis.settle();
  if (analysis.mean_value && !analysis.bounds.empty())
    analysis.mean_value = std::min(*analysis.mean_value, analysis.throughput);
  return analysis;
}

}  // namespace doorbell::analytic
