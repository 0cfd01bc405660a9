#include "figures/picture.hpp"

#include "figures/chart.hpp"
#include "figures/gnuplot.hpp"
#include "figures/output.hpp"
#include "figures/parallel.hpp"
#include "figures/whole_file.hpp"

namespace doorbell::figures {
namespace {

struct Job {
  const Figure* figure = nullptr;
  const Panel* panel = nullptr;
  const FigureResult* result = nullptr;
};

}  // namespace

std::string panel_stem(const Figure& figure, const Panel& panel) {
  const std::string folder = figure.id.substr(0, figure.id.rfind('/') + 1);
  return file_stem(folder + panel.name);
}

void draw(const std::vector<Figure>& figures, const std::vector<FigureResult>& results,
          const std::filesystem::path& folder, int jobs) {
  std::vector<Job> work;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    for (const Panel& panel : figures[i].panels) work.push_back({&figures[i], &panel, &results[i]});
  }
  for_each_in_parallel(work, jobs, [&](const Job& job) {
    const Drawing drawing = run_gnuplot(gnuplot_script(*job.figure, *job.panel, *job.result));
    const std::string stem = panel_stem(*job.figure, *job.panel);
    write_atomically(folder / (stem + ".svg"), drawing.svg);
    write_atomically(folder / (stem + ".png"), drawing.png);
  });
}

}  // namespace doorbell::figures
