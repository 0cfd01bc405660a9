// doorbell reproduce: published figures again, with their errors.
#include "figures/reproduce.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "cli/commands.hpp"
#include "cli/external_data.hpp"
#include "cli/session.hpp"
#include "figures/catalogue.hpp"
#include "figures/output.hpp"
#include "figures/reference.hpp"
#include "figures/report.hpp"
#include "scenario/data_directory.hpp"

namespace doorbell::cli {
namespace {

struct ReproductionRequest {
  figures::ReproduceOptions options;
  std::string folder;
  std::string external{default_external_data};  ///< Empty: none.
  std::string format = "text";
  int jobs = 0;  ///< 0: as many as the machine has.
  std::uint64_t seed = 0;
};

/// A folder that cannot be had should be known before the simulations, not after them.
void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder) || access(folder.c_str(), W_OK) != 0) {
    throw UsageError{fmt::format("--out {}: no folder that can be written to", folder.string())};
  }
}

void reproduce(const ReproductionRequest& request, const Session& session) {
  const auto& options = request.options;
  if (options.folder) make_folder(*options.folder);
  const auto announce = [](const std::string& id) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "running {}\n", id);
  };
  const figures::Reproduction reproduction =
      figures::reproduce(options, scenario::data_directory(session.data_dir), figures::default_engine(), announce);
  for (const std::string& sentence : reproduction.left_out) fmt::print(stderr, "{}\n", sentence);
  if (options.folder) figures::write_all(reproduction, *options.folder, DOORBELL_VERSION, options.jobs);

  if (request.format == "json") {
    fmt::print("{}\n", figures::to_json(reproduction.results, DOORBELL_VERSION).dump(2));
    return;
  }
  fmt::print("{}{}", figures::text_report(reproduction.results),
             figures::hidden_report(reproduction.figures, reproduction.results));
  if (options.folder) {
    const std::filesystem::path folder = std::filesystem::absolute(*options.folder).lexically_normal();
    fmt::print("\nPictures and tables: {}\nPage: {}\n", folder.string(), (folder / "index.html").string());
  }
}

}  // namespace

void add_reproduce(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("reproduce", "Simulate published figures and compare with what was measured");
  auto request = std::make_shared<ReproductionRequest>();
  command->add_option("id", request->options.ids,
                      "Figures: an id such as kalia16/fig07, a prefix of ids, or a file of your own; none means all");
  auto* folder =
      command->add_option("--out", request->folder, "Folder for results.json, CSVs, pictures and index.html");
  command
      ->add_option("--data", request->external,
                   "Folder of measurements that are not part of Doorbell: rdma_bench/rc_swarm_sweeps.csv")
      ->check(CLI::ExistingDirectory);
  command->add_option("--format", request->format, "text or json on standard output")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("--jobs", request->jobs, "Points simulated at a time; 0: as many as there are cores")
      ->check(CLI::Range(0, 1024));
  auto* seed = command->add_option("--seed", request->seed, "Seed of all scenarios, instead of their own");
  command->callback([=, &session] {
    request->options.jobs =
        request->jobs > 0 ? request->jobs : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    if (folder->count() > 0) request->options.folder = request->folder;
    if (!request->external.empty()) request->options.external = request->external;
    if (seed->count() > 0) request->options.seed = request->seed;
    try {
      reproduce(*request, session);
    } catch (const figures::UsageError& error) {
      throw UsageError{error.what()};
    } catch (const figures::DefinitionError& error) {
      throw UsageError{error.what()};
    }
  });
}

}  // namespace doorbell::cli
