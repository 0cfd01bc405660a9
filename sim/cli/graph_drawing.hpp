// The machine graph as DOT (by Boost.Graph) and as SVG.
#pragma once

#include <string>

#include "models/machine_graph.hpp"

namespace doorbell::cli {

/// For Graphviz: left to right, one name per component.
[[nodiscard]] std::string as_dot(const model::MachineGraph& graph);
/// Components in columns from cores to switch, a row for each machine group, both directions of a link as one line.
[[nodiscard]] std::string as_svg(const model::MachineGraph& graph);

}  // namespace doorbell::cli
