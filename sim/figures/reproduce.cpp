#include "figures/reproduce.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "figures/catalogue.hpp"
#include "figures/output.hpp"
#include "figures/page.hpp"
#include "figures/picture.hpp"
#include "figures/unshown.hpp"
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

/// Tables and pictures are named after figures and panels: of two with one name, the second would replace the first.
void require_own_files(const std::vector<Figure>& figures) {
  std::map<std::string, Mention> taken;
  const auto take = [&taken](const std::string& file, const std::string& name, const Mention& by) {
    const auto [entry, is_new] = taken.emplace(file, by);
    if (is_new) return;
    const scenario::Location& first = entry->second.at;
    throw scenario::ScenarioError{
        {scenario::ErrorCode::named_twice, by.at, by.pointer,
         fmt::format("another name: {} is that of {}:{}", file, first.file_name(), first.line),
         scenario::in_quotes(name), std::string{}}};
  };
  for (const Figure& figure : figures) {
    take(file_stem(figure.id) + ".csv", figure.id, {figure.id_at, "/id"});
    for (const Panel& panel : figure.panels) take(panel_stem(figure, panel) + ".svg", panel.name, panel.name_at);
  }
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
  require_own_files(reproduction.figures);
  reproduction.unshown = rows_without_series(reproduction.figures);
  std::ranges::move(series_without_use(reproduction.figures), std::back_inserter(reproduction.unshown));
  reproduction.collections = collect(reproduction.figures);
  Evaluator evaluator{engine, options.jobs, options.seed, options.seeds};
  for (const Figure& figure : reproduction.figures) evaluator.prepare(figure);
  if (options.before_runs && !reproduction.figures.empty()) options.before_runs(reproduction.figures);
  evaluator.try_names(reproduction.figures);
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
