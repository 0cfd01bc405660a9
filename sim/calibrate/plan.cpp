#include "calibrate/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>

#include "figures/document.hpp"
#include "scenario/form.hpp"
#include "scenario/quantity_text.hpp"

namespace doorbell::calibrate {
namespace {

using figures::DefinitionError;
using figures::Node;

constexpr std::array<std::string_view, 2> methods{"closed_form", "simulation"};

/// A number, or a quantity with its unit: the profile's own spelling.
double quantity(const Node& node) {
  if (node.is_number()) return node.number();
  const std::string text = node.text();
  for (const auto dimension : {scenario::Dimension::time, scenario::Dimension::size, scenario::Dimension::bandwidth,
                               scenario::Dimension::rate}) {
    const scenario::QuantityResult parsed = scenario::parse_quantity(text, dimension);
    if (const auto* value = std::get_if<double>(&parsed)) {
      return dimension == scenario::Dimension::time ? to_seconds(Time{std::llround(*value)}) : *value;
    }
  }
  node.fail("expected a number, a time, a size, a bandwidth or a rate");
}

Unknown read_unknown(const Node& node) {
  node.expect_keys({"path", "start", "min", "max", "values"});
  Unknown unknown;
  unknown.pointer = node.at("path").text();
  if (const auto values = node.find("values")) {
    for (const Node& value : values->elements()) unknown.values.push_back(quantity(value));
    if (unknown.values.empty()) values->fail("expected at least one value");
    return unknown;
  }
  unknown.start = quantity(node.at("start"));
  unknown.min = quantity(node.at("min"));
  unknown.max = quantity(node.at("max"));
  if (!(unknown.min > 0)) node.at("min").fail("expected a positive number");
  if (!(unknown.min <= unknown.start && unknown.start <= unknown.max)) {
    node.at("start").fail("expected a start between min and max");
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
    if (const auto method = node.find("method")) stage.method = static_cast<Method>(method->one_of(methods));
    for (const Node& unknown : node.at("unknowns").elements()) stage.unknowns.push_back(read_unknown(unknown));
    for (const Node& observation : node.at("observations").elements()) observe(observation, stage);
    if (stage.unknowns.empty()) node.at("unknowns").fail("expected at least one unknown");
    if (stage.observations.empty()) node.at("observations").fail("expected at least one observation");
    const auto listed = [](const Unknown& unknown) { return !unknown.values.empty(); };
    if (std::ranges::any_of(stage.unknowns, listed) && !std::ranges::all_of(stage.unknowns, listed)) {
      node.at("unknowns").fail("expected \"values\" of all unknowns of a stage or of none");
    }
    return stage;
  }

 private:
  void observe(const Node& node, Stage& stage) {
    node.expect_keys({"figure", "series", "x"});
    const figures::Figure& figure = figure_of(node.at("figure").text());
    const std::string series = node.at("series").text();
    for (const Node& element : node.at("x").elements()) {
      const figures::Position x = position_of(element);
      const auto point = std::find_if(
          figure.reference.begin(), figure.reference.end(),
          [&](const figures::ReferencePoint& candidate) { return candidate.series == series && candidate.x == x; });
      if (point == figure.reference.end()) {
        element.fail(fmt::format("the reference of {} has no point of '{}' there", figure.id, series));
      }
      if (point->use != figures::Use::fit) {
        element.fail(fmt::format("the point of '{}' there is not in the fit set of {}", series, figure.id));
      }
      stage.observations.push_back({&figure, series, *point});
    }
  }

  const figures::Figure& figure_of(const std::string& name) {
    const auto known = known_.find(name);
    if (known != known_.end()) return *known->second;
    plan_.figures.push_back(std::make_unique<figures::Figure>(figures::read_figure(folder_ / name)));
    take_external(*plan_.figures.back());
    return *known_.emplace(name, plan_.figures.back().get()).first->second;
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
  std::map<std::string, const figures::Figure*> known_;
};

}  // namespace

Plan read_plan(const std::filesystem::path& file, const std::optional<std::filesystem::path>& external) {
  std::ifstream stream{file};
  if (!stream) throw figures::DefinitionError{fmt::format("{}: cannot be read", file.string())};
  const auto json = nlohmann::json::parse(stream, nullptr, false);
  if (json.is_discarded()) throw figures::DefinitionError{fmt::format("{}: not JSON", file.string())};
  const Node root{json, file.string(), ""};
  root.expect_keys({"profile", "stages"});
  Plan plan;
  plan.profile = file.parent_path() / root.at("profile").text();
  PlanReader reader{file, external, plan};
  for (const Node& stage : root.at("stages").elements()) plan.stages.push_back(reader.stage(stage));
  return plan;
}

}  // namespace doorbell::calibrate
