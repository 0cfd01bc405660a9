// doorbell run: simulates every point of a scenario and prints what came out.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/request_csv.hpp"
#include "cli/result_csv.hpp"
#include "cli/result_json.hpp"
#include "cli/result_text.hpp"
#include "cli/run_points.hpp"
#include "cli/session.hpp"
#include "models/common/replications.hpp"
#include "scenario/quantity_text.hpp"

namespace doorbell::cli {
namespace {

struct RunChoices {
  std::optional<std::size_t> point;
  unsigned seeds = 1;
  unsigned jobs = 0;
  std::string format = "text";
  std::optional<std::filesystem::path> out;
  std::optional<std::filesystem::path> requests;
  std::optional<std::filesystem::path> trace;
  std::optional<std::string> trace_length;
};

std::string formatted(const Report& report, const std::string& format, Layout layout) {
  if (format == "json") return result_json(report);
  if (format == "csv") return result_csv(report);
  return result_text(report, layout);
}

/// What --trace-length says.
std::optional<Time> length_of(const RunChoices& choices) {
  if (!choices.trace_length) return {};
  const scenario::QuantityResult length = scenario::parse_quantity(*choices.trace_length, scenario::Dimension::time);
  const double* picoseconds = std::get_if<double>(&length);
  constexpr double longest = 1000e12;  // as the measured time of any scenario
  if (picoseconds == nullptr || *picoseconds <= 0 || *picoseconds > longest) {
    throw UsageError{scenario::ErrorCode::option_value,
                     fmt::format("--trace-length: expected a time up to 1000 s, such as \"20 us\", found {}",
                                 scenario::in_quotes(*choices.trace_length))};
  }
  return Time{std::llround(*picoseconds)};
}

/// Only what replays a trace tells its requests.
void require_trace(const scenario::ScenarioFile& loaded) {
  const auto replays = [](const scenario::Point& point) {
    const auto* shared_files = point.scenario.find<model::SharedFilesScenario>();
    return shared_files != nullptr && shared_files->trace;
  };
  if (std::any_of(loaded.points.begin(), loaded.points.end(), replays)) return;
  throw UsageError{scenario::ErrorCode::other_kind,
                   "--requests: expected a scenario that replays a trace (shared_files/trace), found none"};
}

/// What one run shows has no mean.
void require_one_seed(const RunChoices& choices) {
  if (choices.seeds == 1 || !(choices.trace || choices.requests)) return;
  throw UsageError{scenario::ErrorCode::options_together,
                   fmt::format("--seeds excludes {}, which tells of one run: expected 1, found {}",
                               choices.trace ? "--trace" : "--requests", choices.seeds)};
}

Report run_traced(const std::string& file, scenario::ScenarioFile loaded, const RunChoices& choices) {
  if (loaded.points.size() > 1) {
    throw UsageError{scenario::ErrorCode::other_kind,
                     fmt::format("--trace: expected a scenario of one point, found {}; choose one with --point",
                                 loaded.points.size())};
  }
  const std::optional<Time> length = length_of(choices);
  Output output{choices.trace, "--trace"};
  std::optional<Report> report;
  {
    core::TraceWriter writer{output.stream()};
    const model::Tracing request{writer, length};
    report = run_points(file, std::move(loaded), 1, 1, &request);
  }
  output.finish();
  return *std::move(report);
}

}  // namespace

void add_run(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("run", "Simulate a scenario and print throughput, latency and the bottleneck");
  const auto arguments = add_load_arguments(*command);
  const auto choices = std::make_shared<RunChoices>();
  command->add_option("--point", choices->point, "Only this point of a sweep, from 0")
      ->check(whole_number(0, last_point));
  command
      ->add_option(
          "--seeds", choices->seeds,
          "Runs of every point, each with the next seed; rates, latencies, utilisations, counters and levels are "
          "their means, intervals those between them, and the bottleneck that of the first")
      ->check(whole_number(1, model::most_seeds));
  command->add_option("--jobs,-j", choices->jobs, "Points simulated at a time; 0: as many as there are cores")
      ->check(whole_number(0, most_jobs));
  command->add_option("--format", choices->format, "text, json or csv")->check(CLI::IsMember({"text", "json", "csv"}));
  command->add_option("--out,-o", choices->out, "File to write instead of standard output");
  command->add_option("--requests", choices->requests,
                      "CSV file for every request of a replayed trace, with its latency; of one seed");
  auto* trace = command->add_option("--trace", choices->trace,
                                    "Trace of the beginning of the measured time, for ui.perfetto.dev; of one seed");
  command
      ->add_option("--trace-length", choices->trace_length,
                   "How much is traced, such as \"20 us\"; a twentieth of the measured time by default")
      ->needs(trace);
  command->callback([arguments, choices] {
    require_one_seed(*choices);
    require_other_file("--requests", choices->requests, "--out", choices->out);
    require_other_file("--trace", choices->trace, "--out", choices->out);
    require_other_file("--trace", choices->trace, "--requests", choices->requests);
    scenario::ScenarioFile loaded = scenario::load_file(arguments->file, arguments->options);
    if (choices->point) loaded.points = {chosen_point(std::move(loaded.points), *choices->point)};
    if (choices->requests) require_trace(loaded);
    Output output{choices->out};
    std::optional<Output> requests;
    if (choices->requests) requests.emplace(choices->requests, "--requests");
    const Report report = choices->trace
                              ? run_traced(arguments->file, std::move(loaded), *choices)
                              : run_points(arguments->file, std::move(loaded), choices->jobs, choices->seeds);
    output.write(formatted(report, choices->format, output.layout()));
    if (requests) requests->write(request_csv(report));
  });
}

}  // namespace doorbell::cli
