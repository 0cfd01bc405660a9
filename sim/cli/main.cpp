// The doorbell command: parses the command line, runs one subcommand, and turns every failure into one line.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "cli/commands.hpp"
#include "cli/help_text.hpp"
#include "cli/layout.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "cli/unknown_words.hpp"
#include "figures/temporary_file.hpp"
#include "scenario/error.hpp"

namespace {

/// Prints the message as one line. Returns the exit status.
int fail(int status, std::string message) {
  while (!message.empty() && message.back() == '\n') message.pop_back();
  std::replace(message.begin(), message.end(), '\n', ' ');
  fmt::print(stderr, "{}\n", doorbell::scenario::printable(std::move(message)));
  return status;
}

constexpr int failure = 1;
constexpr int users_mistake = 2;

int refuse(doorbell::scenario::ErrorCode code, std::string_view message) {
  return fail(users_mistake, fmt::format("doorbell: {} {}", doorbell::scenario::code_text(code), message));
}

doorbell::scenario::ErrorCode code_of(const CLI::ParseError& error) {
  using enum doorbell::scenario::ErrorCode;
  switch (static_cast<CLI::ExitCodes>(error.get_exit_code())) {
    case CLI::ExitCodes::ExtrasError: return unknown_word;
    case CLI::ExitCodes::RequiredError:
    case CLI::ExitCodes::ArgumentMismatch: return argument_count;
    case CLI::ExitCodes::RequiresError:
    case CLI::ExitCodes::ExcludesError: return options_together;
    default: return option_value;
  }
}

int run(int argc, char** argv) {
  doorbell::cli::Session session;
  CLI::App app{"Doorbell simulates networked servers: PCI Express, RDMA NICs, cores and wires.", "doorbell"};
  app.require_subcommand(1);
  app.fallthrough();  // --data-dir may stand after the subcommand, too.
  app.set_version_flag("--version", DOORBELL_VERSION);
  app.add_option("--data-dir", session.data_dir, "Folder with scenarios/, plots/ and calib/");
  doorbell::cli::add_commands(app, session);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& asked_for_help) {
    std::ostringstream text;
    const int status = app.exit(asked_for_help, text, text);
    doorbell::cli::print(doorbell::cli::help_text(text.str(), doorbell::cli::layout_of_standard_output()));
    return status;
  } catch (const CLI::ParseError& error) {
    doorbell::cli::refuse_unknown_words(app);
    return refuse(code_of(error), fmt::format("{} (see doorbell --help)", error.what()));
  }
  return session.status;
}

}  // namespace

int main(int argc, char** argv) {
  doorbell::figures::remove_temporary_files_on_signals();
  try {
    return run(argc, argv);
  } catch (const doorbell::scenario::ScenarioError& error) {
    return fail(users_mistake, error.what());
  } catch (const doorbell::cli::UsageError& error) {
    return refuse(error.code(), error.what());
  } catch (const doorbell::figures::WriteError& error) {
    return error.nobody_reads() ? failure : fail(failure, fmt::format("doorbell: {}", error.what()));
  } catch (const std::exception& error) {
    return fail(failure, fmt::format("doorbell: internal failure: {}", error.what()));
  }
}
