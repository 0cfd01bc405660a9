// A figure as data: which scenarios are run, what of them is drawn against which reference, and what must hold.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/quantity.hpp"
#include "figures/document.hpp"
#include "figures/expression.hpp"
#include "figures/external.hpp"
#include "figures/reference.hpp"

namespace doorbell::figures {

/// What is read off a run.
struct Metric {
  enum class Kind {
    throughput,
    latency_mean,
    latency_p50,
    latency_p99,
    relative_throughput,
    bandwidth,
    counter,
    batch,
    utilisation,
    level,
    per_operation,
    time_per,
    levels
  };
  Kind kind = Kind::throughput;
  std::string subject;    ///< Name of the counter, the program or the resource, where the kind needs one; for a
                          ///< throughput or latency, of the kind of operations ("reads"), or none for all of them.
  std::string plus = {};  ///< Name of a level that is added to it, if any.
};
/// As in results and references: "throughput", "latency_p99", for a counter its own name ("PCIeRdCur"), "time per" this
/// name for what its rate is the inverse of.
[[nodiscard]] std::string name_of(const Metric& metric);
/// Millions per second, microseconds (also for `levels`), MiB/s, per cent of the series' first point, work requests per
/// call, share of the time.
[[nodiscard]] std::string unit_of(const Metric& metric);

/// x is the value of the sweep axis with this JSON pointer.
struct FromSweep {
  std::string path;
};
/// x is given: the points of the scenario take these in turn; a scenario of one point stands at all of them.
struct Fixed {
  std::vector<Position> positions;
};
/// x is measured in the same run.
struct FromRun {
  Metric metric;
};
/// x is the number that follows the metric's subject in the names of levels: one run gives all points.
struct FromLevels {};
using Abscissa = std::variant<FromSweep, Fixed, FromRun, FromLevels>;

/// Points that are simulated.
struct Simulation {
  std::filesystem::path scenario;
  std::vector<std::pair<std::string, std::string>> overrides;  ///< JSON pointer, value as for `--set`.
  std::vector<std::pair<std::string, std::string>> at;         ///< Only points with these coordinates.
  Metric metric;
  Abscissa x;
  unsigned seeds = 1;  ///< Runs of every point, each with the next seed, whose means count.

  /// Where the figure's file says so, for what only the scenario can tell to be wrong.
  struct Mentions {
    Mention scenario;
    std::vector<Mention> overrides;
    Mention at;
    Mention x;
  };
  Mentions mentions = {};
  std::filesystem::path folder = {};  ///< Of the figure: where files lie that overrides name.
};

/// Points that a formula gives (see closed_form.hpp).
struct ClosedForm {
  std::string quantity;
  std::filesystem::path profile;
  std::vector<Position> positions;
  std::optional<double> size;                    ///< Bytes; without it, x is the size.
  int batch = 1;                                 ///< Work requests per posting call.
  std::optional<Bandwidth> link = std::nullopt;  ///< Data rate of a port, instead of the profile's.
  Mention profile_at = {};
};

enum class Line { none, solid, dashed, dash_dot, dotted };
enum class Marker { none, circle, square, triangle, diamond };

struct Style {
  Line line = Line::solid;
  Marker marker = Marker::circle;  ///< Of the measured points; with none they are not drawn.
  std::optional<int> colour;       ///< Index into the palette; without it, the place in the legend.
  double width = 2;                ///< Points.
};

struct Series {
  std::string name;
  std::string label;
  std::variant<Simulation, ClosedForm> source;
  Style style;
  Mention name_at = {};
};

struct Axis {
  std::string label;
  std::optional<std::pair<double, double>> range;
  std::vector<double> ticks;  ///< Empty: as gnuplot likes.
  int log = 0;                ///< Base of a logarithmic axis, or 0.
};

/// One bar of a bar chart: a point of a series.
struct Bar {
  std::string group;
  std::string label;  ///< In the legend; bars of equal label have equal colour.
  std::string series;
  Position x;
  Mention x_at = {};
};

/// One picture. With bars it is a bar chart, without them a chart of lines.
struct Panel {
  std::string name;
  std::string title;
  Axis x;
  Axis y;
  std::string legend = "top left";
  std::vector<std::string> series;  ///< In legend order.
  std::vector<Bar> bars;
  Mention name_at = {};
};

/// A statement of the source about the figure, checked on every run.
struct Claim {
  std::string id;
  std::string text;
  Value stated;
  Expression expression;  ///< Gives what the simulation says.
  Expression holds_if;    ///< Over `value` and `stated`.
  Mention expression_at = {};
  Mention holds_if_at = {};
  Use use = Use::validation;  ///< Whether parameters were fitted on what it says.
};

struct Figure {
  std::string id;
  std::string title;
  std::string notes;
  std::vector<ReferencePoint> reference;
  std::filesystem::path reference_file;   ///< Where they are from when they are part of the project.
  std::optional<ExternalTable> external;  ///< Where `reference` comes from when it is not part of the project.
  std::vector<Series> series;
  std::vector<Panel> panels;
  std::vector<Claim> claims;
  std::filesystem::path folder;  ///< Where its file is.
  scenario::Location id_at;      ///< Where its file says the id.
};

/// Reads plots/**.json; paths in it are relative to the file.
/// Throws ScenarioError, also for what is wrong in the reference.
[[nodiscard]] Figure read_figure(const std::filesystem::path& file, const std::optional<Mention>& mention = {});

}  // namespace doorbell::figures
