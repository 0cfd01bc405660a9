#include "cli/load_arguments.hpp"

#include <CLI/CLI.hpp>

namespace doorbell::cli {

std::shared_ptr<LoadArguments> add_load_arguments(CLI::App& command) {
  auto arguments = std::make_shared<LoadArguments>();
  command.add_option("FILE", arguments->file, "Scenario file")->required();
  // One value per option, or CLI11 would swallow whatever follows.
  command
      .add_option("--set", arguments->options.sets,
                  "Override a parameter: programs.worker.threads=6, also inside a hardware profile; may be repeated")
      ->type_name("PATH=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command.add_option("--seed", arguments->options.seed, "Seed of all random streams, instead of the file's")
      ->check(CLI::NonNegativeNumber);  // or CLI11 would wrap a negative number round
  return arguments;
}

}  // namespace doorbell::cli
