// doorbell path: what one operation does on PCI Express and the wire, as a table and as a sequence diagram.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "analytic/device_traffic.hpp"
#include "analytic/remote_memory_programs.hpp"
#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/path_text.hpp"
#include "cli/sequence_diagram.hpp"
#include "cli/session.hpp"
#include "models/nic/verb_path.hpp"
#include "models/programs/posted_operation.hpp"

namespace doorbell::cli {
namespace {

using model::VerbPath;

const model::HardwareProfile& hardware_of(const model::Scenario& scenario, const model::Program& program) {
  return find(scenario.machines, program.machine)->hardware;
}

/// The first program that posts to `receiver`, with its name; null if none does.
const std::pair<std::string, model::Program>* poster_to(const model::Scenario& scenario, const std::string& receiver) {
  const auto posts = [&](const auto& entry) { return sends_to(entry.second, receiver); };
  const auto found = std::ranges::find_if(scenario.programs, posts);
  return found == scenario.programs.end() ? nullptr : &*found;
}

/// The program `named`; if that is empty, the measured one, or who posts to it where it posts nothing itself.
std::string shown_program(const model::Scenario& scenario, const std::string& named) {
  if (!named.empty()) return named;
  const std::string& measured = scenario.measure.program;
  const auto* poster = poster_to(scenario, measured);
  const bool posts = poster == nullptr || has_step<model::PostStep>(*find(scenario.programs, measured));
  return posts ? measured : poster->first;
}

/// The path of every operation that a program posts, in the order of its loop. `displaced`: the NIC has lost their WQEs
/// whenever it needs them.
std::vector<VerbPath> paths_of(const model::Scenario& scenario, const std::string& name, bool displaced) {
  const model::Program* program = find(scenario.programs, name);
  if (program == nullptr) {
    std::vector<std::string> names;
    for (const auto& [other, described] : scenario.programs) names.push_back(other);
    const std::string meant = scenario::nearest(name, names);
    throw UsageError(
        scenario::ErrorCode::not_there,
        fmt::format("path: no program {} in this scenario, but {}{}", scenario::in_quotes(name), fmt::join(names, ", "),
                    meant.empty() ? "" : fmt::format("; did you mean {}?", scenario::in_quotes(meant))));
  }
  std::vector<VerbPath> paths;
  const auto* requester = poster_to(scenario, name);
  for (const model::Step& step : program->loop) {
    const auto* post = std::get_if<model::PostStep>(&step);
    if (post == nullptr) continue;
    const model::Program* peer = find(scenario.programs, post->to);
    if (post->destination == model::Destination::origin && requester != nullptr) peer = &requester->second;
    const model::HardwareProfile& here = hardware_of(scenario, *program);
    const model::Program& receiver = peer == nullptr ? *program : *peer;
    const model::HardwareProfile& there = hardware_of(scenario, receiver);
    const model::QueuePairs* pairs = find(program->queue_pairs, post->queue_pairs);
    const auto add = [&](const model::PostStep& kind) {
      model::Operation operation =
          model::with_data_access(model::operation_of(kind, *pairs, kind.batch, here, {there, receiver}), kind,
                                  find(scenario.machines, program->machine)->software);
      if (peer != nullptr) {
        operation =
            model::in_whole_windows(operation, *post, *program, receiver, model::per_thread(*pairs, here.port.ports));
      }
      operation.displaced = displaced;
      paths.push_back(model::make_path(operation, here, there));
    };
    const auto add_kind = [&](const model::PostStep& kind, const std::vector<model::FollowUp>& then) {
      add(kind);
      for (const model::FollowUp& next : then) {
        if (next.share > 0) add(model::only(*post, next));
      }
    };
    if (model::own_share(*post) > 0) add_kind(*post, post->then);
    for (const model::Alternative& other : post->mix) {
      if (other.share > 0) add_kind(model::only(*post, other), other.then);
    }
    if (post->acknowledgement) add(model::with_payload(*post, *post->acknowledgement));
  }
  if (paths.empty()) {
    throw UsageError(
        scenario::ErrorCode::other_kind,
        fmt::format(
            "path: program {} posts nothing{}", scenario::in_quotes(name),
            requester == nullptr ? "" : fmt::format("; see --program {}, which posts to it", requester->first)));
  }
  if (displaced && std::ranges::none_of(paths, model::can_be_displaced, &VerbPath::operation)) {
    throw UsageError(
        scenario::ErrorCode::other_kind,
        fmt::format("path: --displaced: expected WQEs by MMIO, READs or atomics, which the NIC may have to read "
                    "again, found none in the paths of program {}",
                    scenario::in_quotes(name)));
  }
  return paths;
}

/// Those that a scenario describes, or what the device of remote memory does.
model::Scenario programs_of(const LoadArguments& arguments, std::size_t point) {
  model::Scenario scenario = chosen_point(scenario::load(arguments.file, arguments.options), point).scenario;
  if (const auto* remote_memory = scenario.find<model::RemoteMemoryScenario>()) {
    if (analytic::device_traffic(*remote_memory).requests() > 0) return analytic::as_programs(*remote_memory);
    throw UsageError(scenario::ErrorCode::other_kind, "path: everything is in memory, and nothing is posted");
  }
  require_programs(scenario, arguments.file);
  return scenario;
}

}  // namespace

void add_path(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("path", "Show what an operation does on PCI Express: a table of TLPs, a diagram");
  const auto arguments = add_load_arguments(*command);
  const auto program = std::make_shared<std::string>();
  const auto svg = std::make_shared<std::optional<std::filesystem::path>>();
  const auto point = std::make_shared<std::size_t>(0);
  const auto displaced = std::make_shared<bool>(false);
  const auto drawn = std::make_shared<std::size_t>(0);
  command->add_option("--point", *point, "Which point of a sweep, from 0")->check(whole_number(0, last_point));
  command->add_option(
      "--program", *program,
      "Whose operations (default: the measured program, or the first that posts to it if it posts none)");
  command->add_flag("--displaced", *displaced,
                    "Of WQEs that the NIC does not find in its cache any more and reads again");
  auto* drawing = command->add_option("--svg", *svg, "Draw one of them as a sequence diagram into this file");
  command->add_option("--operation", *drawn, "Which one is drawn, from 0 (default: the first)")
      ->check(whole_number(0, last_point))
      ->needs(drawing);
  command->callback([arguments, program, point, svg, displaced, drawn] {
    const model::Scenario scenario = programs_of(*arguments, *point);
    const std::vector<VerbPath> paths = paths_of(scenario, shown_program(scenario, *program), *displaced);
    if (*drawn >= paths.size())
      throw UsageError(scenario::ErrorCode::not_there,
                       fmt::format("--operation: expected a number up to {}, found {}", paths.size() - 1, *drawn));
    if (*svg) Output{*svg, "--svg"}.write(sequence_diagram(paths[*drawn]));
    Output output{std::nullopt};
    std::string text;
    for (const VerbPath& path : paths) text += (text.empty() ? "" : "\n") + path_text(path, output.layout());
    output.write(text);
  });
}

}  // namespace doorbell::cli
