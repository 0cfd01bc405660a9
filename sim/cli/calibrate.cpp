// doorbell calibrate: finds the parameters of a hardware profile from measured points.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "calibrate/fit.hpp"
#include "calibrate/remarks.hpp"
#include "calibrate/stage_summary.hpp"
#include "calibrate/write.hpp"
#include "cli/commands.hpp"
#include "cli/external_data.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "cli/text.hpp"
#include "figures/engine.hpp"
#include "figures/statistics.hpp"
#include "scenario/data_directory.hpp"
#include "scenario/document.hpp"
#include "scenario/error.hpp"

namespace doorbell::cli {
namespace {

struct CalibrationRequest {
  std::string file;
  std::optional<std::filesystem::path> profile;  ///< --write
  std::string format = "text";
  std::optional<std::filesystem::path> external = default_external_data();
  std::optional<std::uint64_t> seed;  ///< Of all scenarios, instead of their own.
  int jobs = 0;                       ///< 0: as many as the machine has.
  std::optional<int> within;          ///< Per cent that the profile may differ from what is found.
};

std::string per_cent(double share) { return fmt::format("{:.1f} %", 100 * share); }

std::string interval_of(const calibrate::Found& found) {
  switch (found.basis) {
    case calibrate::Basis::nothing: return "not determined";
    case calibrate::Basis::plan: return "pinned";
    case calibrate::Basis::points: break;
  }
  if (const auto factor = found.factor()) return fmt::format("factor {:.1f}", *factor);
  return "+/- " + per_cent(found.relative_width());
}

std::string_view name_of(calibrate::Basis basis) {
  switch (basis) {
    case calibrate::Basis::nothing: return "nothing";
    case calibrate::Basis::plan: return "plan";
    case calibrate::Basis::points: break;
  }
  return "points";
}

nlohmann::json name_of(calibrate::Open open) {
  switch (open) {
    case calibrate::Open::no_influence: return "no influence";
    case calibrate::Open::combination: return "combination";
    case calibrate::Open::range: return "range";
    case calibrate::Open::resolution: return "resolution";
    case calibrate::Open::scatter: return "scatter";
    case calibrate::Open::no: break;
  }
  return nullptr;
}

std::string_view name_of(calibrate::Say say) {
  switch (say) {
    case calibrate::Say::independent: return "independent";
    case calibrate::Say::outvoted: return "outvoted";
    case calibrate::Say::decides: break;
  }
  return "decides";
}

nlohmann::json or_null(const std::optional<double>& number) {
  return number ? nlohmann::json(*number) : nlohmann::json(nullptr);
}

std::string stage_table(const std::vector<calibrate::StageSummary>& stages, Layout layout) {
  std::vector<std::vector<std::string>> rows{{"stage", "points", "median", "worst", "at", "of"}};
  for (const calibrate::StageSummary& stage : stages) {
    const auto error = error_of(stage.worst);
    rows.push_back({stage.stage, std::to_string(stage.points), stage.median_error ? per_cent(*stage.median_error) : "-",
                    error ? figures::signed_percent(*error) : "-", figures::to_string(stage.worst.x),
                    stage.worst.series});
  }
  return table(rows, layout);
}

/// By what share of it the profile differs from what has been found.
double distance_of(const calibrate::Found& found) {
  return found.found == found.expected ? 0 : std::abs(found.expected - found.found) / std::abs(found.found);
}

/// A wide interval holds nearly everything; `request` may ask for more than that the profile lies in it.
bool is_near(const calibrate::Found& found, const CalibrationRequest& request) {
  return !request.within || distance_of(found) <= *request.within / 100.0;
}

bool agrees(const calibrate::Found& found, const CalibrationRequest& request) {
  return found.agrees && is_near(found, request);
}

std::string agreement(const calibrate::Found& found, const CalibrationRequest& request) {
  if (agrees(found, request)) return "yes";
  return found.agrees ? fmt::format("NO, {} apart", per_cent(distance_of(found))) : "NO";
}

std::string text_report(const calibrate::Fit& fit, const CalibrationRequest& request, Layout layout) {
  std::vector<std::vector<std::string>> rows{{"parameter", "found", "interval", "profile", "agrees"}};
  for (const calibrate::Found& found : fit.parameters) {
    rows.push_back({found.pointer, found.value, interval_of(found), found.shipped, agreement(found, request)});
  }
  std::vector<double> errors;
  for (const calibrate::Residual& residual : fit.residuals) {
    if (const auto error = error_of(residual)) errors.push_back(*error);
  }
  const std::size_t points = fit.residuals.size();
  const figures::ErrorSummary summary = figures::summarise(errors);
  const std::vector<calibrate::StageSummary> stages = calibrate::summarise(fit);
  std::string text = table(rows, layout) + "\n" + stage_table(stages, layout);
  for (const std::string& remark : calibrate::remarks(fit)) text += "\n" + wrapped(remark, 0, layout);
  return text + fmt::format("\n{} measured point{}: median error {}, worst {}; {} points simulated\n", points,
                            points == 1 ? "" : "s", per_cent(summary.median.value_or(0)),
                            per_cent(summary.worst.value_or(0)), fit.evaluations);
}

nlohmann::json to_json(const calibrate::Fit& fit, const CalibrationRequest& request) {
  auto parameters = nlohmann::json::array();
  for (const calibrate::Found& found : fit.parameters) {
    parameters.push_back({{"path", found.pointer},
                          {"stage", found.stage},
                          {"sources", found.sources},
                          {"value", found.value},
                          {"found", found.found},
                          {"basis", name_of(found.basis)},
                          {"half_width95", found.basis == calibrate::Basis::points ? nlohmann::json(found.half_width)
                                                                                   : nlohmann::json(nullptr)},
                          {"profile", found.shipped},
                          {"agrees", agrees(found, request)},
                          {"open", name_of(found.open)},
                          {"with", found.with},
                          {"at_end", found.at_end}});
  }
  auto stages = nlohmann::json::array();
  for (const calibrate::StageSummary& stage : calibrate::summarise(fit)) {
    stages.push_back({{"name", stage.stage},
                      {"points", stage.points},
                      {"median_error", or_null(stage.median_error)},
                      {"worst",
                       {{"error", or_null(error_of(stage.worst))},
                        {"figure", stage.worst.figure},
                        {"series", stage.worst.series},
                        {"x", figures::to_string(stage.worst.x)}}},
                      {"chi", stage.chi},
                      {"fits", stage.fits}});
  }
  auto points = nlohmann::json::array();
  for (const calibrate::Residual& residual : fit.residuals) {
    points.push_back({{"stage", residual.stage},
                      {"figure", residual.figure},
                      {"series", residual.series},
                      {"x", figures::to_string(residual.x)},
                      {"measured", residual.measured},
                      {"simulated", residual.predicted},
                      {"error", or_null(error_of(residual))},
                      {"deviation", residual.deviation},
                      {"say", name_of(residual.say)},
                      {"limit", residual.limit},
                      {"wanted", residual.pull ? nlohmann::json(residual.wanted) : nlohmann::json(nullptr)},
                      {"pull", residual.pull ? nlohmann::json(*residual.pull) : nlohmann::json(nullptr)}});
  }
  return {{"doorbell", DOORBELL_VERSION},
          {"parameters", parameters},
          {"stages", stages},
          {"points", points},
          {"remarks", calibrate::remarks(fit)}};
}

figures::Engine engine_with(std::optional<std::uint64_t> seed) {
  figures::Engine engine = figures::default_engine();
  if (!seed) return engine;
  engine.load = [load = engine.load, seed](const std::filesystem::path& file, const figures::Overrides& overrides,
                                           const std::filesystem::path& folder) {
    std::vector<figures::SweepPoint> points = load(file, overrides, folder);
    for (figures::SweepPoint& point : points) point.scenario.seed = *seed;
    return points;
  };
  return engine;
}

void run_calibration(const CalibrationRequest& request, Session& session) {
  const auto announce = [](const std::string& stage) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "fitting {}\n", stage);
  };
  const calibrate::Plan plan = calibrate::read_plan(request.file, request.external);
  // A place that cannot be written to should be known before minutes of fitting.
  std::optional<Output> profile;
  if (request.profile) profile.emplace(request.profile, "--write");
  const calibrate::Fit fit = calibrate::fit(plan, engine_with(request.seed), jobs_or_cores(request.jobs), announce);
  Output output{std::nullopt};
  const std::string report =
      request.format == "json" ? to_json(fit, request).dump(2) + "\n" : text_report(fit, request, output.layout());
  try {
    if (profile) profile->write(calibrate::profile_with(plan, fit, *request.profile));
  } catch (const figures::WriteError&) {
    output.write(report);  // or the fit would be lost
    throw;
  }
  output.write(report);
  const bool agree = std::ranges::all_of(fit.parameters, [&](const auto& found) { return agrees(found, request); });
  if (!agree && !request.profile) session.status = 1;
}

}  // namespace

void add_calibrate(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "calibrate",
      "Find the fitted parameters of a hardware profile again, and compare with the profile (status 1 when "
      "they differ)");
  auto request = std::make_shared<CalibrationRequest>();
  command->add_option("FILE", request->file, "Calibration file, such as calib/kalia16-cib.json")->required();
  command->add_option("--write", request->profile, "Write a profile with the values found, for new measurements");
  auto* data =
      command->add_option("--data", request->external,
                          "Folder of measurements that are not part of Doorbell, for calibration files that use them");
  command
      ->add_option("--within", request->within,
                   "Status 1 also where a value of the profile is more than so many per cent from what was found, "
                   "however wide the interval")
      ->check(whole_number(1, 1000));
  command->add_option("--format", request->format, "text or json on standard output")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("--seed", request->seed, "Seed of all scenarios, instead of their own")
      ->check(whole_number(0, scenario::largest_seed));
  command->add_option("--jobs", request->jobs, "Points simulated at a time; 0: as many as there are cores")
      ->check(whole_number(0, most_jobs));
  command->callback([=, &session] {
    if (data->count() > 0) scenario::require_folder(request->external.value_or(""), "--data");
    try {
      run_calibration(*request, session);
    } catch (const figures::DefinitionError& error) {
      throw UsageError{scenario::ErrorCode::not_at_hand, error.what()};
    }
  });
}

}  // namespace doorbell::cli
