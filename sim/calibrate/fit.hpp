// Finding the parameters of a plan, stage by stage.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/plan.hpp"
#include "figures/engine.hpp"

namespace doorbell::calibrate {

/// What gives a parameter its value.
enum class Basis {
  points,   ///< The measured points.
  nothing,  ///< They leave it open: other values, and not only near ones, are as good.
  plan,     ///< The plan has one value for it and nothing else was tried.
};

/// Why points leave a parameter open.
enum class Open {
  no,            ///< They do not.
  no_influence,  ///< None of them depends on it.
  combination,   ///< They depend only on a combination of it with others.
  range,         ///< All of its range suits them, or all values that were tried.
  resolution,    ///< What they tell of it, perhaps beside others, is no more than the steps of percentiles.
  scatter,       ///< They differ from the fit by too much for any value of it to be told.
};

/// One parameter that has been found, in base units.
struct Found {
  std::string stage;
  std::string pointer;
  std::string value;    ///< With its unit.
  std::string shipped;  ///< What the profile says now.
  std::string sources;  ///< The figures of its observations.
  double found = 0;
  Basis basis = Basis::points;
  Open open = Open::no;                ///< Why, where they leave it open.
  std::vector<std::string> with = {};  ///< Parameters of the stage that it is hardly told apart from.
  double half_width = 0;   ///< Of the 95 % interval that the measured points give; infinite when they leave the
                           ///< parameter open, 0 when the plan gives it.
  bool is_listed = false;  ///< Of listed values, between which the half width is a step.
  double expected = 0;     ///< The shipped value, in base units.
  bool agrees = false;     ///< The shipped value lies in the interval, or within five per cent of what was found; never
                           ///< when the points leave the parameter open, nor at an end of its range, unless the shipped
                           ///< value is at that end as well.
  bool at_end = false;     ///< The search stopped at an end of its range: the points wanted more than it allows.

  /// The half width as a share of the value found; 0 when that is 0.
  [[nodiscard]] double relative_width() const;
  /// By which the value may be larger or smaller, where the interval is wide; it is one of logarithms.
  [[nodiscard]] std::optional<double> factor() const;
};

/// What part a point had in finding the parameters of its stage.
enum class Say {
  decides,
  independent,  ///< None: it hardly depends on them.
  outvoted,     ///< None: it contradicts most of the points that depend on the parameter.
};

/// One observation beside what all values found together predict.
struct Residual {
  std::string stage;
  std::string figure;
  std::string series;
  figures::Position x;
  double measured = 0;
  double predicted = 0;
  double deviation = 0;  ///< In uncertainties of the point.
  Say say = Say::decides;
  std::string limit = {};  ///< What limits a point without influence, by the closed form, where that tells it.
  /// Where a stage finds one parameter: what the point wants it to be, with its unit and over what was found; nothing
  /// where no value in the range suits the point.
  std::string wanted = {};
  std::optional<double> pull = std::nullopt;
};

/// (predicted - measured) / measured; nothing when measured is 0.
[[nodiscard]] std::optional<double> error_of(const Residual& residual);

struct Fit {
  std::vector<Found> parameters;
  std::vector<Residual> residuals;
  int evaluations = 0;  ///< Scenarios simulated or analysed.
};

/// Throws what fit() would throw before it simulates anything.
void require_possible(const Plan& plan, const figures::Engine& engine);

/// Runs all stages of a plan. Starts from the shipped profile with every unknown at its start value, also those of
/// later stages, so that nothing of the shipped values of the unknowns is used. `announce` is told each stage. The same
/// plan gives the same result for any number of jobs. Throws ScenarioError when plan,
/// profile and figures do not fit together, also when an observed scenario does not use the profile.
[[nodiscard]] Fit fit(const Plan& plan, const figures::Engine& engine, int jobs,
                      const std::function<void(const std::string&)>& announce);

}  // namespace doorbell::calibrate
