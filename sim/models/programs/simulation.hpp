// A scenario brought to life: machines, threads and the calendar that moves them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/calendar.hpp"
#include "models/machine/machine.hpp"
#include "models/nic/message.hpp"
#include "models/programs/posted_operation.hpp"
#include "models/programs/program_plan.hpp"
#include "models/programs/program_scenario.hpp"
#include "models/programs/thread.hpp"
#include "models/remote_memory/hosted_device.hpp"

namespace doorbell::model {

struct Askers;

/// Machines of one group, by instance.
struct MachineSet {
  std::string name;
  const MachineGroup* group = nullptr;
  std::vector<std::unique_ptr<Machine>> instances;
  std::vector<std::unique_ptr<HostedDevice>> devices;  ///< On remote memory, one for each, if the group has some.
};

/// Whether so many of `all` are more than what is always under way, and than bursts leave for a moment.
[[nodiscard]] bool is_more_than_bursts(std::uint64_t left, std::uint64_t all, const ProgramPlan& plan);
/// Requests that have come to a program and wait to be collected.
[[nodiscard]] std::uint64_t backlog(const ProgramPlan& plan);
/// Whether more have come since the warm-up than it collects: they pile up, or are dropped.
[[nodiscard]] bool falls_behind(const ProgramPlan& plan);
/// What a trace calls the machine of that number.
[[nodiscard]] std::string instance_name(const MachineSet& set, std::size_t number);

class Simulation {
 public:
  /// Builds everything; throws std::invalid_argument where the scenario names what does not exist.
  /// `scenario` must outlive the simulation.
  explicit Simulation(const ProgramScenario& scenario);
  explicit Simulation(ProgramScenario&&) = delete;  // it must outlive the simulation

  [[nodiscard]] const ProgramScenario& scenario() const { return scenario_; }
  [[nodiscard]] core::Calendar& calendar() { return calendar_; }
  [[nodiscard]] MessagePool& messages() { return pool_; }
  [[nodiscard]] std::vector<MachineSet>& machines() { return machines_; }
  [[nodiscard]] std::vector<std::unique_ptr<ProgramPlan>>& programs() { return programs_; }
  [[nodiscard]] ProgramPlan& program(const std::string& name);
  [[nodiscard]] MachineSet& machine_set(const std::string& name);
  /// Lets machines of `sender` send to those of `receiver`, whatever programs do: between ports that face each other,
  /// or `crosswise` from any to any.
  void connect(MachineSet& sender, MachineSet& receiver, bool crosswise = false);
  /// Ends the warm-up: statistics cover [now, until).
  void measure(Time until);
  /// Draws all machines and threads from now on.
  void trace(core::TraceWriter& writer);

 private:
  void trace_request_queues(const MachineSet& set, std::size_t machine, core::TraceWriter& writer);
  void build_machines();
  void build_programs();
  void build_devices();
  void plan_steps(ProgramPlan& plan);
  void plan_post(ProgramPlan& plan, const PostStep& step);
  /// Who receives what `post` sends, and how: where it goes to where requests have come from, or else to a program.
  [[nodiscard]] std::vector<Receiver> plan_answers(const ProgramPlan& plan, const QueuePairs& queue_pairs,
                                                   PostPlan& post);
  [[nodiscard]] Receiver plan_requests(ProgramPlan& plan, const QueuePairs& queue_pairs, PostPlan& post);
  void plan_access(ProgramPlan& plan, const AccessStep& step);
  [[nodiscard]] AccessPlan plan_remote_access(const ProgramPlan& plan, const AccessStep& step,
                                              const MachineGroup& group) const;
  void build_memories();
  void number_sources();
  /// The numbers of `askers` by source; those of other threads are 0.
  [[nodiscard]] std::vector<std::size_t> numbers_of(const Askers& askers) const;
  void limit_contexts();
  void limit_translations();
  void connect_ports();

  const ProgramScenario& scenario_;
  MessagePool pool_;
  std::vector<MachineSet> machines_;
  std::vector<std::unique_ptr<ProgramPlan>> programs_;
  std::vector<std::unique_ptr<Thread>> threads_;
  core::Calendar calendar_;  // last, so that suspended processes are destroyed before what they refer to
};

}  // namespace doorbell::model
