#include "models/dma_graph.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <string>

namespace doorbell::model {

MachineGraph make_dma_graph(const DmaScenario& scenario) {
  const PcieParameters& pcie = scenario.hardware.pcie;
  MachineGraph graph;
  const auto part = [&](const std::string& name, const std::string& label, double row, int column) {
    return boost::add_vertex(Component{name, label, row, column}, graph);
  };
  constexpr double lower = 0.47;
  const auto device = part("device", scenario.commands ? "device" : "device, DMA engine", 0, 0);
  const auto root =
      part("root complex", scenario.iommu_page > Bytes{0} ? "root complex, IOMMU" : std::string{"root complex"}, 0, 1);
  const auto cache = part("cache", "last-level cache", 0, 2);
  const auto memory = part("memory", scenario.remote ? "memory of another socket" : "memory", lower, 2);
  const std::string link = std::to_string(pcie.lanes) + " lanes, " + label_of(link_bandwidth(pcie));
  const bool reads = scenario.work != DmaWork::write;
  const bool writes = scenario.work != DmaWork::read;
  boost::add_edge(device, root, Link{link, true}, graph);
  boost::add_edge(root, device, Link{link, reads}, graph);
  boost::add_edge(root, cache, Link{"writes", writes}, graph);
  boost::add_edge(cache, root, Link{"reads", reads}, graph);
  boost::add_edge(memory, root, Link{"reads that miss", reads}, graph);
  boost::add_edge(cache, memory, Link{"evictions", writes}, graph);
  return graph;
}

}  // namespace doorbell::model
