// doorbell run: simulates every point of a scenario and prints what came out.
#include <CLI/CLI.hpp>
#include <memory>

#include "cli/commands.hpp"
#include "cli/load_arguments.hpp"
#include "cli/output.hpp"
#include "cli/request_csv.hpp"
#include "cli/result_csv.hpp"
#include "cli/result_json.hpp"
#include "cli/result_text.hpp"
#include "cli/run_points.hpp"

namespace doorbell::cli {
namespace {

struct Choices {
  unsigned jobs = 0;
  std::string format = "text";
  std::optional<std::filesystem::path> out;
  std::optional<std::filesystem::path> requests;
};

std::string formatted(const Report& report, const std::string& format) {
  if (format == "json") return result_json(report);
  if (format == "csv") return result_csv(report);
  return result_text(report);
}

}  // namespace

void add_run(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("run", "Simulate a scenario and print throughput, latency and the bottleneck");
  const auto arguments = add_load_arguments(*command);
  const auto choices = std::make_shared<Choices>();
  command->add_option("--jobs,-j", choices->jobs, "Points simulated at a time; as many as there are cores by default")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--format", choices->format, "text, json or csv")->check(CLI::IsMember({"text", "json", "csv"}));
  command->add_option("--out,-o", choices->out, "File to write instead of standard output");
  command->add_option("--requests", choices->requests,
                      "CSV file for every request of a replayed trace, with its latency");
  command->callback([arguments, choices] {
    scenario::ScenarioFile loaded = scenario::load_file(arguments->file, arguments->options);
    Output output{choices->out};
    std::optional<Output> requests;
    if (choices->requests) requests.emplace(choices->requests);
    const Report report = run_points(arguments->file, std::move(loaded), choices->jobs);
    output.write(formatted(report, choices->format));
    if (requests) requests->write(request_csv(report));
  });
}

}  // namespace doorbell::cli
