#include "models/shared_files/shared_files_routes.hpp"

#include <string>
#include <utility>

namespace doorbell::model {

const SharedFilesRoutes::Route& SharedFilesRoutes::from_disk(DataPath path) const {
  return path == DataPath::sram ? disk_to_nic : disk_to_memory;
}

const SharedFilesRoutes::Route& SharedFilesRoutes::to_node(DataPath path) const {
  return path == DataPath::sram ? nic_to_node : memory_and_node;
}

SharedFilesRoutes shared_files_routes(const SharedFilesScenario& scenario) {
  using Owner = SharedFilesRoutes::Owner;
  using Route = SharedFilesRoutes::Route;
  const StorageServer& server = scenario.server;
  const ClientNode& node = scenario.node;
  SharedFilesRoutes routes;
  const auto add = [&routes](std::string name, Bandwidth bandwidth, Owner owner, Limit limit = Limit::bus_bandwidth,
                             int flows = 0) {
    routes.resources.push_back({{std::move(name), bandwidth, limit}, owner, flows});
    return routes.resources.size() - 1;
  };
  const auto node_link = add("nodes/NIC link", node.link, Owner::node, Limit::network_bandwidth);
  const auto node_pci = add("nodes/PCI bus", node.bus.pci, Owner::node);
  const auto node_bridge = add("nodes/host bridge", node.bus.bridge, Owner::node);
  const auto node_memory = add("nodes/memory bus", node.bus.memory, Owner::node);
  const auto node_copying = add("nodes/copying", node.copy * 2, Owner::node, Limit::bus_bandwidth, node.cores);
  const auto pci = add("server/PCI bus", server.bus.pci, Owner::server);
  const auto bridge = add("server/host bridge", server.bus.bridge, Owner::server);
  const auto memory = add("server/memory bus", server.bus.memory, Owner::server);
  const auto link = add("server/NIC link", server.nic.link, Owner::server, Limit::network_bandwidth);
  const auto controller = add("server/RAID controller", server.raid.controller, Owner::server);
  const auto fetch = add("server/controller fetch", server.raid.fetch_from_memory, Owner::server);
  const auto copying = add("server/copying", server.cpu.copy * 2, Owner::server);
  const auto disk = add("server/disk", server.raid.interface, Owner::disk);

  routes.disk_to_memory = {disk, controller, pci, bridge, memory};
  routes.disk_to_nic = {disk, controller, pci};
  routes.memory_to_disk = {disk, fetch, controller, pci, bridge, memory};
  routes.copy_in_server = {memory, copying};
  routes.memory_and_node = {memory, bridge, pci, link, node_link, node_pci, node_bridge, node_memory};
  routes.nic_to_node = {link, node_link, node_pci, node_bridge, node_memory};
  routes.copy_in_node = {node_memory, node_copying};
  routes.copy_to_cache = {node_memory};
  // Devices reach memory past it.
  if (server.bus.has_front_side())
    routes.copy_in_server.push_back(add("server/front-side bus", server.bus.front_side, Owner::server));
  if (node.bus.has_front_side()) {
    const auto front_side = add("nodes/front-side bus", node.bus.front_side, Owner::node);
    for (Route* copies : {&routes.copy_in_node, &routes.copy_to_cache}) copies->push_back(front_side);
  }
  return routes;
}

SharedFilesNetwork::SharedFilesNetwork(FluidNetwork& network, const SharedFilesScenario& scenario)
    : network_{network}, routes_{shared_files_routes(scenario)} {
  using Owner = SharedFilesRoutes::Owner;
  for (const SharedFilesRoutes::Resource& resource : routes_.resources) {
    const int count = resource.owner == Owner::disk   ? scenario.server.raid.disks
                      : resource.owner == Owner::node ? scenario.mount.nodes
                                                      : 1;
    std::vector<FluidNetwork::Resource>& all = placed_.emplace_back();
    for (int i = 0; i < count; ++i)
      all.push_back(network.add_resource(resource.name, resource.bandwidth, resource.limit, resource.flows));
  }
}

FluidNetwork::Route SharedFilesNetwork::add_route(const SharedFilesRoutes::Route& route, std::size_t which) {
  std::vector<FluidNetwork::Resource> resources;
  for (const std::size_t resource : route) {
    const std::vector<FluidNetwork::Resource>& all = placed_[resource];
    const bool shared = routes_.resources[resource].owner == SharedFilesRoutes::Owner::server;
    resources.push_back(all[shared ? 0 : which]);
  }
  return network_.add_route(resources);
}

}  // namespace doorbell::model
