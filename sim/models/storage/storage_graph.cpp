#include "models/storage/storage_graph.hpp"

#include <cstddef>
#include <string>

#include "models/storage/storage_routes.hpp"

namespace doorbell::model {
namespace {

class Builder {
 public:
  Builder(const StorageServer& server, Medium medium, DataPath path) : server_{server}, medium_{medium}, path_{path} {}

  MachineGraph build(const std::string& clients) {
    const std::size_t bus = add("PCI bus", label("PCI bus", server_.bus.pci), 0, 2);
    const std::size_t memory = add_memory(bus);
    if (medium_ != Medium::page_cache) add_medium(bus);
    const bool card = path_ == DataPath::pcimem || path_ == DataPath::local_pcimem;
    if (card) link(bus, add("bus memory", "memory on the bus", 1, 1), label_of(server_.bus_memory), true);
    if (path_ == DataPath::tcp) add_processor(memory);
    add_nic(bus, clients);
    return graph_;
  }

 private:
  static std::string label(const std::string& name, Bandwidth bandwidth) { return name + ", " + label_of(bandwidth); }

  std::size_t add(const std::string& name, const std::string& text, double row, int column) {
    return boost::add_vertex(Component{"server/" + name, text, row, column}, graph_);
  }
  void link(std::size_t a, std::size_t b, const std::string& text, bool used) {
    connect(graph_, a, b, {text, used}, {text, used});
  }

  std::size_t add_memory(std::size_t bus) {
    const bool used = crosses_memory(path_);
    const std::size_t bridge = add("host bridge", "host bridge", 0, 3);
    const std::size_t memory = add("memory", label("memory", server_.bus.memory), 0, 4);
    link(bus, bridge, label_of(server_.bus.bridge), used);
    link(bridge, memory, label_of(server_.bus.memory), used || medium_ == Medium::page_cache);
    return memory;
  }

  void add_processor(std::size_t memory) {
    std::string text = label_of(server_.cpu.copy) + " copies";
    if (server_.bus.has_front_side()) text += ", front-side bus " + label_of(server_.bus.front_side);
    link(memory, add("CPU", "CPU", 0, 5), text, true);
  }

  void add_medium(std::size_t bus) {
    if (medium_ == Medium::fast_device) {
      link(add("block device", "block device", 0, 1), bus, label_of(server_.bus.pci), true);
      return;
    }
    const DiskArrayParameters& raid = server_.raid;
    const std::size_t controller = add("RAID controller", "RAID controller", 0, 1);
    const std::size_t disks = add("disks", std::to_string(raid.disks) + " disks", 0, 0);
    link(disks, controller, std::to_string(raid.disks) + " x " + label_of(raid.interface), true);
    link(controller, bus, label_of(raid.controller), true);
  }

  void add_nic(std::size_t bus, const std::string& clients) {
    const bool remote = is_remote(path_);
    const std::string memory = std::to_string(server_.nic.sram.count / 1024) + " KiB";
    const std::size_t nic = add("NIC", "NIC, " + memory, 1, 2);
    link(bus, nic, label_of(server_.bus.pci), remote || in_sram(path_));
    if (clients.empty()) return;
    const std::size_t others = boost::add_vertex(Component{"clients", clients, 1, 3}, graph_);
    link(nic, others, label_of(server_.nic.link), remote);
  }

  const StorageServer& server_;
  Medium medium_;
  DataPath path_;
  MachineGraph graph_;
};

}  // namespace

MachineGraph make_storage_graph(const StorageServer& server, Medium medium, DataPath path, const std::string& clients) {
  return Builder{server, medium, path}.build(clients);
}

MachineGraph make_storage_graph(const StorageScenario& scenario) {
  return make_storage_graph(scenario.server, scenario.medium, scenario.path, is_remote(scenario.path) ? "client" : "");
}

}  // namespace doorbell::model
