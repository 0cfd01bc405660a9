// doorbell analyze: the closed form of a scenario, without running it.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "analytic/analysis.hpp"
#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/session.hpp"

namespace doorbell::cli {
namespace {

using Json = nlohmann::ordered_json;

void print_text(const scenario::Point& point, const analytic::Analysis& analysis) {
  for (const auto& [path, value] : point.coordinates) fmt::print("{} = {}\n", path, value);
  fmt::print("{:<42} {:>12} {:>9} {:>12}\n", "Resource", "demand", "servers", "bound");
  for (const analytic::Bound& bound : analysis.bounds) {
    fmt::print("{:<42.42} {:>9.2f} ns {:>9g} {:>8.2f} M/s\n", bound.resource, to_nanoseconds(bound.demand),
               bound.servers, bound.limit.millions());
  }
  fmt::print("\nBound        {:.2f} M/s\n", analysis.throughput.millions());
  if (analysis.mean_value) fmt::print("Mean value   {:.2f} M/s, with queueing\n", analysis.mean_value->millions());
  fmt::print("Unloaded     {:.2f} us\n", to_nanoseconds(analysis.unloaded_latency) / 1e3);
  fmt::print("Bottleneck   {}\n", analysis.bottleneck);
  if (!analysis.next.empty()) fmt::print("Next         {}, at {:.2f} times the rate\n", analysis.next, analysis.gap);
}

Json as_json(const scenario::Point& point, const analytic::Analysis& analysis) {
  Json coordinates = Json::object();
  for (const auto& [path, value] : point.coordinates) coordinates[path] = value;
  Json bounds = Json::array();
  for (const analytic::Bound& bound : analysis.bounds) {
    bounds.push_back({{"resource", bound.resource},
                      {"demand_ns", to_nanoseconds(bound.demand)},
                      {"servers", bound.servers},
                      {"bound_mops", bound.limit.millions()}});
  }
  Json result{{"coordinates", coordinates},
              {"bounds", bounds},
              {"throughput_mops", analysis.throughput.millions()},
              {"unloaded_latency_us", to_nanoseconds(analysis.unloaded_latency) / 1e3},
              {"bottleneck", analysis.bottleneck},
              {"next", analysis.next},
              {"gap", analysis.gap}};
  result["mean_value_mops"] = analysis.mean_value ? Json(analysis.mean_value->millions()) : Json(nullptr);
  return result;
}

}  // namespace

void add_analyze(CLI::App& app, Session&) {
  auto* command = app.add_subcommand("analyze", "Bound a scenario in closed form: demand and limit of every resource");
  const auto arguments = add_load_arguments(*command);
  const auto format = std::make_shared<std::string>("text");
  command->add_option("--format", *format, "text (default) or json")->check(CLI::IsMember({"text", "json"}));
  command->callback([arguments, format] {
    const std::vector<scenario::Point> points = load_programs(*arguments);
    Json document = Json::array();
    for (std::size_t i = 0; i < points.size(); ++i) {
      const analytic::Analysis analysis = analytic::analyze(points[i].scenario);
      if (*format == "json") {
        document.push_back(as_json(points[i], analysis));
        continue;
      }
      if (i > 0) fmt::print("\n");
      print_text(points[i], analysis);
    }
    if (*format == "json") fmt::print("{}\n", document.dump(2));
  });
}

}  // namespace doorbell::cli
