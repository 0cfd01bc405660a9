#include "cli/unknown_words.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cctype>
#include <string>
#include <vector>

#include "cli/session.hpp"
#include "scenario/error.hpp"

namespace doorbell::cli {
namespace {

std::string did_you_mean(const std::string& name) {
  return name.empty() ? "" : fmt::format("; did you mean {}?", scenario::in_quotes(name));
}

bool is_option(const std::string& word) {
  return word.size() > 1 && word.front() == '-' &&
         (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])));
}

/// The long names of the options that may stand after `command`, without dashes.
std::vector<std::string> option_names(const CLI::App* command) {
  std::vector<std::string> names;
  for (; command != nullptr; command = command->get_parent()) {
    for (const CLI::Option* option : command->get_options()) {
      names.insert(names.end(), option->get_lnames().begin(), option->get_lnames().end());
    }
  }
  return names;
}

void refuse_option(const std::string& word, const CLI::App& command) {
  const std::string spelled = word.substr(0, word.find('='));
  const std::string nearest = scenario::nearest(spelled.substr(spelled.find_first_not_of('-')), option_names(&command));
  if ("--" + nearest == spelled) {
    throw UsageError{scenario::ErrorCode::unknown_word,
                     fmt::format("{}: expected after the subcommand {}", spelled, command.get_name())};
  }
  throw UsageError{scenario::ErrorCode::unknown_word, fmt::format("no option {}{}", scenario::in_quotes(spelled),
                                                                  did_you_mean(nearest.empty() ? "" : "--" + nearest))};
}

void refuse_subcommand(const std::string& word, const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::App* known : command.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(known->get_name());
  }
  throw UsageError{scenario::ErrorCode::unknown_word, fmt::format("no subcommand {}{}", scenario::in_quotes(word),
                                                                  did_you_mean(scenario::nearest(word, names)))};
}

}  // namespace

void refuse_unknown_words(const CLI::App& app) {
  const CLI::App* command = &app;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  const std::vector<std::string> words = app.remaining(true);
  const bool takes_subcommand = !command->get_subcommands([](const CLI::App*) { return true; }).empty();
  for (const std::string& word : words) {
    if (is_option(word)) refuse_option(word, *command);
    if (takes_subcommand) refuse_subcommand(word, *command);
  }
}

}  // namespace doorbell::cli
