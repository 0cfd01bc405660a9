#include "models/dma/dma_graph.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <string>

#include "models/memory/cache_line.hpp"

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
  const bool by_cache = writes || scenario.cached != Warmth::cold;
  connect(graph, root, cache, Link{"writes", by_cache}, Link{"reads", by_cache});
  boost::add_edge(memory, root, Link{"reads that miss", reads && scenario.cached == Warmth::cold}, graph);
  boost::add_edge(cache, memory, Link{"what leaves it", writes}, graph);
  if (const auto& channels = scenario.hardware.memory.channels) {
    const double rate = static_cast<double>(cache_line.count) / to_seconds(channels->line) * channels->channels;
    graph[memory].label = std::to_string(channels->channels) + " channels, " + label_of(Bandwidth{rate});
  }
  if (scenario.cores) {
    const int count = scenario.cores->count;
    const auto cores = part("cores", std::to_string(count) + (count == 1 ? " core" : " cores"), lower, 3);
    connect(graph, cores, memory, Link{"changed", true}, Link{"lines", true});
  }
  return graph;
}

}  // namespace doorbell::model
