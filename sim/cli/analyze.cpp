// doorbell analyze: the closed form of a scenario, without running it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "analytic/analysis.hpp"
#include "analytic/scenario_bounds.hpp"
#include "cli/bounds_text.hpp"
#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "cli/text.hpp"

namespace doorbell::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ClosedForm {
  analytic::Bounds bounds;
  std::optional<Rate> mean_value;  ///< Only for machines and programs.
};

std::string as_text(const scenario::Point& point, const ClosedForm& form, Layout layout) {
  std::string text;
  for (const auto& [path, value] : point.coordinates) text += wrapped(fmt::format("{} = {}", path, value), 2, layout);
  return text + bounds_text(form.bounds, form.mean_value, layout);
}

Json as_json(const scenario::Point& point, const ClosedForm& form) {
  const auto& [all, mean_value] = form;
  Json coordinates = Json::object();
  for (const auto& [path, value] : point.coordinates) coordinates[path] = value;
  Json bounds = Json::array();
  for (const analytic::Bound& bound : all.bounds) {
    bounds.push_back({{"resource", bound.resource},
                      {"demand_ns", to_nanoseconds(bound.demand)},
                      {"servers", bound.servers},
                      {"bound_mops", bound.limit.millions()}});
  }
  Json result = {{"coordinates", coordinates},
                 {"bounds", bounds},
                 {"throughput_mops", all.throughput.millions()},
                 {"unloaded_latency_us", to_nanoseconds(all.unloaded_latency) / 1e3},
                 {"bottleneck", all.bottleneck},
                 {"next", all.next},
                 {"gap", all.gap},
                 {"assumed_shares", all.assumed_shares},
                 {"sharing", all.sharing},
                 {"shared_mops", all.shared ? Json(all.shared->millions()) : Json(nullptr)},
                 {"left_out", all.left_out}};
  if (!point.scenario.is_about_programs()) {
    result["bandwidth_bytes_per_second"] = all.bandwidth.bytes_per_second;
  } else {
    result["mean_value_mops"] = mean_value ? Json(mean_value->millions()) : Json(nullptr);
  }
  return result;
}

ClosedForm closed_form(const model::Scenario& scenario) {
  if (!scenario.is_about_programs()) return {analytic::scenario_bounds(scenario), {}};
  const analytic::Analysis analysis = analytic::analyze(scenario);
  return {analysis, analysis.mean_value};
}

}  // namespace

void add_analyze(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("analyze", "Bound a scenario in closed form: demand and limit of every resource");
  const auto arguments = add_load_arguments(*command);
  const auto format = std::make_shared<std::string>("text");
  command->add_option("--format", *format, "text (default) or json")->check(CLI::IsMember({"text", "json"}));
  const auto chosen = std::make_shared<std::optional<std::size_t>>();
  command->add_option("--point", *chosen, "Only this point of a sweep, from 0")->check(whole_number(0, last_point));
  command->callback([arguments, format, chosen] {
    std::vector<scenario::Point> points = scenario::load(arguments->file, arguments->options);
    if (*chosen) points = {chosen_point(std::move(points), **chosen)};
    Output output{std::nullopt};
    std::string text;
    Json document = Json::array();
    for (const scenario::Point& point : points) {
      const ClosedForm form = closed_form(point.scenario);
      if (*format == "text") {
        text += (text.empty() ? "" : "\n") + as_text(point, form, output.layout());
      } else {
        document.push_back(as_json(point, form));
      }
    }
    output.write(*format == "text" ? text : document.dump(2) + "\n");
  });
}

}  // namespace doorbell::cli
