// doorbell reference: the pages docs/reference.md and docs/errors.md.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "scenario/error.hpp"
#include "scenario/reference_page.hpp"

namespace doorbell::cli {

void add_reference(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("reference", "Print the reference page of all parameters");
  const auto errors = std::make_shared<bool>(false);
  command->add_flag("--errors", *errors, "Print the table of error codes instead");
  command->callback(
      [errors] { Output{std::nullopt}.write(*errors ? scenario::error_page() : scenario::reference_page()); });
}

}  // namespace doorbell::cli
