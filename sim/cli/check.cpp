// doorbell check: reads scenarios, profiles and figures without running them.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
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
  const bool is_scenario = kind != scenario::FileKind::figure && !is_profile(kind);
  if (!sets.empty() && !is_scenario)
    throw UsageError{fmt::format("--set: expected scenarios to override, found {}, which is none", file)};
  if (kind == scenario::FileKind::figure) {
    figures::Evaluator{figures::default_engine(), 1, {}}.prepare(figures::read_figure(file));
    return "good figure";
  }
  if (is_profile(kind)) {
    static_cast<void>(scenario::load_profile(file));
    return "good profile";
  }
  const std::size_t points = scenario::load_file(file, {.sets = sets, .seed = {}}).points.size();
  return fmt::format("good, {} {}", points, points == 1 ? "point" : "points");
}

}  // namespace

void add_check(CLI::App& app, Session& session) {
  auto* command =
      app.add_subcommand("check", "Read scenarios, profiles or figures and report the first mistake of each");
  const auto choices = std::make_shared<CheckChoices>();
  command->add_option("FILE", choices->files, "Scenarios, hardware profiles, or figures of `reproduce`")->required();
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
      } catch (const figures::DefinitionError& error) {  // in the reference of a figure
        fmt::print(stderr, "{}\n", error.what());
        session.status = 2;
      }
    }
  });
}

}  // namespace doorbell::cli
