#include "models/programs/simulation.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "models/programs/active_threads.hpp"
#include "models/programs/arrival_port.hpp"
#include "models/programs/connected_peers.hpp"
#include "models/programs/loop_pass.hpp"
#include "models/programs/nic_tables.hpp"
#include "models/programs/request_slots.hpp"

namespace doorbell::model {
namespace {

constexpr Time stagger = std::chrono::microseconds{5};

bool awaits_in_order(const Program& program) {
  return has_step<AwaitStep>(program, [](const AwaitStep& step) { return step.order == AwaitOrder::posting; });
}

/// Whether answers of several programs may be awaited together.
bool asks_several(const Program& program) {
  std::set<std::string> asked;
  for (const Step& step : program.loop) {
    const auto* post = std::get_if<PostStep>(&step);
    if (post != nullptr && starts_work(*post)) asked.insert(post->to);
  }
  return asked.size() > 1 && has_step<AwaitStep>(program);
}

}  // namespace

Simulation::Simulation(const ProgramScenario& scenario) : scenario_{scenario} {
  build_machines();
  build_programs();
  build_devices();
  build_memories();
  for (auto& plan : programs_) plan_steps(*plan);
  number_sources();
  connect_ports();
  limit_contexts();
  limit_translations();
  for (auto& thread : threads_) thread->start(stagger);
}

MachineSet& Simulation::machine_set(const std::string& name) {
  for (MachineSet& set : machines_) {
    if (set.name == name) return set;
  }
  throw std::invalid_argument("no machine named " + name);
}

ProgramPlan& Simulation::program(const std::string& name) {
  for (auto& plan : programs_) {
    if (plan->name == name) return *plan;
  }
  throw std::invalid_argument("no program named " + name);
}

void Simulation::build_machines() {
  std::uint32_t rank = 0;
  for (const auto& [name, group] : scenario_.machines) {
    MachineSet& set = machines_.emplace_back();
    set.name = name;
    set.group = &group;
    const int beside = threads_beside(scenario_.programs, name, group);
    for (int i = 0; i < group.count; ++i) {
      set.instances.push_back(
          std::make_unique<Machine>(calendar_, group.hardware, group.drives, scenario_.fabric, pool_, rank, beside));
      rank += Machine::ranks(group.drives);
    }
  }
}

void Simulation::build_programs() {
  std::uint32_t rank = 1U << 20;  // behind the machines': a core sees what its NIC did at the same instant
  for (const auto& [name, program] : scenario_.programs) {
    auto& plan = *programs_.emplace_back(std::make_unique<ProgramPlan>());
    plan.name = name;
    plan.program = &program;
    const auto collects = [&](Channel channel) {
      return has_step<CollectStep>(*plan.program, [&](const CollectStep& step) { return step.via == channel; });
    };
    plan.collects_memory = collects(Channel::memory);
    plan.collects_completions = collects(Channel::completion_queue);
    plan.answers = answers(program);
    if (plan.collects()) plan.recvs = find_step<ReplenishStep>(program);
    for (std::size_t i = 0; i < plan.sends_by_own_port.size(); ++i)
      plan.sends_by_own_port[i] = receives_on_own_port(program, static_cast<Transport>(i));
    plan.in_order = awaits_in_order(program);
    plan.asks_several = asks_several(program);
    const MachineGroup& group = *machine_set(program.machine).group;
    plan.patience = patience(program.completion, group.hardware.cpu);
    if (plan.patience < Time::max()) {
      if (!group.software) throw std::invalid_argument("no software profile in the machine of program " + name);
      plan.wake_up = wake_up(group.software->driver);
      if (program.completion.mode == WaitMode::adaptive) plan.polls = program.completion.max_retry;
      plan.timed = program.completion.mode == WaitMode::timer;
    }
    plan.counts = has_step<AwaitStep>(program) ? Counts::answers
                  : plan.collects()            ? Counts::collected
                                               : Counts::transmitted;
    auto& machines = machine_set(program.machine).instances;
    const int shared = program.completion.shared_queues;
    const int queues = shared > 0 ? shared : program.threads;  // of a machine
    for (std::size_t i = 0; i < machines.size() * static_cast<std::size_t>(queues); ++i) {
      plan.request_queues.emplace_back(group.hardware.shared_line);
    }
    int number = 0;
    for (int i = 0; i < program.threads; ++i) {
      int port = i;  // both the threads of a machine and the machines of a group share the ports evenly
      int queue = i % queues;
      for (auto& machine : machines) {
        threads_.push_back(std::make_unique<Thread>(calendar_, pool_, *machine, plan, number++, port++, scenario_.seed,
                                                    core::Priority{rank++}));
        plan.threads.push_back(threads_.back().get());
        plan.threads.back()->take_from(plan.request_queues[static_cast<std::size_t>(queue)]);
        queue += queues;
      }
    }
  }
}

void Simulation::build_devices() {
  for (MachineSet& set : machines_) {
    const auto& device = set.group->remote_device;
    if (!device) continue;
    if (!set.group->software) throw std::invalid_argument("no software profile in machine " + set.name);
    MachineSet& peers = machine_set(device->peers);
    const DeviceSetup setup{set.group->hardware, peers.group->hardware, *set.group->software, device->access};
    std::vector<Machine*> lenders;
    for (auto& machine : peers.instances) lenders.push_back(machine.get());
    for (std::size_t i = 0; i < set.instances.size(); ++i) {
      Machine& host = *set.instances[i];
      set.devices.push_back(std::make_unique<HostedDevice>(calendar_, pool_, setup, host, lenders, scenario_.seed,
                                                           instance_name(set, i),
                                                           program_threads(scenario_.programs, set.name)));
      host.set_remote_device(set.devices.back()->requests());
      set.devices.back()->device().start();
    }
    connect(set, peers);
    connect(peers, set);
  }
}

void Simulation::number_sources() {
  for (std::size_t i = 0; i < threads_.size(); ++i) threads_[i]->set_source_number(i);
  for (auto& receiver : programs_) {
    const Askers writers = slots_of(receiver->name, scenario_.programs, scenario_.machines);
    receiver->slot_of_source = numbers_of(writers);
    receiver->peer_of_source = numbers_of(askers_of(receiver->name, scenario_.programs, scenario_.machines));
    for (Thread* thread : receiver->threads) thread->prepare_slots(writers.threads);
  }
}

std::vector<std::size_t> Simulation::numbers_of(const Askers& askers) const {
  std::vector<std::size_t> numbers(threads_.size());
  std::size_t first = 0;  // source of a program
  for (const auto& sender : programs_) {
    const std::size_t threads = sender->threads.size();
    const auto asking = std::ranges::find(askers.programs, sender->program, &AskingThreads::program);
    for (std::size_t i = 0; i < threads && asking != askers.programs.end(); ++i)
      numbers[first + i] = asking->first + i / asking->among;
    first += threads;
  }
  return numbers;
}

void Simulation::connect_ports() {
  for (const auto& [name, program] : scenario_.programs) {
    for (const auto& [receiver, other] : scenario_.programs) {
      if (!sends_to(program, receiver)) continue;
      // Requests go one way, and responses, answers and ACKs the other.
      const bool crosswise = has_own_ports(other);
      connect(machine_set(program.machine), machine_set(other.machine), crosswise);
      connect(machine_set(other.machine), machine_set(program.machine), crosswise);
    }
  }
}

void Simulation::connect(MachineSet& sender, MachineSet& receiver, bool crosswise) {
  for (auto& from : sender.instances) {
    for (auto& to : receiver.instances) {
      auto& senders = from->nic().ports();
      auto& receivers = to->nic().ports();
      for (std::size_t port = 0; port < senders.size(); ++port) {
        for (std::size_t other = 0; other < receivers.size(); ++other) {
          // What comes back from a NIC with fewer ports comes to the port that asked.
          const bool face = facing_port(port, receivers.size()) == other || facing_port(other, senders.size()) == port;
          if (crosswise || face) receivers[other]->add_sender(*senders[port]);
        }
      }
    }
  }
}

void Simulation::limit_contexts() {
  const auto contexts = contexts_by_machine(scenario_);
  for (MachineSet& set : machines_) {
    const auto here = contexts.find(set.name);
    if (here == contexts.end() || here->second <= set.group->hardware.nic.qp_contexts) continue;
    int number = 0;
    for (auto& machine : set.instances) {
      machine->nic().limit_contexts(scenario_.seed, set.name + "/" + std::to_string(number++));
    }
  }
}

void Simulation::limit_translations() {
  const auto pages = translations_by_machine(scenario_);
  for (MachineSet& set : machines_) {
    const auto here = pages.find(set.name);
    if (here == pages.end() || here->second <= set.group->hardware.nic.translations) continue;
    int number = 0;
    for (auto& machine : set.instances) {
      machine->nic().limit_translations(scenario_.seed, set.name + "/" + std::to_string(number++));
    }
  }
}

void Simulation::measure(Time until) {
  const Time now = calendar_.now();
  for (MachineSet& set : machines_) {
    for (auto& machine : set.instances) {
      machine->nic().measure(now, until);
      for (auto& drive : machine->drives()) drive->measure(now, until);
      for (auto& [name, line] : machine->lines()) line.measure(now, until);
    }
    for (auto& device : set.devices) device->measure();
  }
  for (auto& plan : programs_) {
    for (RequestQueue& queue : plan->request_queues) {
      queue.completions().measure(now, until);
      queue.receives().measure(now, until);
    }
    for (auto& memory : plan->memories) memory->measure();
    plan->dropped_before += plan->statistics.dropped;
    plan->backlog_before = backlog(*plan);
    plan->statistics = {};
    std::ranges::fill(plan->calls_of_steps, 0);
  }
  for (auto& thread : threads_) thread->measure(now);
}

std::uint64_t backlog(const ProgramPlan& plan) {
  std::uint64_t requests = 0;
  for (const RequestQueue& queue : plan.request_queues) requests += queue.size();
  for (const Thread* thread : plan.threads) requests += thread->requests_in_memory();
  return requests;
}

bool is_more_than_bursts(std::uint64_t left, std::uint64_t all, const ProgramPlan& plan) {
  return left > all / 20 + 16 * plan.threads.size();
}

bool falls_behind(const ProgramPlan& plan) {
  const std::uint64_t left = backlog(plan) + plan.statistics.dropped;
  const std::uint64_t grown = left - std::min(left, plan.backlog_before);
  return is_more_than_bursts(grown, plan.statistics.operations, plan);
}

std::string instance_name(const MachineSet& set, std::size_t number) {
  return set.instances.size() == 1 ? set.name : set.name + "/" + std::to_string(number);
}

void Simulation::trace_request_queues(const MachineSet& set, std::size_t machine, core::TraceWriter& writer) {
  for (auto& plan : programs_) {
    const auto queues = static_cast<std::size_t>(plan->program->completion.shared_queues);
    if (plan->program->machine != set.name) continue;
    for (std::size_t i = 0; i < queues; ++i) {
      RequestQueue& queue = plan->request_queues[machine * queues + i];
      const std::string of = " queue " + std::to_string(i) + " of " + plan->name;
      queue.completions().server().trace({&writer, instance_name(set, machine), "completion" + of});
      queue.receives().server().trace({&writer, instance_name(set, machine), "receive" + of});
    }
  }
}

void Simulation::trace(core::TraceWriter& writer) {
  for (MachineSet& set : machines_) {
    for (std::size_t i = 0; i < set.instances.size(); ++i) {
      Machine& machine = *set.instances[i];
      const std::string name = instance_name(set, i);
      int core = 0;
      for (auto& thread : threads_) {
        if (&thread->machine() != &machine || thread->plan().steps.empty()) continue;
        thread->trace({&writer, name, "core " + std::to_string(core++) + ": " + thread->plan().name});
      }
      for (auto& [line, server] : machine.lines()) server.server().trace({&writer, name, "line " + line});
      trace_request_queues(set, i, writer);
      machine.nic().trace(writer, name);
      int drive = 0;
      for (auto& each : machine.drives()) each->trace(writer, name + ", drive " + std::to_string(drive++));
      if (!set.devices.empty()) set.devices[i]->trace(writer, name);
    }
  }
}

}  // namespace doorbell::model
