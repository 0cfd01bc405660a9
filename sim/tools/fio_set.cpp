#include "tools/fio_set.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "scenario/load.hpp"
#include "tools/fio.hpp"
#include "tools/output_file.hpp"

namespace doorbell::tools {
namespace {

using nlohmann::ordered_json;

enum class Axis { block, clones, depth };
constexpr std::array axes{Axis::block, Axis::clones, Axis::depth};

std::int64_t value_on(Axis axis, const FioJob& job) {
  switch (axis) {
    case Axis::block: return job.block;
    case Axis::clones: return job.clones;
    case Axis::depth: break;
  }
  return job.depth;
}

/// Of those that vary equally, the first.
Axis busiest_axis(const std::vector<FioResult>& results) {
  const auto variety = [&](Axis axis) {
    std::set<std::int64_t> values;
    for (const FioResult& result : results) values.insert(value_on(axis, result.job));
    return values.size();
  };
  return *std::max_element(axes.begin(), axes.end(), [&](Axis a, Axis b) { return variety(a) < variety(b); });
}

/// The job without what varies.
FioJob without(Axis axis, FioJob job) {
  if (axis == Axis::block) job.block = 0;
  if (axis == Axis::clones) job.clones = 0;
  if (axis == Axis::depth) job.depth = 0;
  return job;
}

std::string name_of(Axis axis, const FioJob& job) {
  std::string name = job.random ? "random " : "";
  name += job.read_percent == 100 ? "reads"
          : job.read_percent == 0 ? "writes"
                                  : fmt::format("{} % reads", job.read_percent);
  if (axis != Axis::block) name += fmt::format(" of {} B", job.block);
  if (axis != Axis::clones) name += fmt::format(", {} job{}", job.clones, job.clones == 1 ? "" : "s");
  if (axis != Axis::depth) name += fmt::format(", {} in flight", job.depth);
  return name;
}

/// Requests in flight of all clones.
std::int64_t outstanding(const FioJob& job) { return std::int64_t{job.depth} * job.clones; }

bool is_storage(const model::Scenario& scenario) { return scenario.find<model::StorageScenario>() != nullptr; }

/// The jobs of a series, as the load of the base scenario.
class Workload {
 public:
  Workload(const model::Scenario& base, Axis axis) : storage_{is_storage(base)}, axis_{axis} {}

  [[nodiscard]] std::string path() const {
    switch (axis_) {
      case Axis::block: return storage_ ? "/storage/request" : "/remote_memory/block/size";
      case Axis::clones: return storage_ ? "/storage/outstanding" : "/remote_memory/block/threads";
      case Axis::depth: break;
    }
    return storage_ ? "/storage/outstanding" : "/remote_memory/block/depth";
  }

  [[nodiscard]] ordered_json load_of(const FioJob& job) const {
    const std::string size = fmt::format("{} B", job.block);
    if (storage_) {
      return {{"storage",
               {{"operation", job.read_percent == 100 ? "read" : "write"},
                {"request", size},
                {"outstanding", outstanding(job)}}}};
    }
    return {{"remote_memory",
             {{"block",
               {{"threads", job.clones},
                {"depth", job.depth},
                {"size", size},
                {"read_share", job.read_percent / 100.0},
                {"order", job.random ? "random" : "sequential"}}}}}};
  }

  /// x of the job as the scenario has it: requests in flight of a storage server are those of all clones.
  [[nodiscard]] std::int64_t x_of(const FioJob& job) const {
    return storage_ && axis_ != Axis::block ? outstanding(job) : value_on(axis_, job);
  }
  [[nodiscard]] std::string x_label() const {
    if (axis_ == Axis::block) return "Block size (bytes)";
    if (storage_) return "Requests in flight";
    return axis_ == Axis::clones ? "Jobs" : "Requests in flight of each job";
  }
  [[nodiscard]] ordered_json value_of(const FioJob& job) const {
    if (axis_ == Axis::block) return fmt::format("{} B", job.block);
    return x_of(job);
  }

 private:
  bool storage_;
  Axis axis_;
};

/// Jobs go through the block layer of a device. What a scenario does to its machines in another way they cannot
/// replace.
void require_device(const model::Scenario& scenario, const std::filesystem::path& base) {
  if (is_storage(scenario)) return;
  std::string found = "another kind of scenario";
  if (const auto* remote_memory = scenario.find<model::RemoteMemoryScenario>()) {
    if (remote_memory->block && !remote_memory->block->in_handler) return;
    found = application_of(*remote_memory) != nullptr ? "an application that swaps"
            : remote_memory->files                    ? "a load of files"
                                                      : "a loop over verbs (in_handler)";
  }
  throw OutputError{base,          1,
                    std::string{}, "a scenario of a storage server, or of a remote-memory device with a block load",
                    found,         scenario::ErrorCode::wrong_file};
}

/// What the base sweeps beside the load has one value in all scenarios.
void note_lost_axes(const scenario::ScenarioFile& base, const std::string& name, std::vector<std::string>& notes) {
  for (const std::string& path : base.sweep_paths) {
    const bool of_load = path.starts_with("/remote_memory/block/") || path == "/storage/operation" ||
                         path == "/storage/request" || path == "/storage/outstanding";
    if (of_load) continue;
    notes.push_back(
        fmt::format("{} sweeps {}: the scenarios have the value that it has without the sweep", name, path));
  }
}

void check(const FioResult& result, const model::Scenario& base) {
  if (!is_storage(base)) return;
  const figures::Mention& job = result.mentions.job;
  if (result.job.random) throw OutputError{job, "sequential requests for a storage server", "random ones"};
  if (result.job.read_percent != 0 && result.job.read_percent != 100)
    throw OutputError{job, "reads or writes for a storage server", "both"};
}

using ResultsByX = std::map<std::int64_t, std::vector<FioResult>>;

/// Requests of a job that are told apart.
struct Direction {
  std::string kind;  ///< As the scenario calls them; empty where there are no others.
  Time FioResult::*median;
};

std::vector<Direction> directions_of(const FioJob& job) {
  if (job.read_percent == 100) return {{{}, &FioResult::read_median}};
  if (job.read_percent == 0) return {{{}, &FioResult::write_median}};
  return {{"reads", &FioResult::read_median}, {"writes", &FioResult::write_median}};
}

/// Values of the results at every x.
template <class Value> std::vector<MeasuredPoint> points_of(const ResultsByX& results, Value value) {
  std::vector<MeasuredPoint> points;
  for (const auto& [x, found] : results) {
    MeasuredPoint& point = points.emplace_back(MeasuredPoint{x, {}});
    const FioResult::Mentions& said = found.front().mentions;
    for (const char* load : {"/storage/request", "/remote_memory/block/size"}) point.said[load] = said.block;
    for (const char* load : {"/storage/outstanding", "/remote_memory/block/depth"}) point.said[load] = said.depth;
    point.said["/remote_memory/block/threads"] = said.clones;
    for (const FioResult& result : found) point.values.push_back(value(result));
  }
  return points;
}

/// Bandwidths and, where all jobs have one, medians; a note says where only some have.
void add_series(Measurements& measurements, Axis axis, const Workload& workload, const ResultsByX& points,
                const std::string& base) {
  const FioJob& job = points.begin()->second.front().job;
  const std::string name = name_of(axis, job);
  ordered_json values = ordered_json::array();
  for (const auto& [x, found] : points) values.push_back(workload.value_of(found.front().job));
  MeasuredSeries series;
  series.name = name;
  series.path = workload.path();
  series.x_label = workload.x_label();
  series.scenario = {{"extends", base}, {"title", "fio: " + name}};
  series.scenario.update(workload.load_of(job));
  series.scenario["sweep"] = ordered_json::array({{{"path", series.path}, {"values", values}}});
  series.mention = points.begin()->second.front().mentions.job;
  series.quantity = Quantity::bandwidth;
  series.points =
      points_of(points, [](const FioResult& result) { return result.bandwidth.bytes_per_second / bytes_per_mebibyte; });
  measurements.series.push_back(series);

  series.quantity = Quantity::latency;
  for (const Direction& direction : directions_of(job)) {
    series.kind = direction.kind;
    series.name = name + ", latency" + (direction.kind.empty() ? "" : " of " + direction.kind);
    series.points =
        points_of(points, [&](const FioResult& result) { return to_seconds(result.*direction.median) * 1e6; });
    std::ptrdiff_t runs = 0;
    std::ptrdiff_t without_median = 0;
    for (const MeasuredPoint& point : series.points) {
      runs += std::ssize(point.values);
      without_median += std::ranges::count(point.values, 0.0);
    }
    if (without_median == 0) {
      measurements.series.push_back(series);
    } else if (without_median < runs) {
      measurements.notes.push_back(fmt::format("\"{}\" is left out: {} of its {} jobs {} no median latency",
                                               series.name, without_median, runs,
                                               without_median == 1 ? "has" : "have"));
    }
  }
}

}  // namespace

Measurements measured_by_fio(const std::vector<std::filesystem::path>& files, const std::filesystem::path& base,
                             const std::filesystem::path& folder) {
  const scenario::ScenarioFile loaded = scenario::load_file(base);
  const model::Scenario& scenario = loaded.points.front().scenario;
  require_device(scenario, base);
  require_different(files);
  std::vector<FioResult> results;
  std::set<std::string> unknown_options;
  for (const auto& file : files) {
    FioOutput output = read_fio(file);
    unknown_options.merge(output.unknown_options);
    for (const FioResult& result : output.results) {
      check(result, scenario);
      results.push_back(result);
    }
  }
  const Axis axis = busiest_axis(results);
  const Workload workload{scenario, axis};
  std::map<FioJob, ResultsByX> groups;
  for (const FioResult& result : results) {
    groups[without(axis, result.job)][workload.x_of(result.job)].push_back(result);
  }

  Measurements measurements{"fio", files, {}, profile_named_by(base, "storage", folder), {}};
  if (std::any_of(results.begin(), results.end(), [](const FioResult& result) { return !result.direct; })) {
    measurements.notes.emplace_back(
        "some jobs did not run with direct=1: a page cache took part in what they measured");
  }
  if (!unknown_options.empty()) {
    measurements.notes.push_back(
        fmt::format("the scenarios are as if fio had run without options of which is not known whether they change "
                    "the load: {}",
                    fmt::join(unknown_options, ", ")));
  }
  note_lost_axes(loaded, base.string(), measurements.notes);
  for (const auto& [job, points] : groups) {
    add_series(measurements, axis, workload, points, relative_name(base, folder));
  }
  return measurements;
}

}  // namespace doorbell::tools
