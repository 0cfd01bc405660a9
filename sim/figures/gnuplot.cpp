#include "figures/gnuplot.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <sstream>
#include <stdexcept>

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX asks programs to declare it.

namespace doorbell::figures {
namespace {

constexpr int height = 480;
constexpr std::array<std::string_view, palette_size> palette{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                             "#E69F00", "#56B4E9", "#000000", "#777777"};

// Where gnuplot finds its files.
constexpr int script_descriptor = 3;
constexpr int svg_descriptor = 4;
constexpr int png_descriptor = 5;

std::string name_of(int descriptor) { return fmt::format("/dev/fd/{}", descriptor); }

/// A file in memory, without a name that anybody else could find.
class MemoryFile {
 public:
  MemoryFile() {
    const int made = ::memfd_create("doorbell", MFD_CLOEXEC);
    // Out of the way of the numbers that gnuplot gets, or one of those would replace it.
    descriptor_ = made < 0 ? -1 : ::fcntl(made, F_DUPFD_CLOEXEC, png_descriptor + 1);
    if (made >= 0) ::close(made);
    if (descriptor_ < 0) throw std::runtime_error{"no memory for a picture"};
  }
  ~MemoryFile() { ::close(descriptor_); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  [[nodiscard]] int descriptor() const { return descriptor_; }

  void write(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno != EINTR) throw std::runtime_error{"no memory for a picture"};
      if (written > 0) text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  [[nodiscard]] std::string content() const {
    std::string content;
    std::array<char, 65536> part{};
    for (ssize_t got = 0;
         (got = ::pread(descriptor_, part.data(), part.size(), static_cast<off_t>(content.size()))) > 0;)
      content.append(part.data(), static_cast<std::size_t>(got));
    return content;
  }

 private:
  int descriptor_;
};

std::string first_complaint(const std::string& errors) {
  std::istringstream lines{errors};
  std::string line;
  while (std::getline(lines, line)) {
    // Gnuplot puts the line of the script and a caret before the message.
    if (line.find("line ") != std::string::npos || line.find("rror") != std::string::npos) return line;
  }
  return "no message";
}

}  // namespace

std::string gnuplot_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '\n') {
      quoted += "\\n";
    } else {
      if (c == '"' || c == '\\' || c == '`') quoted += '\\';
      quoted += c;
    }
  }
  return quoted + '"';
}

std::string gnuplot_number(std::optional<double> number) {
  return number && std::isfinite(*number) ? fmt::format("{}", *number) : "NaN";
}

std::string_view palette_colour(int index) { return palette.at(static_cast<std::size_t>(index) % palette.size()); }

std::string common_commands(const std::string& title, const std::string& legend) {
  const std::string place = legend == "above" ? "above horizontal" : fmt::format("inside {} vertical", legend);
  std::string commands =
      "set encoding utf8\n"
      "set datafile missing 'NaN'\n"
      "set border 3 lw 1 lc rgb '#444444'\n"
      "set tics nomirror out scale 0.6 textcolor rgb '#222222'\n"
      "set grid ytics lt 1 lw 0.6 lc rgb '#dddddd'\n"
      "set errorbars small\n";
  commands += fmt::format("set key {} Left reverse samplen 2.5 spacing 1.05 width 1\n", place);
  if (!title.empty()) commands += fmt::format("set title {}\n", gnuplot_text(title));
  return commands;
}

std::string axis_commands(std::string_view name, const Axis& axis) {
  std::string commands = fmt::format("set {}label {}\n", name, gnuplot_text(axis.label));
  // A logarithm is rounded, so that a tick at the very end may lie behind it.
  const std::string_view end = axis.log > 0 && !axis.ticks.empty() ? " * (1 + 1e-6)" : "";
  if (axis.range) {
    commands += fmt::format("set {}range [{}:{}{}]\n", name, axis.range->first, axis.range->second, end);
  } else if (!end.empty()) {
    commands += fmt::format("set {}range [*:{}{} < *]\n", name, std::ranges::max(axis.ticks), end);
  }
  // 12 M rather than 1.2e+07.
  if (axis.range && axis.log == 0 && axis.range->second >= 1e5)
    commands += fmt::format("set format {} '%.0s %c'\n", name);
  if (axis.log > 0) commands += fmt::format("set logscale {} {}\n", name, axis.log);
  // 1Ki, 32Ki, 1Mi: places that gnuplot chooses on such an axis are powers of two.
  if (axis.log == 2 && axis.ticks.empty()) commands += fmt::format("set format {} '%.0b%B'\n", name);
  if (!axis.ticks.empty()) commands += fmt::format("set {}tics ({})\n", name, fmt::join(axis.ticks, ", "));
  return commands;
}

std::string svg_terminal(int width) {
  return fmt::format(
      "set terminal svg size {},{} noenhanced font 'Helvetica,15' background rgb 'white'\nset output {}\n"
      "marker = 0.72\nsmall_font = ',13'\n",
      width, height, gnuplot_text(name_of(svg_descriptor)));
}

std::string png_terminal(int width) {
  return fmt::format(
      "set terminal pngcairo size {},{} noenhanced font 'DejaVu Sans,11' fontscale 2 linewidth 2 pointscale 2 "
      "background rgb 'white'\nset output {}\nmarker = 1.0\nsmall_font = ',9.5'\n",
      2 * width, 2 * height, gnuplot_text(name_of(png_descriptor)));
}

std::string plot_command(const std::vector<std::string>& plots) {
  return fmt::format("plot {}\n", fmt::join(plots, ", \\\n     "));
}

Drawing run_gnuplot(const std::string& script) {
  const MemoryFile input;
  const MemoryFile svg;
  const MemoryFile png;
  const MemoryFile errors;
  input.write(script);

  std::string program = "gnuplot";
  std::string argument = name_of(script_descriptor);
  std::array<char*, 3> arguments{program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, errors.descriptor(), STDERR_FILENO);
  posix_spawn_file_actions_adddup2(&actions, input.descriptor(), script_descriptor);
  posix_spawn_file_actions_adddup2(&actions, svg.descriptor(), svg_descriptor);
  posix_spawn_file_actions_adddup2(&actions, png.descriptor(), png_descriptor);
  pid_t process = 0;
  const int spawned = posix_spawnp(&process, program.c_str(), &actions, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (spawned != 0) throw std::runtime_error{"gnuplot cannot be started; install the package gnuplot-nox"};
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {}
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
    throw std::runtime_error{fmt::format("gnuplot failed: {}", first_complaint(errors.content()))};
  }
  return {svg.content(), png.content()};
}

void require_gnuplot() { static_cast<void>(run_gnuplot("exit\n")); }

}  // namespace doorbell::figures
