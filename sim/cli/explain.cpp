// doorbell explain: every resolved parameter of a scenario, with its unit, provenance and source.
#include "scenario/explain.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

struct ExplainChoices {
  std::size_t point = 0;
  std::string format = "text";
};

std::string as_text(const std::vector<scenario::Parameter>& parameters, Layout layout) {
  constexpr std::size_t indent = 4;
  constexpr std::size_t room_for_columns = 64;
  const bool in_columns = layout.prose >= room_for_columns;
  std::string text;
  std::string group;
  for (const scenario::Parameter& parameter : parameters) {
    const std::size_t end = parameter.pointer.rfind('/');
    const std::string parent = end == 0 ? "/" : parameter.pointer.substr(0, end);
    if (parent != group) {
      text += (group.empty() ? "" : "\n") + wrapped(parent, 2, layout);
      group = parent;
    }
    const std::string source = parameter.source.empty() ? "" : ": " + parameter.source;
    const std::string name = parameter.pointer.substr(end + 1);
    if (in_columns) {
      text += wrapped(fmt::format("  {:<24} {:<14} {}{}", name, parameter.value, parameter.provenance, source), indent,
                      layout);
    } else {
      text += wrapped(fmt::format("  {} {}", name, parameter.value), indent, layout) +
              wrapped(fmt::format("{:{}}{}{}", "", indent, parameter.provenance, source), indent, layout);
    }
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
  command->add_option("--point", choices->point, "Which point of a sweep, from 0")->check(whole_number(0, last_point));
  command->add_option("--format", choices->format, "text or json")->check(CLI::IsMember({"text", "json"}));
  command->callback([arguments, choices] {
    static_cast<void>(chosen_point(scenario::load(arguments->file, arguments->options), choices->point));
    const auto parameters = scenario::explain(arguments->file, arguments->options, choices->point);
    Output output{std::nullopt};
    output.write(choices->format == "json" ? as_json(parameters) : as_text(parameters, output.layout()));
  });
}

}  // namespace doorbell::cli
