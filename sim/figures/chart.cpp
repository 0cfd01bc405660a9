#include "figures/chart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "figures/bar_chart.hpp"
#include "figures/evaluate.hpp"
#include "figures/gnuplot.hpp"
#include "figures/sweep_position.hpp"

namespace doorbell::figures {
namespace {

std::string dash_of(Line line) {
  switch (line) {
    case Line::none:  // Has none to draw.
    case Line::solid: return "dt 1";
    case Line::dashed: return "dt (8,5)";
    case Line::dash_dot: return "dt (10,4,2,4)";
    case Line::dotted: break;
  }
  return "dt (2,3)";
}

struct PointTypes {
  int open;
  int filled;
};
PointTypes point_types(Marker marker) {
  switch (marker) {
    case Marker::square: return {4, 5};
    case Marker::triangle: return {8, 9};
    case Marker::diamond: return {12, 13};
    case Marker::none:
    case Marker::circle: break;
  }
  return {6, 7};
}

/// Colours repeat after so many series; what tells them apart then is the line and the marker, unless the figure says
/// which.
Style style_at(std::size_t place, Style style) {
  const std::size_t round = place / palette_size;
  if (style.colour) return style;
  constexpr std::array dashes{Line::solid, Line::dashed, Line::dash_dot, Line::dotted};
  constexpr std::array shapes{Marker::circle, Marker::square, Marker::triangle, Marker::diamond};
  if (style.line == Line::solid) style.line = dashes.at(round % dashes.size());
  if (style.marker == Marker::circle) style.marker = shapes.at(round % shapes.size());
  return style;
}

/// How gnuplot draws what is simulated, or the line of a formula.
std::string drawn_with(const Style& style, bool with_points, std::string_view colour) {
  const bool has_line = style.line != Line::none;
  const std::string line = has_line ? fmt::format(" {}", dash_of(style.line)) : "";
  if (!with_points && has_line) return fmt::format("lines lw {}{} lc rgb '{}'", style.width, line, colour);
  return fmt::format("{} lw {}{} pt {} ps 0.45*marker lc rgb '{}'", has_line ? "linespoints" : "points", style.width,
                     line, point_types(style.marker).filled, colour);
}

const Series& series_named(const Figure& figure, const std::string& name) {
  return *std::find_if(figure.series.begin(), figure.series.end(),
                       [&](const Series& series) { return series.name == name; });
}

/// Columns: x, simulated, measured, uncertainty, closed form.
std::string data_block(std::size_t index, const std::string& name, const FigureResult& result) {
  std::string block = fmt::format("$series{} << EOD\n", index);
  for (const PointResult& point : result.points) {
    if (point.series != name) continue;
    const auto* x = std::get_if<double>(&point.x);
    if (x == nullptr) {
      throw DefinitionError{fmt::format("figure {}: '{}' stands at '{}', but a chart of lines needs numbers", result.id,
                                        name, to_string(point.x))};
    }
    block += fmt::format("{} {} {} {} {}\n", *x, gnuplot_number(point.simulated), gnuplot_number(point.measured),
                         gnuplot_number(point.measured_uncertainty), gnuplot_number(point.analytic));
  }
  return block + "EOD\n";
}

std::string line_chart(const Figure& figure, const Panel& panel, const FigureResult& result) {
  std::string data;
  std::vector<std::string> closed_forms;  // Drawn first, hence below.
  std::vector<std::string> simulations;
  std::vector<std::string> measurements;
  bool has_markers = false;
  bool has_simulation = false;
  for (std::size_t i = 0; i < panel.series.size(); ++i) {
    const Series& series = series_named(figure, panel.series[i]);
    const Style style = style_at(i, series.style);
    const bool is_formula = std::holds_alternative<ClosedForm>(series.source);
    const std::string_view colour = palette_colour(style.colour.value_or(static_cast<int>(i)));
    data += data_block(i, series.name, result);

    const auto of_series = [&](const PointResult& point) { return point.series == series.name; };
    const bool bounded = !is_formula && std::any_of(result.points.begin(), result.points.end(), [&](const auto& point) {
      return of_series(point) && point.analytic;
    });
    if (bounded) {
      closed_forms.push_back(
          fmt::format("$series{} using 1:5 with lines lw 1.3 dt (6,4) lc rgb '{}' notitle", i, colour));
    }
    const std::string title = gnuplot_text(series.label);
    has_simulation = has_simulation || !is_formula;
    simulations.push_back(
        fmt::format("$series{} using 1:2 with {} title {}", i, drawn_with(style, !is_formula, colour), title));
    const bool measured = style.marker != Marker::none &&
                          std::any_of(result.points.begin(), result.points.end(),
                                      [&](const PointResult& point) { return of_series(point) && point.measured; });
    if (measured) {
      has_markers = true;
      measurements.push_back(
          fmt::format("$series{} using 1:3:4 with yerrorbars lw 1.4 pt {} ps 1.1*marker lc rgb '{}' notitle", i,
                      point_types(style.marker).open, colour));
    }
  }

  std::vector<std::string> plots = closed_forms;
  plots.insert(plots.end(), simulations.begin(), simulations.end());
  plots.insert(plots.end(), measurements.begin(), measurements.end());
  if (has_simulation && (has_markers || !closed_forms.empty()))
    plots.push_back("NaN with linespoints lw 2 dt 1 pt 7 ps 0.45*marker lc rgb '#777777' title 'simulated'");
  if (has_markers) {
    plots.push_back(fmt::format("NaN with points pt 6 ps 1.1*marker lw 1.4 lc rgb '#777777' title '{}'",
                                has_simulation ? "measured" : "published"));
  }
  if (!closed_forms.empty()) plots.push_back("NaN with lines lw 1.3 dt (6,4) lc rgb '#777777' title 'closed form'");
  return data + axis_commands("x", panel.x) + axis_commands("y", panel.y) + plot_command(plots);
}

bool is_drawn(const PointResult& point, bool with_measured) {
  const auto is_number = [](std::optional<double> value) { return value && std::isfinite(*value); };
  const auto* x = std::get_if<double>(&point.x);
  return (x == nullptr || std::isfinite(*x)) &&
         (is_number(point.simulated) || is_number(point.analytic) || (with_measured && is_number(point.measured)));
}

/// Gnuplot finds no range for an axis by itself where no point has a number, and gives up.
Panel with_ranges(Panel panel, const Figure& figure, const FigureResult& result) {
  const auto shows = [&](const PointResult& point) {
    const bool is_bar = std::ranges::any_of(
        panel.bars, [&](const Bar& bar) { return bar.series == point.series && same(bar.x, point.x); });
    if (is_bar) return is_drawn(point, true);
    if (std::ranges::find(panel.series, point.series) == panel.series.end()) return false;
    return is_drawn(point, series_named(figure, point.series).style.marker != Marker::none);
  };
  if (std::ranges::any_of(result.points, shows)) return panel;
  for (Axis* axis : {&panel.x, &panel.y}) {
    if (axis->range) continue;
    axis->range = axis->log > 0 ? std::pair{1.0, static_cast<double>(axis->log)} : std::pair{0.0, 1.0};
    if (axis->ticks.empty()) continue;
    const auto [least, most] = std::ranges::minmax(axis->ticks);
    if (least < most) axis->range = {least, most};
  }
  return panel;
}

}  // namespace

std::string gnuplot_script(const Figure& figure, const Panel& as_told, const FigureResult& result) {
  const Panel panel = with_ranges(as_told, figure, result);
  std::string script = common_commands(panel.title, panel.legend);
  const std::string body = panel.bars.empty() ? line_chart(figure, panel, result) : bar_chart(panel, result);
  const int width = panel.bars.size() > 6 ? 960 : 720;
  script += svg_terminal(width) + body + png_terminal(width) + "replot\nunset output\n";
  return script;
}

}  // namespace doorbell::figures
