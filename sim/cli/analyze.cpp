// doorbell analyze: the closed form of a scenario, without running it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "analytic/analysis.hpp"
#include "analytic/scenario_bounds.hpp"
#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/session.hpp"

namespace doorbell::cli {
namespace {

using Json = nlohmann::ordered_json;

struct ClosedForm {
  analytic::Bounds bounds;
  std::optional<Rate> mean_value;  ///< Only for machines and programs.
};

void print_coordinates(const scenario::Point& point) {
  for (const auto& [path, value] : point.coordinates) fmt::print("{} = {}\n", path, value);
}

void print_end(const analytic::Bounds& bounds) {
  fmt::print("Unloaded     {:.2f} us\n", to_nanoseconds(bounds.unloaded_latency) / 1e3);
  fmt::print("Bottleneck   {}\n", bounds.bottleneck);
  if (!bounds.next.empty()) fmt::print("Next         {}, at {:.2f} times the rate\n", bounds.next, bounds.gap);
}

void print_rates(const analytic::Bounds& bounds) {
  fmt::print("{:<42} {:>12} {:>9} {:>12}\n", "Resource", "demand", "servers", "bound");
  for (const analytic::Bound& bound : bounds.bounds) {
    fmt::print("{:<42.42} {:>9.2f} ns {:>9g} {:>8.2f} M/s\n", bound.resource, to_nanoseconds(bound.demand),
               bound.servers, bound.limit.millions());
  }
  fmt::print("\nBound        {:.2f} M/s\n", bounds.throughput.millions());
}

/// The same for what moves blocks.
void print_bandwidths(const analytic::Bounds& bounds) {
  const double mebibytes = bounds.bandwidth.bytes_per_second / (1024 * 1024);
  fmt::print("{:<40} {:>12} {:>9} {:>14}\n", "Resource", "demand", "servers", "bound");
  for (const analytic::Bound& bound : bounds.bounds) {
    fmt::print("{:<40.40} {:>9.2f} us {:>9g} {:>8.1f} MiB/s\n", bound.resource, to_nanoseconds(bound.demand) / 1e3,
               bound.servers, mebibytes * (bound.limit.per_second / bounds.throughput.per_second));
  }
  fmt::print("\nBound        {:.1f} MiB/s\n", mebibytes);
}

void print_text(const scenario::Point& point, const ClosedForm& form) {
  const auto& [bounds, mean_value] = form;
  print_coordinates(point);
  if (bounds.bandwidth.bytes_per_second > 0) {
    print_bandwidths(bounds);
  } else {
    print_rates(bounds);
  }
  if (mean_value) fmt::print("Mean value   {:.2f} M/s, with queueing\n", mean_value->millions());
  print_end(bounds);
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
                 {"gap", all.gap}};
  if (point.scenario.programs.empty()) {
    result["bandwidth_bytes_per_second"] = all.bandwidth.bytes_per_second;
  } else {
    result["mean_value_mops"] = mean_value ? Json(mean_value->millions()) : Json(nullptr);
  }
  return result;
}

ClosedForm closed_form(const model::Scenario& scenario) {
  if (scenario.programs.empty()) return {analytic::scenario_bounds(scenario), std::nullopt};
  const analytic::Analysis analysis = analytic::analyze(scenario);
  return {analysis, analysis.mean_value};
}

}  // namespace

void add_analyze(CLI::App& app, Session&) {
  auto* command = app.add_subcommand("analyze", "Bound a scenario in closed form: demand and limit of every resource");
  const auto arguments = add_load_arguments(*command);
  const auto format = std::make_shared<std::string>("text");
  command->add_option("--format", *format, "text (default) or json")->check(CLI::IsMember({"text", "json"}));
  command->callback([arguments, format] {
    const std::vector<scenario::Point> points = scenario::load(arguments->file, arguments->options);
    Json document = Json::array();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const ClosedForm form = closed_form(points[i].scenario);
      if (*format == "text") {
        if (i > 0) fmt::print("\n");
        print_text(points[i], form);
      } else {
        document.push_back(as_json(points[i], form));
      }
    }
    if (*format == "json") fmt::print("{}\n", document.dump(2));
  });
}

}  // namespace doorbell::cli
