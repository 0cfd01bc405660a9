#include "analytic/flow.hpp"

#include <algorithm>
#include <numeric>
#include <set>
#include <stdexcept>

#include "analytic/device_access.hpp"
#include "analytic/unrelated.hpp"
#include "models/programs/active_threads.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/silent_machines.hpp"
#include "models/remote_loads/machines_beside.hpp"

namespace doorbell::analytic {
namespace {

using model::AwaitStep;
using model::CollectStep;
using model::Destination;
using model::LoopPass;
using model::PostStep;
using model::Program;
using model::QueuePairs;
using model::Scenario;
using model::Step;
using model::Verb;

const model::MachineGroup& machine_of(const Scenario& scenario, const std::string& name) {
  for (const auto& [machine, group] : scenario.machines) {
    if (machine == name) return group;
  }
  throw std::invalid_argument("no machine named " + name);
}

/// Threads that keep a core of one machine busy.
int active_cores(const Scenario& scenario, const std::string& machine) {
  return model::program_threads(scenario.programs, machine) +
         model::threads_beside(scenario.programs, machine, machine_of(scenario, machine));
}

model::HardwareProfile at_clock(model::HardwareProfile hardware, double stretch) {
  for (Time* time : {&hardware.cpu.wqe_cost, &hardware.cpu.poll_cqe, &hardware.cpu.poll_empty, &hardware.cpu.recv_cost,
                     &hardware.mmio.line_cost, &hardware.mmio.fence_cost}) {
    *time = from_seconds(to_seconds(*time) * stretch);
  }
  return hardware;
}

/// Work requests that one of its operations takes, on average over what its passes begin.
double mean_parts_of(const Program& program) {
  const LoopPass pass = steady_pass(program);
  double parts = 0;
  std::size_t index = 0;
  for (const Step& step : program.loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post != nullptr && starts_work(*post)) parts += pass.posts[index++] * mean_parts(*post);
  }
  return pass.total > 0 ? parts / pass.total : 1;
}

}  // namespace

int queue_pairs_of(const ProgramFlow& flow, const QueuePairs& set) {
  return model::per_thread(set, flow.machine->hardware.port.ports) * flow.program->threads;
}

Flow::Flow(const Scenario& scenario, std::optional<std::size_t> alone) : scenario_{&scenario} {
  add_programs();
  start_sources(alone);
  floods_ = measured_floods();
  if (!floods_) collect();
  count_operations();
  normalise();
}

bool Flow::measured_floods() const {
  const ProgramFlow& measured = programs_[index_of(scenario_->measure.program)];
  const bool is_source = !has_step<CollectStep>(*measured.program);
  if (!is_source || measured.outstanding || measured.arrivals || has_step<AwaitStep>(*measured.program)) return false;
  // On RC a receiver without RECVs makes senders wait.
  return std::ranges::none_of(measured.posts, [&](const PostFlow& post) {
    return post.queue_pairs->transport == model::Transport::rc &&
           has_step<model::ReplenishStep>(*programs_[post.to].program);
  });
}

std::size_t Flow::index_of(const std::string& program) const {
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    if (programs_[i].name == program) return i;
  }
  throw std::invalid_argument("no program named " + program);
}

const QueuePairs& Flow::set_of(const Program& program, const std::string& name) {
  for (const auto& [set, queue_pairs] : program.queue_pairs) {
    if (set == name) return queue_pairs;
  }
  throw std::invalid_argument("no queue pairs named " + name);
}

void Flow::add_programs() {
  for (const auto& [name, program] : scenario_->programs) {
    ProgramFlow& flow = programs_.emplace_back();
    flow.name = name;
    flow.program = &program;
    place(flow);
  }
  for (const auto& [name, group] : scenario_->machines) {
    if (!group.remote_device || lenders_.contains(group.remote_device->peers)) continue;
    const std::string& machine = group.remote_device->peers;
    lenders_[machine] = programs_.size();
    Program& memory = memories_.emplace_back();
    memory.machine = machine;
    ProgramFlow& flow = programs_.emplace_back();
    flow.name = "memory of " + machine;
    flow.program = &memory;
    place(flow);
    model::MachineGroup& answering = answering_.emplace_back(*flow.machine);
    answering.count -= model::silent_machines(*scenario_, machine);
    flow.machine = &answering;
  }
}

void Flow::place(ProgramFlow& flow) const {
  const std::string& machine = flow.program->machine;
  flow.machine = &machine_of(*scenario_, machine);
  flow.stretch = model::clock_stretch(flow.machine->hardware.cpu, active_cores(*scenario_, machine));
  flow.hardware = at_clock(flow.machine->hardware, flow.stretch);
}

void Flow::start_sources(std::optional<std::size_t> alone) {
  constexpr double hardly = 1e-30;  // no part of any sum, and yet not nothing
  const Program& measured = *programs_[index_of(scenario_->measure.program)].program;
  const bool is_measured_source = !has_step<CollectStep>(measured);
  const bool measures_open = model::open_loop(measured) != nullptr;
  const std::set<std::string> related = related_to_measured(*scenario_);
  for (std::size_t i = 0; i < programs_.size(); ++i) {
    ProgramFlow& flow = programs_[i];
    const LoopPass pass = fresh_pass(*flow.program);
    if (has_step<CollectStep>(*flow.program) || pass.total == 0 || !related.contains(flow.name)) continue;
    const PostStep* open = model::open_loop(*flow.program);
    if (open != nullptr) flow.arrivals = Rate{open->arrivals->rate.per_second * flow.threads()};
    if (is_measured_source && (open != nullptr) != measures_open) continue;
    sources_.push_back(i);
    if (pass.bounded) flow.outstanding = pass.most * flow.threads();
    flow.items = has_step<AwaitStep>(*flow.program) ? pass.total : 0;
    const LoopPass steady = steady_pass(*flow.program);
    const int taken = std::accumulate(steady.awaits.begin(), steady.awaits.end(), 0);
    for (const int share : steady.awaits) flow.awaited.push_back(flow.items * share / std::max(1, taken));
    const double passes =
        flow.arrivals ? flow.arrivals->per_second / pass.total * mean_parts_of(*flow.program) : flow.threads();
    add_posts(flow, alone.value_or(i) == i ? passes : passes * hardly, pass.total);
    use_device(flow);
  }
}

void Flow::add_posts(ProgramFlow& flow, double passes, int posted_in_pass) {
  flow.passes = passes;
  const int most = fresh_pass(*flow.program).total;
  const LoopPass steady = steady_pass(*flow.program);
  const double begun = posted_in_pass / mean_parts_of(*flow.program);
  std::size_t index = 0;
  for (const Step& step : flow.program->loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post == nullptr || !starts_work(*post)) continue;
    const double share = static_cast<double>(steady.posts[index++]) / std::max(1, steady.total);
    if (share == 0) continue;
    const std::size_t to = index_of(post->to);
    const QueuePairs& set = set_of(*flow.program, post->queue_pairs);
    add_post(flow, *post,
             {.step = post,
              .queue_pairs = &set,
              .to = to,
              .work_requests = passes * begun * share,
              .batch = std::clamp(static_cast<int>(most * share), 1, post->batch)});
  }
}

void Flow::add_post(ProgramFlow& flow, const PostStep& step, PostFlow post) {
  const double all = post.work_requests;
  post.in_loop = &step;
  const auto completes = [&](PostStep kind) {
    kind.mix.clear();
    kind.then.clear();
    return kind.destination != Destination::origin && model::completes_itself(kind, *programs_[post.to].program);
  };
  const auto follow = [&](const std::vector<model::FollowUp>& then, PostFlow kind) {
    const double begun = kind.work_requests;
    kind.follows = true;
    for (const model::FollowUp& next : then) {
      if (next.share <= 0) continue;
      kind.step = &mixed_in_.emplace_back(model::only(step, next));
      kind.work_requests = begun * next.share;
      kind.completes_itself = completes(*kind.step);
      flow.posts.push_back(kind);
    }
  };
  for (const model::Alternative& other : step.mix) {
    if (other.share <= 0) continue;
    PostFlow mixed = post;
    mixed.step = &mixed_in_.emplace_back(model::only(step, other));
    mixed.work_requests = all * other.share;
    mixed.completes_itself = completes(*mixed.step);
    flow.posts.push_back(mixed);
    follow(other.then, mixed);
  }
  post.work_requests = all * model::own_share(step);
  post.completes_itself = completes(step);
  if (post.work_requests <= 0) return;
  flow.posts.push_back(post);
  follow(step.then, post);
}

void Flow::use_device(ProgramFlow& flow) {
  for (const Step& step : flow.program->loop) {
    const auto* access = std::get_if<model::AccessStep>(&step);
    const auto* touch = std::get_if<model::TouchStep>(&step);
    const model::Fabric& fabric = scenario_->fabric;
    if (access != nullptr && access->device == model::AccessedDevice::remote)
      add_device_posts(flow, DeviceAccess{flow, *access, fabric}.traffic(), flow.passes * flow.items);
    if (touch != nullptr)
      add_device_posts(flow, DeviceAccess{flow, *touch, fabric}.traffic(),
                       flow.passes * operations_of(*touch, flow.items));
  }
}

void Flow::add_device_posts(ProgramFlow& flow, const DeviceTraffic& traffic, double operations) {
  const model::RemoteDeviceGroup& group = flow.machine->remote_device.value();
  const int pairs = group.access.peers * group.access.queue_pairs;
  QueuePairs& set = device_queue_pairs_[flow.name];
  set.transport = model::Transport::rc;
  set.count = (pairs + flow.program->threads - 1) / flow.program->threads;
  for (const bool write : {false, true}) {
    const Requests& requests = write ? traffic.writes : traffic.reads;
    if (requests.wqes() * operations <= 0) continue;
    PostStep& post = mixed_in_.emplace_back();
    post.verb = write ? Verb::write : Verb::read;
    post.payload = requests.wqe_size();
    post.inlined = false;
    post.method = model::PostMethod::doorbell;
    post.batch = std::max(1, static_cast<int>(requests.posted_by_one));
    post.destination = Destination::origin;  // it acts for what has been collected
    post.signal_every = 1;
    flow.posts.push_back({.step = &post,
                          .in_loop = &post,
                          .queue_pairs = &set,
                          .to = lenders_.at(group.peers),
                          .work_requests = operations * requests.wqes(),
                          .batch = post.batch,
                          .by_device = true});
  }
}

void Flow::count_operations() {
  for (ProgramFlow& flow : programs_) {
    const bool awaits = has_step<AwaitStep>(*flow.program);
    const bool collects = has_step<CollectStep>(*flow.program);
    if (collects && !awaits) {
      flow.operations = flow.passes * flow.items;
      continue;
    }
    for (const PostFlow& post : flow.posts) {
      if (!post.follows && (!awaits || starts_work(*post.step))) flow.operations += post.work_requests;
    }
  }
}

void Flow::normalise() {
  const double operations = programs_[index_of(scenario_->measure.program)].operations;
  const double measured = operations / scenario_->measure.operations_per_request;
  if (measured <= 0) return;
  for (ProgramFlow& flow : programs_) {
    flow.operations /= measured;
    flow.passes /= measured;
    for (PostFlow& post : flow.posts) post.work_requests /= measured;
  }
}

double Flow::in_flight() const {
  double all = 0;
  for (const std::size_t source : sources_) {
    if (!programs_[source].outstanding) return 0;
    all += *programs_[source].outstanding;
  }
  return all;
}

}  // namespace doorbell::analytic
