#include "calibrate/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "figures/document.hpp"
#include "scenario/form.hpp"

namespace doorbell::calibrate {
namespace {

using figures::DefinitionError;
using figures::Node;
using scenario::ErrorCode;

constexpr std::array<std::string_view, 2> methods{"closed_form", "simulation"};

struct Quantity {
  double value = 0;  ///< In base units.
  scenario::Dimension dimension = scenario::Dimension::number;
};

/// A number, or a quantity with its unit: the profile's own spelling.
Quantity quantity(const Node& node) {
  if (node.is_number()) return {.value = node.number()};
  const scenario::Dimension dimension = dimension_of(node.text());
  if (dimension == scenario::Dimension::number) {
    node.fail(ErrorCode::malformed_quantity, "a number, a time, a size, a bandwidth or a rate");
  }
  const double value = std::get<double>(scenario::parse_quantity(node.text(), dimension));
  return {dimension == scenario::Dimension::time ? to_seconds(Time{std::llround(value)}) : value, dimension};
}

/// The same, of the dimension that the unknown's first one has.
double quantity_of(const Node& node, Unknown& unknown) {
  const Quantity read = quantity(node);
  if (unknown.places.empty()) {
    unknown.dimension = read.dimension;
  } else if (read.dimension != unknown.dimension) {
    node.fail(read.dimension == scenario::Dimension::number ? ErrorCode::missing_unit : ErrorCode::wrong_dimension,
              std::string{scenario::dimension_name(unknown.dimension)});
  }
  unknown.places.push_back(node.mention());
  return read.value;
}

Unknown read_unknown(const Node& node) {
  node.expect_keys({"path", "start", "min", "max", "values"});
  Unknown unknown;
  unknown.pointer = node.at("path").text();
  unknown.mention = node.at("path").mention();
  if (const auto values = node.find("values")) {
    for (const Node& value : values->elements()) unknown.values.push_back(quantity_of(value, unknown));
    if (unknown.values.empty()) values->fail(ErrorCode::wrong_type, "at least one value");
    return unknown;
  }
  unknown.start = quantity_of(node.at("start"), unknown);
  unknown.min = quantity_of(node.at("min"), unknown);
  unknown.max = quantity_of(node.at("max"), unknown);
  if (!(unknown.min > 0)) node.at("min").fail(ErrorCode::out_of_range, "a positive number");
  if (!(unknown.min < unknown.max)) node.at("max").fail(ErrorCode::out_of_range, "a number above min");
  if (!(unknown.min <= unknown.start && unknown.start <= unknown.max)) {
    node.at("start").fail(ErrorCode::out_of_range, "a start between min and max");
  }
  return unknown;
}

figures::Position position_of(const Node& node) {
  if (node.is_number()) return node.number();
  return node.text();
}

class PlanReader {
 public:
  PlanReader(const std::filesystem::path& file, const std::optional<std::filesystem::path>& external, Plan& plan)
      : folder_{file.parent_path()}, external_{external}, plan_{plan} {}

  Stage stage(const Node& node) {
    node.expect_keys({"name", "method", "unknowns", "observations"});
    Stage stage;
    stage.name = node.at("name").text();
    // Points and parameters are told apart by the names of their stages.
    if (!names_.insert(stage.name).second) node.at("name").fail(ErrorCode::named_twice, "a name of this stage alone");
    if (const auto method = node.find("method")) stage.method = static_cast<Method>(method->one_of(methods));
    std::set<std::string> found;
    for (const Node& element : node.at("unknowns").elements()) {
      Unknown unknown = read_unknown(element);
      if (!found.insert(unknown.pointer).second) {
        element.at("path").fail(ErrorCode::duplicate_key, "a parameter that the stage does not find already");
      }
      if (!found_.insert(unknown.pointer).second) {
        element.at("path").fail(ErrorCode::named_twice, "a parameter that no earlier stage finds");
      }
      stage.unknowns.push_back(std::move(unknown));
    }
    for (const Node& observation : node.at("observations").elements()) observe(observation, stage);
    if (stage.unknowns.empty()) node.at("unknowns").fail(ErrorCode::wrong_type, "at least one unknown");
    if (stage.observations.empty()) node.at("observations").fail(ErrorCode::wrong_type, "at least one observation");
    const auto listed = [](const Unknown& unknown) { return !unknown.values.empty(); };
    if (std::ranges::any_of(stage.unknowns, listed) && !std::ranges::all_of(stage.unknowns, listed)) {
      node.at("unknowns").fail(ErrorCode::missing_key, "\"values\" of all unknowns of a stage or of none", "some");
    }
    return stage;
  }

 private:
  void observe(const Node& node, Stage& stage) {
    node.expect_keys({"figure", "series", "x"});
    const figures::Figure& figure = figure_of(node.at("figure"));
    const std::string series = node.at("series").text();
    for (const Node& element : node.at("x").elements()) {
      const figures::Position x = position_of(element);
      const auto point = point_of(figure, series, x);
      if (point == figure.reference.end()) {
        require_series(node.at("series"), figure);
        element.fail(ErrorCode::no_such_point,
                     fmt::format("a point of {} in the reference of {}", scenario::in_quotes(series), figure.id));
      }
      if (point->use != figures::Use::fit) {
        element.fail(ErrorCode::not_for_fitting,
                     fmt::format("a point of {} in the fit set of {}", scenario::in_quotes(series), figure.id));
      }
      const bool is_repeated = std::ranges::any_of(stage.observations, [&](const Observation& other) {
        return other.figure == &figure && other.series == series && other.point.x == x;
      });
      if (is_repeated) {
        element.fail(ErrorCode::duplicate_key, "a point that the stage does not observe already: it would weigh twice");
      }
      // A counter may have counted nothing; but then only its uncertainty says how near to 0 is near enough.
      if (point->value == 0 && point->uncertainty == 0) {
        throw scenario::ScenarioError{{ErrorCode::out_of_range, point->place_of(figures::Cell::value), std::string{},
                                       "a value or an uncertainty above 0 of what is fitted to", "0", std::string{}}};
      }
      stage.observations.push_back({&figure, series, *point, element.mention()});
    }
  }

  /// One series may have points of several metrics at one x: what the figure simulates of it comes first.
  static std::vector<figures::ReferencePoint>::const_iterator point_of(const figures::Figure& figure,
                                                                       const std::string& series,
                                                                       const figures::Position& x) {
    const auto is_there = [&](const figures::ReferencePoint& point) { return point.series == series && point.x == x; };
    const auto is_simulated = [&](const figures::ReferencePoint& point) {
      return std::ranges::any_of(figure.series, [&](const figures::Series& drawn) {
        const auto* simulation = std::get_if<figures::Simulation>(&drawn.source);
        return drawn.name == series && simulation != nullptr && figures::name_of(simulation->metric) == point.metric;
      });
    };
    const auto first = std::ranges::find_if(
        figure.reference, [&](const figures::ReferencePoint& point) { return is_there(point) && is_simulated(point); });
    return first != figure.reference.end() ? first : std::ranges::find_if(figure.reference, is_there);
  }

  static void require_series(const Node& series, const figures::Figure& figure) {
    std::vector<std::string> names;
    for (const figures::ReferencePoint& point : figure.reference) {
      if (std::find(names.begin(), names.end(), point.series) == names.end()) names.push_back(point.series);
    }
    if (std::find(names.begin(), names.end(), series.text()) == names.end()) series.refuse_name(names);
  }

  const figures::Figure& figure_of(const Node& node) {
    const std::filesystem::path file = folder_ / node.text();
    // One file may be spelled in several ways.
    const std::filesystem::path canonical = std::filesystem::weakly_canonical(file);
    const auto known = known_.find(canonical);
    if (known != known_.end()) return *known->second;
    plan_.figures.push_back(std::make_unique<figures::Figure>(figures::read_figure(file, node.mention())));
    take_external(*plan_.figures.back());
    return *known_.emplace(canonical, plan_.figures.back().get()).first->second;
  }

  void take_external(figures::Figure& figure) const {
    if (!figure.external) return;
    const std::string& needed = figure.external->file;
    if (!external_ || !std::filesystem::exists(*external_ / needed)) {
      throw DefinitionError{fmt::format("{} was measured by others: `--data DIR` takes it from DIR/{}, made from {}",
                                        figure.id, needed, figure.external->available)};
    }
    figure.reference = figures::read_external(*figure.external, *external_);
  }

  std::filesystem::path folder_;
  std::optional<std::filesystem::path> external_;
  Plan& plan_;
  std::map<std::filesystem::path, const figures::Figure*> known_;
  std::set<std::string> names_;
  std::set<std::string> found_;
};

}  // namespace

scenario::Dimension dimension_of(std::string_view text) {
  for (const auto dimension : {scenario::Dimension::time, scenario::Dimension::size, scenario::Dimension::bandwidth,
                               scenario::Dimension::rate}) {
    if (std::holds_alternative<double>(scenario::parse_quantity(text, dimension))) return dimension;
  }
  return scenario::Dimension::number;
}

Plan read_plan(const std::filesystem::path& file, const std::optional<std::filesystem::path>& external) {
  const scenario::Node json = figures::read_json(file, scenario::FileKind::calibration);
  const Node root{json};
  root.expect_keys({"profile", "stages", "$schema"});
  Plan plan;
  plan.profile = file.parent_path() / root.at("profile").text();
  plan.mention = root.at("profile").mention();
  PlanReader reader{file, external, plan};
  for (const Node& stage : root.at("stages").elements()) plan.stages.push_back(reader.stage(stage));
  if (plan.stages.empty()) root.at("stages").fail(ErrorCode::wrong_type, "at least one stage");
  return plan;
}

}  // namespace doorbell::calibrate
