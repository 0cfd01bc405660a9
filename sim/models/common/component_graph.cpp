#include "models/common/component_graph.hpp"

#include <array>
#include <boost/graph/breadth_first_search.hpp>
#include <cstdio>
#include <vector>

namespace doorbell::model {
namespace {

using Vertex = boost::graph_traits<MachineGraph>::vertex_descriptor;

Vertex find(const MachineGraph& graph, const std::string& name) {
  for (const Vertex vertex : boost::make_iterator_range(boost::vertices(graph))) {
    if (graph[vertex].name == name) return vertex;
  }
  return boost::graph_traits<MachineGraph>::null_vertex();
}

}  // namespace

std::string label_of(Bandwidth bandwidth) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f GB/s", bandwidth.bytes_per_second / 1e9);
  return text.data();
}

void connect(MachineGraph& graph, std::size_t a, std::size_t b, const Link& there, const Link& back) {
  boost::add_edge(a, b, there, graph);
  boost::add_edge(b, a, back, graph);
}

bool reaches(const MachineGraph& graph, const std::string& from, const std::string& to) {
  const Vertex start = find(graph, from);
  const Vertex end = find(graph, to);
  const Vertex none = boost::graph_traits<MachineGraph>::null_vertex();
  if (start == none || end == none) return false;
  std::vector<boost::default_color_type> colours(boost::num_vertices(graph));
  const auto map = boost::make_iterator_property_map(colours.begin(), boost::get(boost::vertex_index, graph));
  boost::breadth_first_search(graph, start, boost::color_map(map));
  return colours[end] != boost::white_color;
}

}  // namespace doorbell::model
