#include "cli/result_csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "figures/csv_field.hpp"

namespace doorbell::cli {
namespace {

using Row = std::vector<std::pair<std::string, std::string>>;

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

Row row_of(const scenario::Point& point, const model::RunResult& result) {
  Row row{point.coordinates};
  const auto add = [&](std::string name, const auto& value) {
    row.emplace_back(std::move(name), fmt::format("{}", value));
  };
  add("throughput (M/s)", result.throughput.millions());
  add("throughput ci95 (M/s)", result.throughput_ci95.millions());
  if (result.bandwidth > Bandwidth{}) add("bandwidth (B/s)", result.bandwidth.bytes_per_second);
  const auto add_latency = [&](const model::LatencySummary& latency, const std::string& of) {
    const auto time_of = [&](Time time) { return latency.samples > 0 ? fmt::format("{}", to_nanoseconds(time)) : ""; };
    add("latency mean" + of + " (ns)", time_of(latency.mean));
    add("latency p50" + of + " (ns)", time_of(latency.p50));
    add("latency p99" + of + " (ns)", time_of(latency.p99));
    add("latency samples" + of, latency.samples);
  };
  add_latency(result.latency, "");
  for (const model::KindSummary& kind : result.kinds) {
    add("throughput " + kind.kind + " (M/s)", kind.throughput.millions());
    add_latency(kind.latency, " " + kind.kind);
  }
  // Resources come busiest first; columns must not move from run to run.
  auto utilisations = result.utilisations;
  std::sort(utilisations.begin(), utilisations.end(),
            [](const auto& a, const auto& b) { return a.resource < b.resource; });
  for (const model::Utilisation& used : utilisations) add("busy " + used.resource, used.busy);
  for (const model::CounterReading& counter : result.counters) {
    add("count " + counter.name, counter.count);
    add("rate " + counter.name + " (1/s)", counter.rate.per_second);
  }
  for (const model::ProgramSummary& done : result.programs) {
    add("work requests " + done.program + " (1/s)", done.work_requests.per_second);
    add("payload " + done.program + " (B/s)", done.payload.bytes_per_second);
    add("batch " + done.program, done.mean_batch);
  }
  for (const model::Level& level : result.levels) add("level " + level.name, level.value);
  add("bottleneck", result.bottleneck.resource);
  add("bottleneck busy", result.bottleneck.busy);
  add("bottleneck saturated", result.bottleneck.saturated);
  add("next bottleneck", result.bottleneck.next_resource);
  add("next bottleneck busy", result.bottleneck.next_busy);
  add("simulated (ns)", to_nanoseconds(result.simulated));
  add("events", result.events);
  add("operations", result.operations);
  add("warnings", fmt::format("{}", fmt::join(result.warnings, "; ")));
  return row;
}

}  // namespace

std::string result_csv(const Report& report) {
  std::vector<Row> rows;
  std::vector<std::string> columns;
  for (std::size_t i = 0; i < report.points.size(); ++i) {
    rows.push_back(row_of(report.points[i], report.results[i]));
    for (const auto& [name, value] : rows.back()) {
      if (std::find(columns.begin(), columns.end(), name) == columns.end()) columns.push_back(name);
    }
  }
  const std::string seed = report.seed ? fmt::format("{}", *report.seed) : "of each point";
  std::string csv = fmt::format("# doorbell {}\n# scenario: {}\n# hash: {}\n# seed: {}\n", DOORBELL_VERSION,
                                one_line(report.title), report.hash, seed);
  if (report.seeds > 1) csv += fmt::format("# seeds: {}\n", report.seeds);
  for (const std::string& column : columns)
    csv += (&column == &columns.front() ? "" : ",") + figures::csv_field(column);
  csv += '\n';
  for (const Row& row : rows) {
    for (const std::string& column : columns) {
      const auto cell = std::find_if(row.begin(), row.end(), [&](const auto& entry) { return entry.first == column; });
      csv += (&column == &columns.front() ? "" : ",") +
             (cell == row.end() ? std::string{} : figures::csv_field(cell->second));
    }
    csv += '\n';
  }
  return csv;
}

}  // namespace doorbell::cli
