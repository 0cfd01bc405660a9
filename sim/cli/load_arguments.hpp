// The arguments that all subcommands share which read a scenario: FILE, --set, --seed.
#pragma once

#include <memory>
#include <string>

#include "scenario/load.hpp"

namespace CLI {
class App;
}

namespace doorbell::cli {

struct LoadArguments {
  std::string file;
  scenario::LoadOptions options;
};

/// Throws ScenarioError when the scenario, which comes from `file`, is not about machines and programs; `expected` is
/// what the command can be about.
void require_programs(const model::Scenario& scenario, const std::string& file,
                      const std::string& expected = "a scenario of machines and programs");

/// Adds the arguments to a subcommand. The result is filled when the command line is parsed.
[[nodiscard]] std::shared_ptr<LoadArguments> add_load_arguments(CLI::App& command);

}  // namespace doorbell::cli
