// The arguments that all subcommands share which read a scenario: FILE, --set, --seed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scenario/load.hpp"

namespace CLI {
class App;
}

namespace doorbell::cli {

struct LoadArguments {
  std::string file;
  scenario::LoadOptions options;
};

/// The points of a file about machines and programs. Throws ScenarioError also for a storage scenario, which has none.
[[nodiscard]] std::vector<scenario::Point> load_programs(const LoadArguments& arguments);

/// Adds the arguments to a subcommand. The result is filled when the command line is parsed.
[[nodiscard]] std::shared_ptr<LoadArguments> add_load_arguments(CLI::App& command);

}  // namespace doorbell::cli
