// doorbell analyze: the closed form of a scenario, without running it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "analytic/analysis.hpp"
#include "analytic/scenario_bounds.hpp"
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

constexpr int decimals = 2;

/// Heading and rows of one shape; `unit` is how much room a bound takes.
std::string bounds_table(const analytic::Bounds& bounds, Layout layout, std::size_t unit,
                         const std::function<std::string(const analytic::Bound&)>& limit_of) {
  const std::size_t numbers = 12 + 1 + 9 + 1 + unit;
  const std::size_t usual = 54 - unit;
  std::size_t widest = usual;
  for (const analytic::Bound& bound : bounds.bounds) widest = std::max(widest, width(bound.resource));
  const std::size_t room = layout.tables > numbers + 1 ? layout.tables - numbers - 1 : 0;
  const std::size_t names = std::clamp(room, std::size_t{12}, widest);
  const auto row = [&](const std::string& name, const auto& demand, const auto& servers, const std::string& limit) {
    return fmt::format("{:<{}} {:>12} {:>9} {:>{}}\n", shortened(name, names), names, demand, servers, limit, unit);
  };
  std::string text = row("Resource", "demand", "servers", "bound");
  for (const analytic::Bound& bound : bounds.bounds) {
    text += row(bound.resource, time_text(bound.demand, decimals), fmt::format("{:g}", bound.servers), limit_of(bound));
  }
  return text;
}

std::string rates_table(const analytic::Bounds& bounds, Layout layout) {
  return bounds_table(bounds, layout, 12, [](const analytic::Bound& bound) { return rate_text(bound.limit); }) +
         fmt::format("\nBound        {}\n", rate_text(bounds.throughput));
}

/// The same for what moves blocks.
std::string bandwidths_table(const analytic::Bounds& bounds, Layout layout) {
  const double mebibytes = bounds.bandwidth.bytes_per_second / (1024 * 1024);
  const auto limit_of = [&](const analytic::Bound& bound) {
    return fmt::format("{:.1f} MiB/s", mebibytes * (bound.limit.per_second / bounds.throughput.per_second));
  };
  return bounds_table(bounds, layout, 14, limit_of) + fmt::format("\nBound        {:.1f} MiB/s\n", mebibytes);
}

std::string as_text(const scenario::Point& point, const ClosedForm& form, Layout layout) {
  const auto& [bounds, mean_value] = form;
  std::string text;
  for (const auto& [path, value] : point.coordinates) text += wrapped(fmt::format("{} = {}", path, value), 2, layout);
  if (bounds.bounds.empty()) return text + "Nothing bounds it: there are no requests.\n";
  const bool moves_blocks = bounds.bandwidth.bytes_per_second > 0;
  text += moves_blocks ? bandwidths_table(bounds, layout) : rates_table(bounds, layout);
  if (mean_value) text += fmt::format("Mean value   {}, with queueing\n", rate_text(*mean_value));
  text += fmt::format("Unloaded     {}\n", time_text(bounds.unloaded_latency, decimals));
  text += wrapped(fmt::format("Bottleneck   {}", bounds.bottleneck), 2, layout);
  if (!bounds.next.empty())
    text += wrapped(fmt::format("Next         {}, at {:.2f} times the rate", bounds.next, bounds.gap), 2, layout);
  if (!bounds.assumed_shares.empty()) {
    text +=
        wrapped(fmt::format("Assumed      {} start work, each as much as it keeps under way or as arrives at it: what "
                            "they really take decides, and a run may pass this bound",
                            fmt::join(bounds.assumed_shares, " and ")),
                2, layout);
  }
  for (const std::string& what : bounds.left_out) text += wrapped("Left out     " + what, 2, layout);
  return text;
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
