#include "models/fabric/transfer_graph.hpp"

#include <cstddef>
#include <map>
#include <stdexcept>
#include <string>

namespace doorbell::model {
namespace {

std::string resource_label(const std::string& name, const SharedResource& resource) {
  const std::string many = resource.count > 1 ? std::to_string(resource.count) + " x " : "";
  return many + name + ", " + label_of(resource.bandwidth);
}

}  // namespace

MachineGraph make_transfer_graph(const TransferScenario& scenario) {
  MachineGraph graph;
  std::map<std::string, std::size_t> known;
  const auto vertex = [&](const std::string& name, int row, int column) {
    const auto [place, is_new] = known.try_emplace(name);
    if (!is_new) return place->second;
    const auto* found = find(scenario.resources, name);
    if (found == nullptr) throw std::invalid_argument("no resource named " + name);
    place->second =
        boost::add_vertex(Component{name, resource_label(name, *found), static_cast<double>(row), column}, graph);
    return place->second;
  };
  int row = 0;
  for (const auto& [name, stream] : scenario.streams) {
    int column = 0;
    const std::string* before = nullptr;
    for (const TransferStage& stage : stream.stages) {
      for (const std::string& resource : stage.route) {
        if (before != nullptr && *before == resource) continue;
        const std::size_t here = vertex(resource, row, column++);
        if (before != nullptr) boost::add_edge(known.at(*before), here, Link{name, true}, graph);
        before = &resource;
      }
    }
    ++row;
  }
  return graph;
}

}  // namespace doorbell::model
