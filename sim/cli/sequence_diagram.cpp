#include "cli/sequence_diagram.hpp"

#include <fmt/format.h>

#include <array>

namespace doorbell::cli {
namespace {

using model::PathStep;
using model::Resource;
using model::Side;
using model::TlpKind;

constexpr int step_height = 34;
constexpr int top = 96;
constexpr int picture_width = 860;
constexpr std::array<int, 4> lanes{90, 310, 550, 770};  // host, NIC; NIC, host

struct Arrow {
  int from;
  int to;
  double thickness;
  std::string_view colour;
  bool dashed;
  std::string label;
};

std::string frequency(const model::VerbPath& path, const PathStep& step) {
  switch (step.per) {
    case model::Per::call:
      return path.operation.batch > 1 ? fmt::format(", once per {} WQEs", path.operation.batch) : std::string{};
    case model::Per::signal:
      return path.operation.signal_every > 1 ? fmt::format(", once in {}", path.operation.signal_every) : std::string{};
    case model::Per::prefetch: return fmt::format(", once in {:g}", path.prefetch);
    case model::Per::operation: return {};
  }
  return {};
}

/// The arrow of a step, if it moves something between two parts.
bool arrow_of(const model::VerbPath& path, const PathStep& step, Arrow& arrow) {
  const bool requester = step.side == Side::requester;
  const int host = requester ? lanes[0] : lanes[3];
  const int nic = requester ? lanes[1] : lanes[2];
  if (step.resource == Resource::port_transmit) {
    arrow = {nic,  requester ? lanes[2] : lanes[1],
             1.6,  "#555555",
             true, fmt::format("{}, {} B", step.label, step.network.count)};
    return true;
  }
  if (!step.tlps) return false;
  const std::string bytes =
      fmt::format("{} TLP{}, {} B", step.tlps->tlps, step.tlps->tlps == 1 ? "" : "s", step.tlps->wire.count);
  const std::string often = frequency(path, step);
  switch (step.tlps->kind) {
    case TlpKind::memory_read:
      arrow = {nic, host, 3.6, "#0072b2", false, fmt::format("{}: {}{}", step.label, bytes, often)};
      break;
    case TlpKind::completion: arrow = {host, nic, 3.6, "#0072b2", false, bytes}; break;
    case TlpKind::memory_write:
      if (step.resource == Resource::pcie_downstream) {
        arrow = {host, nic, 1.2, "#d55e00", false, fmt::format("{}: {}{}", step.label, bytes, often)};
      } else {
        arrow = {nic, host, 2.2, "#009e73", false, fmt::format("{}: {}{}", step.label, bytes, often)};
      }
      break;
  }
  return true;
}

std::string draw(const Arrow& arrow, int y) {
  const int head = arrow.to > arrow.from ? -9 : 9;
  const int slope = 8;
  std::string svg = fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{}\" stroke-width=\"{}\"{}/>\n",
                                arrow.from, y, arrow.to + head, y + slope, arrow.colour, arrow.thickness,
                                arrow.dashed ? " stroke-dasharray=\"6 4\"" : "");
  svg += fmt::format("<path d=\"M{} {} l{} -5 l0 10 z\" fill=\"{}\"/>\n", arrow.to, y + slope, head, arrow.colour);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\">{}</text>\n",
                     (arrow.from + arrow.to) / 2, y - 6, arrow.label);
  return svg;
}

}  // namespace

std::string title_of(const model::Operation& operation) {
  const auto& transports = model::EnumNames<model::Transport>::values;
  const auto& verbs = model::EnumNames<model::Verb>::values;
  const bool carries = model::carries_payload(operation.verb);
  const bool by_mmio = operation.method == model::PostMethod::mmio;
  const std::string_view by_doorbell = operation.last_by_mmio ? "last WQE by MMIO" : "doorbell";
  return fmt::format("{} {}, {} B{}, {}{}", transports[static_cast<std::size_t>(operation.transport)],
                     verbs[static_cast<std::size_t>(operation.verb)], operation.payload.count,
                     carries && operation.inlined && operation.payload > Bytes{0} ? " inline" : "",
                     by_mmio ? "WQE by MMIO" : by_doorbell,
                     operation.batch > 1 ? fmt::format(", batch {}", operation.batch) : std::string{});
}

std::string sequence_diagram(const model::VerbPath& path) {
  std::string arrows;
  int y = top;
  for (const PathStep& step : path.steps) {
    Arrow arrow{};
    if (!arrow_of(path, step, arrow)) continue;
    arrows += draw(arrow, y);
    y += step_height;
  }
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
      "font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"{2}\" y=\"26\" text-anchor=\"middle\" font-size=\"16\" font-weight=\"bold\">{3}</text>\n",
      picture_width, y + 16, picture_width / 2, title_of(path.operation));
  constexpr std::array<std::string_view, 4> names{"requester's host", "requester's NIC", "responder's NIC",
                                                  "responder's host"};
  for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
    svg += fmt::format(
        "<text x=\"{0}\" y=\"56\" text-anchor=\"middle\" font-size=\"13\">{1}</text>\n"
        "<line x1=\"{0}\" y1=\"66\" x2=\"{0}\" y2=\"{2}\" stroke=\"#999999\"/>\n",
        lanes[lane], names[lane], y);
  }
  return svg + arrows + "</svg>\n";
}

}  // namespace doorbell::cli
