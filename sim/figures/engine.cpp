#include "figures/engine.hpp"

#include <memory>

#include "analytic/scenario_bounds.hpp"
#include "models/run.hpp"
#include "scenario/document.hpp"
#include "scenario/inherit.hpp"
#include "scenario/load.hpp"
#include "scenario/reader.hpp"

namespace doorbell::figures {
namespace {

std::vector<SweepPoint> load_points(const std::filesystem::path& file, const Overrides& overrides,
                                    const std::filesystem::path& folder) {
  scenario::LoadOptions options;
  options.values = overrides;
  options.folder = folder;
  std::vector<SweepPoint> points;
  for (scenario::Point& point : scenario::load(file, options)) {
    points.push_back({std::move(point.coordinates), std::move(point.scenario)});
  }
  return points;
}

model::HardwareProfile load_profile(const std::filesystem::path& file) {
  const scenario::Location start{std::make_shared<const std::string>(file.string()), 1, 1};
  scenario::Node node = scenario::Inheritance{}.profile(file, scenario::FileKind::hardware, start, {});
  node.erase(scenario::keys::title);
  model::HardwareProfile hardware;
  scenario::read(node, scenario::Pointer{}, true, {}, hardware);
  return hardware;
}

std::optional<Rate> throughput_bound(const model::Scenario& scenario) {
  const Rate bound = analytic::scenario_bounds(scenario).throughput;
  return bound > Rate{} ? std::optional{bound} : std::nullopt;
}

}  // namespace

Engine default_engine() {
  Engine engine;
  engine.load = load_points;
  engine.run = [](const model::Scenario& scenario) { return model::run(scenario); };
  engine.run_fluid = model::run_fluid;
  engine.bound = throughput_bound;
  engine.bottleneck = [](const model::Scenario& scenario) { return analytic::scenario_bounds(scenario).bottleneck; };
  engine.profile = load_profile;
  return engine;
}

}  // namespace doorbell::figures
