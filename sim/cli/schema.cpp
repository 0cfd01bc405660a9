// doorbell schema: the JSON Schemas that editors check files with.
#include "scenario/schema.hpp"

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace doorbell::cli {

void add_schema(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("schema", "Print the JSON Schema of scenario files or hardware profiles");
  const auto kind = std::make_shared<std::string>("scenario");
  command->add_option("KIND", *kind, "scenario (default), or another kind of file")
      ->check(CLI::IsMember(scenario::schemas()));
  command->callback([kind] { Output{std::nullopt}.write(scenario::schemas().at(*kind)()); });
}

}  // namespace doorbell::cli
