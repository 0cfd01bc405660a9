#include "figures/picture.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include "figures/chart.hpp"
#include "figures/gnuplot.hpp"
#include "figures/output.hpp"
#include "figures/parallel.hpp"

namespace doorbell::figures {
namespace {

/// A folder that is gone when its owner is.
class ScratchFolder {
 public:
  explicit ScratchFolder(std::filesystem::path path) : path_{std::move(path)} {
    std::filesystem::create_directories(path_);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

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
  // Inside the target folder, so that the finished pictures are renamed and never copied.
  const ScratchFolder scratch{folder / fmt::format(".pictures.{}.tmp", getpid())};
  for_each_in_parallel(work, jobs, [&](const Job& job) {
    const std::string stem = panel_stem(*job.figure, *job.panel);
    const std::filesystem::path own = scratch.path() / stem;
    std::filesystem::create_directories(own);
    run_gnuplot(gnuplot_script(*job.figure, *job.panel, *job.result, own / "picture.svg", own / "picture.png"), own);
    std::filesystem::rename(own / "picture.svg", folder / (stem + ".svg"));
    std::filesystem::rename(own / "picture.png", folder / (stem + ".png"));
  });
}

}  // namespace doorbell::figures
