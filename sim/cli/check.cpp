// doorbell check: reads scenarios, profiles, figures, targets and calibration files without running anything.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "calibrate/fit.hpp"
#include "cli/commands.hpp"
#include "cli/external_data.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "figures/collection.hpp"
#include "figures/evaluate.hpp"
#include "scenario/file_kind.hpp"
#include "scenario/load.hpp"
#include "scenario/profile.hpp"

namespace doorbell::cli {
namespace {

struct CheckChoices {
  std::vector<std::string> files;
  std::vector<std::string> sets;
};

/// What there is to say about a file that is right.
std::string verdict(const std::string& file, const std::vector<std::string>& sets) {
  const auto kind = scenario::file_kind(file, {std::make_shared<const std::string>(file), 1, 1});
  const bool is_scenario = kind == scenario::FileKind::scenario;
  if (!sets.empty() && !is_scenario)
    throw UsageError{scenario::ErrorCode::other_kind,
                     fmt::format("--set: expected scenarios to override, found {}, which is none", file)};
  if (kind == scenario::FileKind::figure) {
    figures::Evaluator{figures::default_engine(), 1, {}}.prepare(figures::read_figure(file));
    return "good figure";
  }
  if (is_profile(kind)) {
    static_cast<void>(scenario::load_profile(file));
    return "good profile";
  }
  if (kind == scenario::FileKind::targets) {
    static_cast<void>(figures::read_targets(file));
    return "good targets";
  }
  if (kind == scenario::FileKind::calibration) {
    calibrate::require_possible(calibrate::read_plan(file, default_external_data()), figures::default_engine());
    return "good calibration file";
  }
  if (!is_scenario) {
    throw scenario::ScenarioError{{scenario::ErrorCode::wrong_file,
                                   {std::make_shared<const std::string>(file), 1, 1},
                                   {},
                                   "a scenario, a profile, a figure, targets or a calibration file",
                                   std::string{name_of(kind)},
                                   {}}};
  }
  const std::size_t points = scenario::load_file(file, {.sets = sets, .seed = {}}).points.size();
  return fmt::format("good, {} {}", points, points == 1 ? "point" : "points");
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand(
      "check", "Read scenarios, profiles, figures, targets or calibration files and report the first mistake of each");
  const auto choices = std::make_shared<CheckChoices>();
  command
      ->add_option("FILE", choices->files,
                   "Scenarios, profiles, figures of `reproduce` with their targets, or files of `calibrate`")
      ->required();
  command->add_option("--set", choices->sets, "Override a parameter, as for run")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command->callback([choices, &session] {
    for (const std::string& file : choices->files) {
      try {
        print(fmt::format("{}: {}\n", file, verdict(file, choices->sets)));
      } catch (const scenario::ScenarioError& error) {
        fmt::print(stderr, "{}\n", error.what());
        session.status = 2;
      } catch (const figures::DefinitionError& error) {  // measurements that are not at hand
        fmt::print(stderr, "doorbell: {} {}\n", code_text(scenario::ErrorCode::not_at_hand), error.what());
        session.status = 2;
      }
    }
  });
}

}  // namespace doorbell::cli
