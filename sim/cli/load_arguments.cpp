#include "cli/load_arguments.hpp"

#include <CLI/CLI.hpp>
#include <type_traits>
#include <variant>

#include "cli/numbers.hpp"
#include "scenario/document.hpp"

namespace doorbell::cli {

void require_programs(const model::Scenario& scenario, const std::string& file, const std::string& expected) {
  std::visit(
      [&]<class About>(const About&) {
        if constexpr (!std::is_same_v<About, std::monostate>) {
          const std::string other{scenario::Subject<About>::key};
          const scenario::Location at{std::make_shared<const std::string>(file), 1, 1};
          throw scenario::ScenarioError{{scenario::ErrorCode::no_programs, at, "/" + other, expected,
                                         "one with \"" + other + "\"", std::string{}}};
        }
      },
      scenario.instead);
}

std::shared_ptr<LoadArguments> add_load_arguments(CLI::App& command) {
  auto arguments = std::make_shared<LoadArguments>();
  command.add_option("FILE", arguments->file, "Scenario file")->required();
  // One value per option, or CLI11 would swallow whatever follows.
  command
      .add_option(
          "--set", arguments->options.sets,
          "Override a parameter, also one that is swept or in a profile: programs.worker.threads=6; may be repeated")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--seed", arguments->options.seed, "Seed of all random streams, instead of the file's")
      ->check(whole_number(0, scenario::largest_seed));
  return arguments;
}

}  // namespace doorbell::cli
