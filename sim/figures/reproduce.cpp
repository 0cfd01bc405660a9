#include "figures/reproduce.hpp"

#include <fmt/format.h>

#include "figures/catalogue.hpp"
#include "figures/output.hpp"
#include "figures/page.hpp"
#include "figures/picture.hpp"

namespace doorbell::figures {

Reproduction reproduce(const ReproduceOptions& options, const std::filesystem::path& data, const Engine& engine,
                       const std::function<void(const std::string& id)>& progress) {
  Reproduction reproduction;
  // All definitions are read before the first run: a mistake in the last should not cost the time of the others.
  for (const CatalogueEntry& entry : select(list_figures(data), options.ids)) {
    reproduction.figures.push_back(read_figure(entry.file));
    if (reproduction.figures.back().id != entry.id) {
      throw DefinitionError{fmt::format("{}: /id: is '{}', expected '{}' after its path", entry.file.string(),
                                        reproduction.figures.back().id, entry.id)};
    }
    Figure& figure = reproduction.figures.back();
    if (!figure.external) continue;
    if (options.external && std::filesystem::exists(*options.external / figure.external->file)) {
      figure.reference = read_external(*figure.external, *options.external);
    } else {
      reproduction.left_out.push_back(
          fmt::format("{}: measured points left out; `--data DIR` takes them from DIR/{}, which is made from {}",
                      figure.id, figure.external->file, figure.external->available));
    }
  }
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
  write_atomically(folder / "index.html", html_page(reproduction.figures, reproduction.results, folder, version));
  write_atomically(folder / "results.json", to_json(reproduction.results, version).dump(2) + "\n");
}

}  // namespace doorbell::figures
