#include "models/storage/storage_routes.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace doorbell::model {

bool crosses_memory(DataPath path) {
  return path == DataPath::ram || path == DataPath::tcp || path == DataPath::local_ram;
}

bool is_remote(DataPath path) {
  return path == DataPath::ram || path == DataPath::sram || path == DataPath::pcimem || path == DataPath::tcp;
}

bool in_sram(DataPath path) { return path == DataPath::sram || path == DataPath::local_sram; }

StorageRoutes storage_routes(const StorageScenario& scenario) {
  using Route = StorageRoutes::Route;
  const StorageServer& server = scenario.server;
  StorageRoutes routes;
  const auto add = [&routes](std::string name, Bandwidth bandwidth, Limit limit = Limit::bus_bandwidth) {
    routes.resources.push_back({std::move(name), bandwidth, limit});
    return routes.resources.size() - 1;
  };
  const auto pci = add("server/PCI bus", server.bus.pci);
  const auto bridge = add("server/host bridge", server.bus.bridge);
  const auto memory = add("server/memory bus", server.bus.memory);
  // Of a processor; devices reach memory past it.
  Route to_memory{memory};
  if (server.bus.has_front_side()) to_memory.push_back(add("server/front-side bus", server.bus.front_side));
  const auto link = add("server/NIC link", server.nic.link, Limit::network_bandwidth);
  const auto card = add("server/bus memory", server.bus_memory);
  const auto target = add("server/NIC as read target", server.nic.read_target);
  const bool from_memory = crosses_memory(scenario.path);
  const auto fetch =
      add("server/controller fetch", from_memory ? server.raid.fetch_from_memory : server.raid.fetch_from_bus);

  // From the devices' side of the bus to the buffer; the way back uses the same resources.
  Route buffer{pci};
  if (from_memory) buffer = {pci, bridge, memory};
  if (scenario.path == DataPath::pcimem || scenario.path == DataPath::local_pcimem) buffer = {pci, card};
  const auto with = [](Route route, std::size_t more) {
    route.push_back(more);
    return route;
  };

  // The controller is one master of the bus, however many disks it reads.
  const auto controller = add("server/RAID controller", server.raid.controller);
  for (int active = 0; active <= server.raid.disks; ++active) {
    const std::string name = "server/" + std::to_string(active) + (active == 1 ? " disk" : " disks") + " at a time";
    // Each disk has an interface of its own, over which data only come.
    const auto disks = add(name, server.raid.interface * std::max(1, active), Limit::link_bandwidth);
    routes.from_disks.push_back(with(with(buffer, controller), disks));
  }
  // The page cache and the buffer are both in memory, and a processor copies.
  const bool cached = scenario.medium == Medium::page_cache;
  routes.from_device = cached ? to_memory : buffer;
  routes.to_device = in_sram(scenario.path) ? with(buffer, target) : routes.from_device;
  if (scenario.medium == Medium::raid && scenario.operation == BlockOperation::write) {
    // The controller's buffers take writes, of which all disks together take over no more than they can write.
    const auto media = add("server/media of the disks", server.raid.media * server.raid.disks, Limit::drive);
    for (const std::size_t more : {fetch, controller, routes.from_disks.back().back(), media})
      routes.to_device.push_back(more);
  }
  // The NIC's own memory is on its side of the bus: sending from it crosses nothing but the link.
  routes.send = in_sram(scenario.path) ? Route{link} : with(buffer, link);
  routes.memory = to_memory;
  if (scenario.path == DataPath::tcp) routes.copies = with(to_memory, add("server/copying", server.cpu.copy * 2));
  return routes;
}

}  // namespace doorbell::model
