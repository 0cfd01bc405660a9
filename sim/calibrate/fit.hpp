// Finding the parameters of a plan, stage by stage.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "calibrate/plan.hpp"
#include "figures/engine.hpp"

namespace doorbell::calibrate {

/// One parameter that has been found, in base units.
struct Found {
  std::string stage;
  std::string pointer;
  std::string value;    ///< With its unit.
  std::string shipped;  ///< What the profile says now.
  std::string sources;  ///< The figures of its observations.
  double found = 0;
  double half_width = 0;  ///< Of the 95 % interval that the uncertainties of the measured points give.
  double expected = 0;    ///< The shipped value, in base units.
  bool agrees = false;    ///< The shipped value lies in the interval, or within five per cent of what was found.
  bool at_end = false;    ///< The search stopped at an end of its range: the points wanted more than it allows.
};

/// One observation beside what all values found together predict.
struct Residual {
  std::string stage;
  std::string figure;
  std::string series;
  figures::Position x;
  double measured = 0;
  double predicted = 0;
};

struct Fit {
  std::vector<Found> parameters;
  std::vector<Residual> residuals;
  int evaluations = 0;  ///< Scenarios simulated or analysed.
};

/// Runs all stages of a plan. Starts from the shipped profile with every unknown at its start value, so that nothing of
/// the shipped values of the unknowns is used. `announce` is told each stage. The same plan gives the same result for
/// any number of jobs. Throws ScenarioError or figures::DefinitionError when plan, profile and figures do not fit
/// together.
[[nodiscard]] Fit fit(const Plan& plan, const figures::Engine& engine, int jobs,
                      const std::function<void(const std::string&)>& announce);

}  // namespace doorbell::calibrate
