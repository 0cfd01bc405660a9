// doorbell graph: the machines of a scenario and how data gets from one part to the next.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <fstream>

#include "cli/commands.hpp"
#include "cli/graph_drawing.hpp"
#include "cli/load_arguments.hpp"
#include "cli/session.hpp"

namespace doorbell::cli {
namespace {

void write(const std::string& file, const std::string& text) {
  std::ofstream out{file, std::ios::binary};
  out << text;
  if (!out.flush()) throw UsageError(fmt::format("graph: cannot write {}", file));
}

}  // namespace

void add_graph(CLI::App& app, Session&) {
  auto* command = app.add_subcommand("graph", "Show the machines of a scenario as a graph, in DOT and SVG");
  const auto arguments = add_load_arguments(*command);
  const auto dot = std::make_shared<std::string>();
  const auto svg = std::make_shared<std::string>();
  command->add_option("--dot", *dot, "Write DOT into this file (default: to the terminal)");
  command->add_option("--svg", *svg, "Draw it into this file");
  command->callback([arguments, dot, svg] {
    const model::Scenario scenario = load_programs(*arguments).front().scenario;
    const model::MachineGraph graph = model::make_machine_graph(scenario);
    if (!svg->empty()) write(*svg, as_svg(graph));
    if (!dot->empty()) write(*dot, as_dot(graph));
    if (svg->empty() && dot->empty()) fmt::print("{}", as_dot(graph));
  });
}

}  // namespace doorbell::cli
