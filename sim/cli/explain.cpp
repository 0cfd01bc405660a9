// doorbell explain: every resolved parameter of a scenario, with its unit, provenance and source.
#include "scenario/explain.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

struct ExplainChoices {
  std::size_t point = 0;
  std::string format = "text";
};

std::string as_text(const std::vector<scenario::Parameter>& parameters) {
  constexpr std::size_t indent = 4;
  std::string text;
  std::string group;
  for (const scenario::Parameter& parameter : parameters) {
    const std::size_t end = parameter.pointer.rfind('/');
    const std::string parent = end == 0 ? "/" : parameter.pointer.substr(0, end);
    if (parent != group) {
      text += (group.empty() ? "" : "\n") + wrapped(parent, 2);
      group = parent;
    }
    const std::string source = parameter.source.empty() ? "" : ": " + parameter.source;
    text += wrapped(fmt::format("  {:<24} {:<14} {}{}", parameter.pointer.substr(end + 1), parameter.value,
                                parameter.provenance, source),
                    indent);
  }
  return text;
}

std::string as_json(const std::vector<scenario::Parameter>& parameters) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const scenario::Parameter& parameter : parameters) {
    list.push_back({{"parameter", parameter.pointer},
                    {"value", parameter.value},
                    {"provenance", parameter.provenance},
                    {"source", parameter.source},
                    {"meaning", parameter.meaning}});
  }
  return list.dump(2) + "\n";
}

}  // namespace

void add_explain(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("explain", "Print every parameter of a scenario with its provenance and source");
  const auto arguments = add_load_arguments(*command);
  const auto choices = std::make_shared<ExplainChoices>();
  command->add_option("--point", choices->point, "Which point of a sweep, from 0")->check(CLI::NonNegativeNumber);
  command->add_option("--format", choices->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->callback([arguments, choices] {
    const std::size_t points = scenario::load_file(arguments->file, arguments->options).points.size();
    if (choices->point >= points)
      throw UsageError{fmt::format("--point {}: the scenario has {}", choices->point, points)};
    const auto parameters = scenario::explain(arguments->file, arguments->options, choices->point);
    Output{std::nullopt}.write(choices->format == "json" ? as_json(parameters) : as_text(parameters));
  });
}

}  // namespace doorbell::cli
