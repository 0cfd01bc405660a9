// The arguments that all subcommands share which read a scenario: FILE, --set, --seed.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
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

/// Adds the arguments to a subcommand. The result is filled when the command line is parsed.
[[nodiscard]] std::shared_ptr<LoadArguments> add_load_arguments(CLI::App& command);

}  // namespace doorbell::cli
