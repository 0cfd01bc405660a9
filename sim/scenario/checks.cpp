#include "scenario/checks.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace doorbell::scenario {
namespace {

using namespace model;

void check_present(const Examined& examined) {
  if (examined.scenario.machines.empty()) {
    examined.refuse(ErrorCode::nothing_to_run, Pointer{} / keys::machines, "at least one machine", "none");
  }
  if (examined.scenario.programs.empty()) {
    examined.refuse(ErrorCode::nothing_to_run, Pointer{} / keys::programs, "at least one program", "none");
  }
}

bool lends_memory(const Scenario& scenario, std::string_view machine) {
  return std::ranges::any_of(scenario.machines, [&](const auto& other) {
    return other.second.remote_device && other.second.remote_device->peers == machine;
  });
}

/// Every program has a machine, every machine a program or memory to lend, and every thread a core.
void check_placement(const Examined& examined) {
  Scenario& scenario = examined.scenario;
  for (auto& [name, program] : scenario.programs) {
    const Pointer pointer = examined.program(name);
    examined.require_name(program.machine, scenario.machines, ErrorCode::unknown_machine,
                          pointer / member_name(program, program.machine));
  }
  for (auto& [machine, group] : scenario.machines) {
    int threads = 0;
    bool used = lends_memory(scenario, machine);
    for (auto& [name, program] : scenario.programs) {
      if (program.machine != machine) continue;
      used = true;
      threads += program.threads;
      const bool shared = examined.has_load(machine) || group.remote_device;
      const int most = hardware_threads(group.hardware.cpu) - (shared ? 1 : 0);
      if (threads > most) {
        const std::string_view but_one = examined.has_load(machine) ? " but one for the load"
                                         : shared                   ? " but one for completions of its device"
                                                                    : "";
        examined.refuse(ErrorCode::too_many_threads, examined.program(name) / member_name(program, program.threads),
                        fmt::format("at most {} threads on machine {}, one for each hardware thread{}", most,
                                    in_quotes(machine), but_one),
                        std::to_string(threads));
      }
    }
    const Node* written = examined.tree.find(keys::machines);
    if (!used && written != nullptr && written->find(machine) != nullptr) {
      examined.refuse(ErrorCode::unused_machine, Pointer{} / keys::machines / machine,
                      "a program that runs on this machine", "none");
    }
  }
}

void check_queue_pairs(const Examined& examined) {
  for (auto& [name, program] : examined.scenario.programs) {
    const MachineGroup& group = *find(examined.scenario.machines, program.machine);
    for (auto& [set_name, set] : program.queue_pairs) {
      if (!set.inline_receive || group.hardware.nic.inline_receive > Bytes{0}) continue;
      const Pointer at = examined.program(name) / member_name(program, program.queue_pairs) / set_name;
      examined.refuse(ErrorCode::no_inline_receive, at / member_name(set, set.inline_receive),
                      fmt::format("false, as the NIC of machine {} has no inline receive", in_quotes(program.machine)),
                      "true");
    }
  }
}

void check_measurement(const Examined& examined) {
  Measurement& measure = examined.scenario.measure;
  const Pointer pointer = Pointer{} / keys::measure / member_name(measure, measure.program);
  const Program& program =
      examined.require_name(measure.program, examined.scenario.programs, ErrorCode::unknown_program, pointer);
  const auto counts = [](const Step& step) {
    return std::holds_alternative<PostStep>(step) || std::holds_alternative<CollectStep>(step);
  };
  if (std::none_of(program.loop.begin(), program.loop.end(), counts)) {
    examined.refuse(ErrorCode::nothing_measured, pointer, "a program with a post or collect step",
                    in_quotes(measure.program));
  }
}

/// What a step can get wrong by itself and with its own program.
struct StepChecker {
  const Examined& examined;
  StepSite site;

  void operator()(PostStep& step) const { check_post(examined, site, step); }
  void operator()(AwaitStep& step) const { check_await(examined, site, step); }
  void operator()(ComputeStep& step) const { check_compute(examined, site, step); }
  void operator()(AccessStep& step) const { check_access(examined, site, step); }
  void operator()(TouchStep& step) const { check_touch(examined, site, step); }
  void operator()(IncrementStep& step) const {
    if (step.line.empty()) {
      examined.refuse(ErrorCode::empty_name, site.pointer / member_name(step, step.line), "a name", "\"\"");
    }
  }
  void operator()(ReplenishStep& step) const {
    examined.require_name(step.queue_pairs, site.program.queue_pairs, ErrorCode::unknown_queue_pairs,
                          site.pointer / member_name(step, step.queue_pairs));
  }
  template <class Other> void operator()(Other& /*step*/) const {}
};

/// What a step expects of other programs.
struct ArrivalChecker {
  const Examined& examined;
  StepSite site;

  void operator()(CollectStep& step) const { check_collect(examined, site, step); }
  template <class Other> void operator()(Other& /*step*/) const {}
};

/// What a step expects of other programs that lack nothing.
struct AnswerChecker {
  const Examined& examined;
  StepSite site;

  void operator()(PostStep& step) const {
    check_window(examined, site, step);
    if (step.relay) check_relay(examined, site, step);
    if (step.arrivals) check_arrivals(examined, site, step);
  }
  void operator()(AwaitStep& /*step*/) const { check_answers(examined, site); }
  template <class Other> void operator()(Other& /*step*/) const {}
};

template <class Checker> void check_steps(const Examined& examined) {
  for (auto& [name, program] : examined.scenario.programs) {
    const Pointer loop = examined.program(name) / member_name(program, program.loop);
    for (std::size_t i = 0; i < program.loop.size(); ++i) {
      const auto kind = std::visit([](const auto& step) { return step.kind; }, program.loop[i]);
      std::visit(Checker{examined, {name, program, i, loop / i / kind}}, program.loop[i]);
    }
  }
}

}  // namespace

std::string in_bytes(Bytes size) { return fmt::format("{} B", size.count); }

void Examined::refuse(ErrorCode code, const Pointer& pointer, const std::string& expected, const std::string& found,
                      const std::string& suggestion) const {
  throw ScenarioError{{code, nearest_node(tree, pointer).at, pointer.text(), expected, found, suggestion}};
}

void check(Scenario& scenario, const Node& tree) {
  const Examined examined{scenario, tree};
  check_present(examined);
  check_programs(examined);
  check_measurement(examined);
}

void check_programs(const Examined& examined) {
  check_hardware(examined);
  check_remote_devices(examined);
  check_placement(examined);
  check_queue_pairs(examined);
  // A wrong post starves the program it should reach: the cause comes before the effect.
  check_steps<StepChecker>(examined);
  check_steps<ArrivalChecker>(examined);
  check_steps<AnswerChecker>(examined);
  check_starts(examined);
  check_completion(examined);
  check_memory(examined);
  check_unused(examined);
}

}  // namespace doorbell::scenario
