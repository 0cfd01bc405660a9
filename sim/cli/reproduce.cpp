// doorbell reproduce: published figures again, with their errors.
#include "figures/reproduce.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "cli/commands.hpp"
#include "cli/external_data.hpp"
#include "cli/numbers.hpp"
#include "cli/output.hpp"
#include "cli/session.hpp"
#include "figures/baseline.hpp"
#include "figures/catalogue.hpp"
#include "figures/gnuplot.hpp"
#include "figures/output.hpp"
#include "figures/reference.hpp"
#include "figures/report.hpp"
#include "models/common/replications.hpp"
#include "scenario/data_directory.hpp"
#include "scenario/document.hpp"

namespace doorbell::cli {
namespace {

struct ReproductionRequest {
  figures::ReproduceOptions options{.ids = {}, .folder = {}, .seed = {}, .external = default_external_data()};
  std::string folder;
  std::string format = "text";
  std::optional<std::string> baseline;
  bool check = false;
  int jobs = 0;  ///< 0: as many as the machine has.
};

/// A folder that cannot be had should be known before the simulations, not after them; where there is nothing to
/// simulate, none is wanted.
void make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error || !std::filesystem::is_directory(folder) || access(folder.c_str(), W_OK) != 0) {
    throw UsageError{scenario::ErrorCode::no_place,
                     fmt::format("--out {}: no folder that can be written to", folder.string())};
  }
}

/// The same of pictures.
void require_drawing(const std::vector<figures::Figure>& figures) {
  if (std::ranges::all_of(figures, [](const figures::Figure& figure) { return figure.panels.empty(); })) return;
  try {
    figures::require_gnuplot();
  } catch (const std::runtime_error& error) {
    throw UsageError{scenario::ErrorCode::no_place,
                     fmt::format("--out: no pictures without gnuplot: {}", error.what())};
  }
}

/// Says on standard error what the user asked to be told by the exit status.
void judge(const figures::Reproduction& reproduction, const std::optional<figures::Comparison>& comparison, bool check,
           Session& session) {
  if (comparison && comparison->differs()) session.status = 1;
  if (!check) return;
  if (reproduction.collections.empty()) {
    fmt::print(stderr, "no figures: nothing to check\n");
    session.status = 1;
  }
  for (const figures::Collection& collection : reproduction.collections) {
    const figures::Summary summary = summary_of(collection, reproduction.results);
    if (!is_checked(collection, summary)) {
      fmt::print(stderr, "{}: {}: nothing to check\n", collection.name,
                 collection.targets ? "its targets.json has no target for any of its points or claims"
                                    : "no targets.json beside its figures");
      session.status = 1;
      continue;
    }
    const auto missed = misses(collection, summary).names();
    if (missed.empty()) continue;
    fmt::print(stderr, "{}: targets missed: {}\n", collection.name, fmt::join(missed, ", "));
    session.status = 1;
  }
}

void reproduce(const ReproductionRequest& request, Session& session) {
  figures::ReproduceOptions options = request.options;
  std::optional<figures::Baseline> baseline;
  if (request.baseline) baseline = figures::read_baseline(*request.baseline);
  options.before_runs = [&](const std::vector<figures::Figure>& figures) {
    std::vector<std::string> ids;
    ids.reserve(figures.size());
    for (const figures::Figure& figure : figures) ids.push_back(figure.id);
    if (baseline) figures::require_common_figure(*baseline, ids);
    if (!options.folder) return;
    require_drawing(figures);
    make_folder(*options.folder);
  };
  const auto announce = [](const std::string& id) {
    if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "running {}\n", id);
  };
  const figures::Reproduction reproduction =
      figures::reproduce(options, scenario::data_directory(session.data_dir), figures::default_engine(), announce);
  for (const std::string& sentence : reproduction.left_out) fmt::print(stderr, "{}\n", sentence);
  for (const std::string& sentence : reproduction.unshown) fmt::print(stderr, "{}\n", sentence);
  if (options.folder) figures::write_all(reproduction, *options.folder, DOORBELL_VERSION, options.jobs);

  std::optional<figures::Comparison> comparison;
  if (baseline) comparison = figures::compare(*baseline, reproduction.results);
  judge(reproduction, comparison, request.check, session);
  if (request.format == "json") {
    print(figures::to_json(reproduction.results, reproduction.collections, DOORBELL_VERSION).dump(2) + "\n");
    return;
  }
  std::string text = figures::text_report(reproduction.results, reproduction.collections) +
                     figures::hidden_report(reproduction.figures, reproduction.results);
  if (comparison) text += figures::comparison_report(*comparison);
  if (options.folder) {
    const std::filesystem::path folder = std::filesystem::absolute(*options.folder).lexically_normal();
    text += fmt::format("\nPictures and tables: {}\nPage: {}\n", folder.string(), (folder / "index.html").string());
  }
  print(text);
}

}  // namespace

void add_reproduce(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("reproduce", "Simulate published figures and compare with what was measured");
  auto request = std::make_shared<ReproductionRequest>();
  command->add_option("id", request->options.ids,
                      "Figures: an id such as kalia16/fig07, a prefix of ids, or a file of your own; none means all");
  auto* folder =
      command->add_option("--out", request->folder, "Folder for results.json, CSVs, pictures and index.html");
  auto* data = command->add_option(
      "--data", request->options.external,
      "Folder of measurements that are not part of Doorbell: rdma_bench/, pcie-bench/ and hostnet/, as in the README");
  command->add_option("--baseline", request->baseline,
                      "results.json of an earlier run: say what moved by more than its intervals and 1 % (status 1)");
  command->add_flag("--check", request->check, "Status 1 when a target of targets.json beside the figures is missed");
  command->add_option("--format", request->format, "text or json on standard output")
      ->check(CLI::IsMember({"text", "json"}));
  command->add_option("--jobs", request->jobs, "Points simulated at a time; 0: as many as there are cores")
      ->check(whole_number(0, most_jobs));
  command->add_option("--seed", request->options.seed, "Seed of all scenarios, instead of their own")
      ->check(whole_number(0, scenario::largest_seed));
  command
      ->add_option("--seeds", request->options.seeds,
                   "Runs of every point, each with the next seed: points and claims take their means, and what limits "
                   "is that of the first")
      ->check(whole_number(1, model::most_seeds));
  command->callback([=, &session] {
    request->options.jobs = jobs_or_cores(request->jobs);
    if (folder->count() > 0) request->options.folder = request->folder;
    if (data->count() > 0) scenario::require_folder(request->options.external.value_or(""), "--data");
    try {
      reproduce(*request, session);
    } catch (const figures::UsageError& error) {
      throw UsageError{scenario::ErrorCode::not_there, error.what()};
    } catch (const figures::PlaceError& error) {
      throw UsageError{scenario::ErrorCode::no_place, error.what()};
    } catch (const figures::DefinitionError& error) {
      throw UsageError{scenario::ErrorCode::not_at_hand, error.what()};
    }
  });
}

}  // namespace doorbell::cli
