#include "cli/graph_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/graph/graphviz.hpp>
#include <cmath>
#include <sstream>

#include "figures/page.hpp"

namespace doorbell::cli {
namespace {

using model::MachineGraph;

constexpr int box_width = 152;
constexpr int box_height = 40;
constexpr int column_width = 275;
constexpr int row_height = 150;
constexpr int margin = 24;

struct Place {
  int x;
  int y;
};

/// The middle of a component's box.
Place place_of(const model::Component& component) {
  return {margin + box_width / 2 + component.column * column_width,
          margin + box_height / 2 + static_cast<int>(std::lround(component.row * row_height))};
}

std::string line(Place a, Place b, const std::string& label, bool used) {
  return fmt::format(
      "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"/>\n"
      "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\" stroke=\"white\" stroke-width=\"4\" "
      "paint-order=\"stroke\">{}</text>\n",
      a.x, a.y, b.x, b.y, used ? "#d55e00" : "#777777", used ? 3 : 1.5, (a.x + b.x) / 2, (a.y + b.y) / 2 - 4,
      figures::escape_html(label));
}

}  // namespace

std::string as_dot(const MachineGraph& graph) {
  std::ostringstream out;
  const auto name_vertex = [&](std::ostream& stream, const auto& vertex) {
    stream << "[label=" << boost::escape_dot_string(graph[vertex].label) << "]";
  };
  const auto name_edge = [&](std::ostream& stream, const auto& edge) {
    stream << "[label=" << boost::escape_dot_string(graph[edge].label) << (graph[edge].used ? " penwidth=3]" : "]");
  };
  const auto settings = [](std::ostream& stream) { stream << "rankdir=LR;\nnode [shape=box];\n"; };
  const auto ids = [&](const auto& vertex) { return graph[vertex].name; };
  std::vector<std::string> names;
  for (const auto vertex : boost::make_iterator_range(boost::vertices(graph))) names.push_back(ids(vertex));
  boost::write_graphviz(out, graph, name_vertex, name_edge, settings,
                        boost::make_iterator_property_map(names.begin(), boost::get(boost::vertex_index, graph)));
  return out.str();
}

std::string as_svg(const MachineGraph& graph) {
  std::string lines;
  std::string boxes;
  int width = 0;
  int height = 0;
  for (const auto edge : boost::make_iterator_range(boost::edges(graph))) {
    const auto from = boost::source(edge, graph);
    const auto to = boost::target(edge, graph);
    const auto back = boost::edge(to, from, graph);
    if (back.second && from > to) continue;  // drawn with its other direction
    std::string label = graph[edge].label;
    if (back.second && graph[back.first].label != label) label += " / " + graph[back.first].label;
    lines += line(place_of(graph[from]), place_of(graph[to]), label, graph[edge].used);
  }
  for (const auto vertex : boost::make_iterator_range(boost::vertices(graph))) {
    const Place place = place_of(graph[vertex]);
    width = std::max(width, place.x + box_width / 2 + margin);
    height = std::max(height, place.y + box_height / 2 + margin);
    boxes += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"5\" fill=\"#e8f1f8\" stroke=\"#0072b2\"/>\n"
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\">{}</text>\n",
        place.x - box_width / 2, place.y - box_height / 2, box_width, box_height, place.x, place.y + 4,
        figures::escape_html(graph[vertex].label));
  }
  return fmt::format(
             "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
             "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
             width, height) +
         lines + boxes + "</svg>\n";
}

}  // namespace doorbell::cli
