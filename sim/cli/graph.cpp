// doorbell graph: the machines of a scenario and how data gets from one part to the next.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/graph_drawing.hpp"
#include "cli/load_arguments.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "models/dma/dma_graph.hpp"
#include "models/fabric/transfer_graph.hpp"
#include "models/machine_graph.hpp"
#include "models/shared_files/shared_files_graph.hpp"
#include "models/storage/storage_graph.hpp"

namespace doorbell::cli {
namespace {

/// The graph of what a scenario is about, or of its machines.
struct GraphOf {
  const model::Scenario& scenario;

  model::MachineGraph operator()(const model::StorageScenario& about) const { return make_storage_graph(about); }
  model::MachineGraph operator()(const model::SharedFilesScenario& about) const {
    return make_shared_files_graph(about);
  }
  model::MachineGraph operator()(const model::TransferScenario& about) const { return make_transfer_graph(about); }
  model::MachineGraph operator()(const model::DmaScenario& about) const { return make_dma_graph(about); }
  model::MachineGraph operator()(const model::RemoteMemoryScenario& /*about*/) const {
    return make_machine_graph(scenario);
  }
  model::MachineGraph operator()(std::monostate) const { return make_machine_graph(scenario); }
};

}  // namespace

void add_graph(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("graph", "Show the machines of a scenario as a graph, in DOT and SVG");
  const auto arguments = add_load_arguments(*command);
  const auto dot = std::make_shared<std::optional<std::filesystem::path>>();
  const auto svg = std::make_shared<std::optional<std::filesystem::path>>();
  command->add_option("--dot", *dot, "Write DOT into this file (default: to the terminal)");
  command->add_option("--svg", *svg, "Draw it into this file");
  command->callback([arguments, dot, svg] {
    require_other_file("--dot", *dot, "--svg", *svg);
    const model::Scenario scenario = scenario::load(arguments->file, arguments->options).front().scenario;
    const model::MachineGraph graph = std::visit(GraphOf{scenario}, scenario.instead);
    if (*svg) Output{*svg, "--svg"}.write(as_svg(graph));
    if (*dot || !*svg) Output{*dot, "--dot"}.write(as_dot(graph));
  });
}

}  // namespace doorbell::cli
