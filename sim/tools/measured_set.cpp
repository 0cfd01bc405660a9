#include "tools/measured_set.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <system_error>

#include "figures/output.hpp"
#include "scenario/load.hpp"
#include "scenario/profile.hpp"
#include "tools/calibration_plan.hpp"
#include "tools/json_text.hpp"
#include "tools/perftest.hpp"
#include "tools/perftest_scenario.hpp"

namespace doorbell::tools {
namespace {

using nlohmann::ordered_json;

/// All that was measured with one setup.
struct Series {
  PerftestSetup setup;
  std::map<std::int64_t, std::vector<double>> values;  ///< By size: millions per second, or microseconds.
};

/// "rc-write-1-queue-pair-of-128" for "RC WRITE, 1 queue pair of 128".
std::string slug(const std::string& name) {
  std::string text;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      text += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!text.empty() && text.back() != '-') {
      text += '-';
    }
  }
  return text;
}

double value_of(const PerftestSetup& setup, const PerftestRow& row) {
  if (!setup.latency) return row.rate.per_second / 1e6;
  return to_seconds(row.typical) * 1e6 * (is_ping_pong(setup) ? 2 : 1);
}

std::vector<Series> group(const std::vector<PerftestRun>& runs) {
  std::vector<Series> all;
  for (const PerftestRun& run : runs) {
    auto same = std::find_if(all.begin(), all.end(), [&](const Series& series) { return series.setup == run.setup; });
    if (same == all.end()) same = all.insert(same, Series{run.setup, {}});
    for (const PerftestRow& row : run.rows) same->values[row.size.count].push_back(value_of(run.setup, row));
  }
  return all;
}

std::string csv_of(const std::vector<Series>& all, const MeasuredSetRequest& request) {
  std::string csv = "# source: perftest:";
  for (const auto& file : request.files) csv += " " + file.filename().string();
  csv +=
      "\n# how obtained: read from the tool's output\n"
      "# error estimate: half of the spread where a setting was measured several times\n"
      "series,x,metric,unit,value,uncertainty,set,note\n";
  for (const Series& series : all) {
    const bool latency = series.setup.latency;
    for (const auto& [size, values] : series.values) {
      double sum = 0;
      for (const double value : values) sum += value;
      const auto [least, most] = std::minmax_element(values.begin(), values.end());
      csv += fmt::format("\"{}\",{},{},{},{:.6g},{:.3g},{},{}\n", name_of(series.setup), size,
                         latency ? "latency_p50" : "throughput", latency ? "us" : "M/s",
                         sum / static_cast<double>(values.size()), (*most - *least) / 2, to_string(request.use),
                         is_ping_pong(series.setup) ? "both ways; the tool prints half" : "");
    }
  }
  return csv;
}

ordered_json panel(const std::string& name, const std::string& quantity, const std::vector<std::string>& series) {
  return {{"name", name},
          {"legend", "above"},
          {"x", {{"label", "Payload (bytes)"}, {"log", 2}}},
          {"y", {{"label", quantity}, {"log", 10}}},
          {"series", series}};
}

ordered_json figure_of(const std::vector<Series>& all, const std::string& title) {
  ordered_json entries = ordered_json::array();
  std::vector<std::string> rates;
  std::vector<std::string> latencies;
  for (const Series& series : all) {
    const std::string name = name_of(series.setup);
    ordered_json entry{{"name", name}, {"scenario", slug(name) + ".json"}, {"x", {{"sweep", payload_path}}}};
    if (series.setup.latency) entry["metric"] = "latency_p50";
    entries.push_back(entry);
    (series.setup.latency ? latencies : rates).push_back(name);
  }
  ordered_json panels = ordered_json::array();
  if (!rates.empty()) panels.push_back(panel("rates", "Rate (millions/sec)", rates));
  if (!latencies.empty()) panels.push_back(panel("latencies", "Median latency (us)", latencies));
  return {{"id", "measured/" + slug(title)},
          {"title", title},
          {"reference", "measured.csv"},
          {"series", entries},
          {"panels", panels}};
}

/// Where the tool used another setting than the profile has.
std::vector<std::string> disagreements(const std::vector<PerftestRun>& runs, const model::HardwareProfile& profile) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& sentence) {
    if (std::find(notes.begin(), notes.end(), sentence) == notes.end()) notes.push_back(sentence);
  };
  for (const PerftestRun& run : runs) {
    if (run.mtu.count > 0 && run.mtu != profile.port.mtu) {
      note(fmt::format("the tool used an MTU of {} B, /port/mtu of the profile is {} B", run.mtu.count,
                       profile.port.mtu.count));
    }
    if (run.outstanding_reads > 0 && run.outstanding_reads != profile.nic.max_outstanding_reads) {
      note(fmt::format("the tool had {} READs outstanding, /nic/max_outstanding_reads of the profile is {}",
                       run.outstanding_reads, profile.nic.max_outstanding_reads));
    }
  }
  return notes;
}

/// A folder beside the one to be written, which takes its place when all is done and is gone otherwise.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& target) : target_{std::filesystem::absolute(target).lexically_normal()} {
    if (!target_.has_filename()) target_ = target_.parent_path();
    std::error_code ignored;
    if (std::filesystem::exists(target_) && !std::filesystem::is_empty(target_, ignored)) {
      throw figures::DefinitionError{fmt::format("{}: expected a new or empty folder", target.string())};
    }
    path_ = target_;
    path_ += fmt::format(".draft-{}", getpid());
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (error) throw figures::DefinitionError{fmt::format("{}: {}", target.string(), error.message())};
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] std::string relative(const std::filesystem::path& file) const {
    return std::filesystem::absolute(file).lexically_normal().lexically_relative(path_).generic_string();
  }
  void write(const std::string& name, const std::string& content) const {
    figures::write_atomically(path_ / name, content);
  }
  void publish() { std::filesystem::rename(path_, target_); }

 private:
  std::filesystem::path target_;
  std::filesystem::path path_;
};

std::vector<Bytes> sizes_of(const Series& series) {
  std::vector<Bytes> sizes;
  for (const auto& [size, values] : series.values) sizes.push_back(Bytes{size});
  return sizes;
}

}  // namespace

MeasuredSet write_measured_set(const MeasuredSetRequest& request) {
  std::vector<PerftestRun> runs;
  for (const auto& file : request.files) {
    for (PerftestRun& run : read_perftest(file)) runs.push_back(std::move(run));
  }
  const std::vector<Series> all = group(runs);
  MeasuredSet set;
  set.notes = disagreements(runs, scenario::load_profile(request.client).hardware);

  Draft draft{request.folder};
  const TestMachines machines{draft.relative(request.client), draft.relative(request.server)};
  std::vector<TestPoint> points;
  for (const Series& series : all) {
    const std::string name = name_of(series.setup);
    const std::vector<Bytes> sizes = sizes_of(series);
    draft.write(slug(name) + ".json", to_text(scenario_of(series.setup, sizes, machines)));
    // In the order of sizes. Loading it also finds what the profile cannot do before anything is published.
    std::vector<scenario::Point> loaded = scenario::load(draft.path() / (slug(name) + ".json"));
    for (std::size_t i = 0; i < loaded.size(); ++i) {
      points.push_back({name, sizes[i].count, series.setup.latency, std::move(loaded[i].scenario)});
    }
  }
  set.points = static_cast<int>(points.size());
  draft.write("measured.csv", csv_of(all, request));
  const std::string title = request.folder.lexically_normal().filename().string();
  draft.write("figure.json", to_text(figure_of(all, title.empty() ? "measured" : title)));
  set.figure = request.folder / "figure.json";
  if (request.use == figures::Use::fit) {
    const ordered_json plan = calibration_plan(points, machines.client, "figure.json");
    if (!plan["stages"].empty()) {
      draft.write("calibration.json", to_text(plan));
      set.plan = request.folder / "calibration.json";
    }
  }
  draft.publish();
  return set;
}

}  // namespace doorbell::tools
