// The vocabulary of our gnuplot scripts: terminals, axes, colours, quoting.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figures/definition.hpp"

namespace doorbell::figures {

/// A quoted string that gnuplot shows exactly as `text` is.
[[nodiscard]] std::string gnuplot_text(std::string_view text);
/// A number, or NaN, which gnuplot leaves out.
[[nodiscard]] std::string gnuplot_number(std::optional<double> number);
/// So many colours are there before they repeat.
inline constexpr std::size_t palette_size = 8;
/// Eight colours that people with any colour vision can tell apart (Okabe and Ito 2008), by index modulo eight.
[[nodiscard]] std::string_view palette_colour(int index);

/// Frame, grid, title and legend.
[[nodiscard]] std::string common_commands(const std::string& title, const std::string& legend);
/// `name` is "x" or "y".
[[nodiscard]] std::string axis_commands(std::string_view name, const Axis& axis);
/// Terminal and output; `width` in pixels of the SVG, the PNG has twice as many. Both set `marker`, a factor for point
/// sizes, and `small_font`, because the two terminals scale markers and fonts differently.
[[nodiscard]] std::string svg_terminal(int width);
[[nodiscard]] std::string png_terminal(int width);
[[nodiscard]] std::string plot_command(const std::vector<std::string>& plots);

/// What a script draws on the two terminals.
struct Drawing {
  std::string svg;
  std::string png;
};

/// Throws std::runtime_error when there is no gnuplot that works.
void require_gnuplot();

/// Runs gnuplot on `script`. Nothing of it touches the disk, so that a full one cannot leave half a picture.
/// Throws std::runtime_error with gnuplot's first complaint, or when there is no gnuplot.
[[nodiscard]] Drawing run_gnuplot(const std::string& script);

}  // namespace doorbell::figures
