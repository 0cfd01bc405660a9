#include "figures/reproduce.hpp"

#include <fmt/format.h>

#include "figures/catalogue.hpp"
#include "figures/output.hpp"
#include "figures/page.hpp"
#include "figures/picture.hpp"
#include "figures/whole_file.hpp"

namespace doorbell::figures {
namespace {

/// Figures of the catalogue, and files of figures elsewhere, whose id is their own affair.
std::vector<CatalogueEntry> chosen(const std::vector<std::string>& arguments, const std::filesystem::path& data) {
  std::vector<std::string> ids;
  std::vector<CatalogueEntry> files;
  for (const std::string& argument : arguments) {
    if (argument.ends_with(".json")) {
      files.push_back({{}, argument});
    } else {
      ids.push_back(argument);
    }
  }
  if (!files.empty() && ids.empty()) return files;
  std::vector<CatalogueEntry> all = select(list_figures(data), ids);
  all.insert(all.end(), files.begin(), files.end());
  return all;
}

}  // namespace

Reproduction reproduce(const ReproduceOptions& options, const std::filesystem::path& data, const Engine& engine,
                       const std::function<void(const std::string& id)>& progress) {
  Reproduction reproduction;
  // All definitions are read before the first run: a mistake in the last should not cost the time of the others.
  for (const CatalogueEntry& entry : chosen(options.ids, data)) {
    reproduction.figures.push_back(read_figure(entry.file));
    Figure& figure = reproduction.figures.back();
    if (!entry.id.empty() && figure.id != entry.id) {
      throw scenario::ScenarioError{{scenario::ErrorCode::wrong_id, figure.id_at, "/id",
                                     scenario::in_quotes(entry.id) + ", after its path", scenario::in_quotes(figure.id),
                                     std::string{}}};
    }
    if (!figure.external) continue;
    if (options.external && std::filesystem::exists(*options.external / figure.external->file)) {
      figure.reference = read_external(*figure.external, *options.external);
    } else {
      reproduction.left_out.push_back(figure.id + ": " + left_out_sentence(*figure.external));
    }
  }
  reproduction.collections = collect(reproduction.figures);
  Evaluator evaluator{engine, options.jobs, options.seed};
  for (const Figure& figure : reproduction.figures) {
    progress(figure.id);
    reproduction.results.push_back(evaluator.evaluate(figure));
  }
  return reproduction;
}

void write_all(const Reproduction& reproduction, const std::filesystem::path& folder, const std::string& version,
               int jobs) {
  std::filesystem::create_directories(folder);
  for (const FigureResult& result : reproduction.results) {
    write_atomically(folder / (file_stem(result.id) + ".csv"), to_csv(result));
  }
  draw(reproduction.figures, reproduction.results, folder, jobs);
  write_atomically(folder / "index.html",
                   html_page(reproduction.figures, reproduction.results, reproduction.collections, folder, version));
  write_atomically(folder / "results.json",
                   to_json(reproduction.results, reproduction.collections, version).dump(2) + "\n");
}

}  // namespace doorbell::figures
