#include "figures/bar_chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "figures/evaluate.hpp"
#include "figures/gnuplot.hpp"

namespace doorbell::figures {
namespace {

struct PlacedBar {
  double x = 0;
  std::size_t label = 0;
  const PointResult* point = nullptr;
};

struct Layout {
  std::vector<PlacedBar> bars;
  std::vector<std::string> labels;
  std::vector<std::pair<double, std::string>> groups;  ///< Centre and name.
  double right = 0;
};

/// gnuplot takes labels of ticks as formats of numbers.
std::string as_format(const std::string& text) {
  std::string format;
  for (const char c : text) format += c == '%' ? "%%" : std::string(1, c);
  return format;
}

/// Where `name` stands in `names`, appended if it is new.
std::size_t index_of(std::vector<std::string>& names, const std::string& name) {
  const auto match = std::find(names.begin(), names.end(), name);
  if (match != names.end()) return static_cast<std::size_t>(match - names.begin());
  names.push_back(name);
  return names.size() - 1;
}

Layout place(const Panel& panel, const FigureResult& result) {
  constexpr double gap = 0.6;
  Layout layout;
  double x = 0;
  for (std::size_t i = 0; i < panel.bars.size();) {
    const std::string& group = panel.bars[i].group;
    const double left = x;
    for (; i < panel.bars.size() && panel.bars[i].group == group; ++i, x += 1) {
      const Bar& bar = panel.bars[i];
      const PointResult* point = result.find(bar.series, bar.x);
      if (point == nullptr) {
        throw DefinitionError{fmt::format("figure {}: a bar names '{}' at {}, which is not simulated", result.id,
                                          bar.series, to_string(bar.x))};
      }
      layout.bars.push_back({x, index_of(layout.labels, bar.label), point});
    }
    layout.groups.emplace_back((left + x - 1) / 2, group);
    x += gap;
  }
  layout.right = x - gap;
  return layout;
}

bool is_simulated(const PlacedBar& bar) { return bar.point->outcome != nullptr; }

std::string short_number(double value) {
  const double size = std::abs(value);
  return fmt::format("{:.{}f}", value, size < 0.1 ? 4 : size < 10 ? 2 : size < 1000 ? 1 : 0);
}

/// Columns: x, simulated, measured, uncertainty, closed form, height of the numbers, numbers.
std::string data_block(std::size_t label, const Layout& layout) {
  std::string block = fmt::format("$label{} << EOD\n", label);
  for (const PlacedBar& bar : layout.bars) {
    if (bar.label != label) continue;
    const PointResult& point = *bar.point;
    const double top = std::max({point.simulated, point.measured.value_or(0) + point.measured_uncertainty.value_or(0),
                                 is_simulated(bar) ? point.analytic.value_or(0) : 0});
    std::string numbers = short_number(point.simulated);
    if (point.measured) numbers += fmt::format("\n({})", short_number(*point.measured));
    block += fmt::format("{} {} {} {} {} {} {}\n", bar.x, gnuplot_number(point.simulated),
                         gnuplot_number(point.measured), gnuplot_number(point.measured_uncertainty),
                         gnuplot_number(point.analytic), gnuplot_number(top), gnuplot_text(numbers));
  }
  return block + "EOD\n";
}

}  // namespace

std::string bar_chart(const Panel& panel, const FigureResult& result) {
  const Layout layout = place(panel, result);
  std::string commands;
  std::vector<std::string> plots;
  for (std::size_t i = 0; i < layout.labels.size(); ++i) {
    commands += data_block(i, layout);
    // Colours repeat after so many labels; what tells the bars apart then is the filling.
    const std::size_t round = i / palette_size;
    const std::string filling = round == 0 ? "solid 0.55" : fmt::format("pattern {}", round);
    plots.push_back(fmt::format("$label{} using 1:2 with boxes fs {} border lw 1 lc rgb '{}' title {}", i, filling,
                                palette_colour(static_cast<int>(i)), gnuplot_text(layout.labels[i])));
  }
  const auto any = [&](auto has) { return std::any_of(layout.bars.begin(), layout.bars.end(), has); };
  const bool has_simulated = any(is_simulated);
  const bool has_closed_form =
      has_simulated && any([](const PlacedBar& bar) { return bar.point->analytic.has_value(); });
  const bool has_measured = any([](const PlacedBar& bar) { return bar.point->measured.has_value(); });
  for (std::size_t i = 0; i < layout.labels.size(); ++i) {
    if (has_closed_form) {
      plots.push_back(fmt::format(
          "$label{} using ($1-0.42):5:(0.84):(0) with vectors nohead lw 1.6 dt (6,4) lc rgb '#222222' notitle", i));
    }
    if (has_measured) {
      plots.push_back(
          fmt::format("$label{} using 1:3:4 with yerrorbars pt 12 ps 1.2*marker lw 1.4 lc rgb '#000000' notitle", i));
    }
    plots.push_back(fmt::format(
        "$label{} using 1:6:7 with labels center offset 0,1.6 font small_font textcolor rgb '#222222' notitle", i));
  }
  if (has_measured) {
    plots.push_back(fmt::format("NaN with points pt 12 ps 1.2*marker lw 1.4 lc rgb '#000000' title '({})'",
                                has_simulated ? "measured" : "published"));
  }
  if (has_closed_form) plots.push_back("NaN with lines lw 1.6 dt (6,4) lc rgb '#222222' title 'closed form'");

  std::vector<std::string> ticks;
  for (const auto& [centre, name] : layout.groups) {
    ticks.push_back(fmt::format("{} {}", gnuplot_text(as_format(name)), centre));
  }
  const bool two_lines = std::any_of(layout.groups.begin(), layout.groups.end(),
                                     [](const auto& group) { return group.second.find('\n') != std::string::npos; });
  std::string list;
  for (const std::string& tick : ticks) list += (list.empty() ? "" : ", ") + tick;
  Axis x = panel.x;
  x.range = {-0.9, layout.right - 0.1};
  x.ticks.clear();
  commands += axis_commands("x", x) + axis_commands("y", panel.y);
  commands += fmt::format("set xtics ({}) scale 0\nset boxwidth 0.84\n", list);
  if (two_lines) commands += fmt::format("set bmargin {}\nset xlabel offset 0,-0.9\n", panel.x.label.empty() ? 3.4 : 5);
  return commands + plot_command(plots);
}

}  // namespace doorbell::figures
