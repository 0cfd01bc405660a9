#include "models/machine_graph.hpp"

#include <string_view>

#include "models/programs/active_threads.hpp"
#include "models/remote_loads/machines_beside.hpp"

namespace doorbell::model {
namespace {

using Vertex = boost::graph_traits<MachineGraph>::vertex_descriptor;

/// Disks that take no part only stand in their profiles.
bool has_disk(const MachineGroup& group) {
  return group.hardware.disk && group.remote_device && uses_disk(group.remote_device->access);
}

MachineGraph graph_of(const ProgramScenario& scenario) {
  MachineGraph graph;
  const auto rows = static_cast<int>(scenario.machines.size());
  const Vertex fabric = boost::add_vertex(Component{"switch", "switch", (rows - 1) / 2.0, 5}, graph);
  int row = 0;
  for (const auto& entry : scenario.machines) {
    const std::string& name = entry.first;
    const MachineGroup& group = entry.second;
    const HardwareProfile& hardware = group.hardware;
    constexpr double lower = 0.47;
    const auto part = [&](std::string_view suffix, const std::string& label, int column, double below = 0) {
      std::string path = name;
      path.append("/").append(suffix);
      return boost::add_vertex(Component{path, label, row + below, column}, graph);
    };
    const std::string many = group.count > 1 ? std::to_string(group.count) + " x " : std::string{};
    const int threads = program_threads(scenario.programs, name) + threads_beside(scenario.programs, name, group);
    const Vertex cores =
        part("cores",
             many + name + ": " + std::to_string(threads) + " of " +
                 (threads > hardware.cpu.cores ? std::to_string(hardware_threads(hardware.cpu)) + " hardware threads"
                                               : std::to_string(hardware.cpu.cores) + " cores"),
             0);
    // Below the line from cores to root complex, so that MMIO passes it.
    const Vertex memory = part("memory", "memory, LLC", 1, lower);
    const Vertex root = part("root complex", "root complex", 2);
    const Vertex nic = part("NIC", "NIC, " + std::to_string(hardware.nic.processing_units) + " PUs", 3);
    const int count = hardware.port.ports;
    const Vertex ports = part("ports", std::to_string(count) + (count == 1 ? " port" : " ports"), 4);
    connect(graph, cores, memory, {"stores"}, {"polls"});
    boost::add_edge(cores, root, Link{"MMIO"}, graph);
    connect(graph, memory, root, {"DMA read"}, {"DMA write"});
    const std::string pcie = "PCIe " + label_of(link_bandwidth(hardware.pcie));
    connect(graph, root, nic, {pcie}, {pcie});
    connect(graph, nic, ports, {"transmit"}, {"receive"});
    if (group.drives) {
      const Vertex drives = part("drives", std::to_string(group.drives->count) + " x NVMe", 3, lower);
      const std::string link = "PCIe " + label_of(link_bandwidth(group.drives->hardware.pcie));
      connect(graph, root, drives, {link}, {link});
    }
    if (has_disk(group)) {
      const Vertex disk = part("disk", "disk", 3, lower);
      const std::string rate = label_of(hardware.disk->media);
      connect(graph, root, disk, {rate}, {rate});
    }
    const std::string wire = label_of(hardware.port.bandwidth);
    connect(graph, ports, fabric, {wire}, {wire});
    ++row;
  }
  return graph;
}

}  // namespace

MachineGraph make_machine_graph(const Scenario& scenario) {
  const auto* remote = scenario.find<RemoteMemoryScenario>();
  return remote == nullptr ? graph_of(scenario) : graph_of(with_host_and_peers(scenario, *remote));
}

}  // namespace doorbell::model
