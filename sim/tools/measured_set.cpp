#include "tools/measured_set.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "figures/whole_file.hpp"
#include "scenario/error.hpp"
#include "scenario/load.hpp"
#include "tools/calibration_plan.hpp"
#include "tools/json_text.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {
namespace {

using nlohmann::ordered_json;

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

struct QuantityText {
  std::string_view metric;
  std::string_view unit;
  std::string_view panel;
  std::string_view axis;
};

QuantityText text_of(Quantity quantity) {
  switch (quantity) {
    case Quantity::rate: return {"throughput", "M/s", "rates", "Rate (millions/sec)"};
    case Quantity::bandwidth: return {"bandwidth", "MiB/s", "bandwidths", "Bandwidth (MiB/s)"};
    case Quantity::mean_latency: return {"latency_mean", "us", "mean-latencies", "Mean latency (us)"};
    case Quantity::latency: break;
  }
  return {"latency_p50", "us", "latencies", "Median latency (us)"};
}

ordered_json metric_of(const MeasuredSeries& series) {
  const std::string_view metric = text_of(series.quantity).metric;
  if (series.kind.empty()) return metric;
  return {{metric, series.kind}};
}

std::string csv_of(const Measurements& measurements, figures::Use use) {
  std::string csv = fmt::format("# source: {}:", measurements.tool);
  for (const auto& file : measurements.files) csv += " " + file.filename().string();
  csv +=
      "\n# how obtained: read from the tool's output\n"
      "# error estimate: of settings measured several times, half of the spread or what that of the series gives\n"
      "series,x,metric,unit,value,uncertainty,set,note\n";
  for (const MeasuredSeries& series : measurements.series) {
    const QuantityText quantity = text_of(series.quantity);
    const Scatter scatter = scatter_of(series);
    for (const MeasuredPoint& point : series.points) {
      csv += fmt::format("\"{}\",{},{},{},{:.6g},{:.3g},{},{}\n", series.name, point.x, quantity.metric, quantity.unit,
                         mean_of(point), uncertainty_of(point, scatter), to_string(use), series.note);
    }
  }
  return csv;
}

/// What is measured over the same x, in one picture. Sizes and counts double from one to the next, mostly.
ordered_json panel_of(const std::string& name, Quantity quantity, const std::string& x_label,
                      const std::vector<const MeasuredSeries*>& shown) {
  ordered_json names = ordered_json::array();
  bool positive = true;
  for (const MeasuredSeries* series : shown) {
    names.push_back(series->name);
    for (const MeasuredPoint& point : series->points) positive = positive && point.x > 0;
  }
  ordered_json x{{"label", x_label}};
  if (positive) x["log"] = 2;
  return {{"name", name},
          {"legend", "above"},
          {"x", x},
          {"y", {{"label", text_of(quantity).axis}, {"log", 10}}},
          {"series", names}};
}

/// Pictures of several imports may go into one folder; therefore their names begin with that of the figure.
ordered_json panels_of(const Measurements& measurements, const std::string& figure) {
  ordered_json panels = ordered_json::array();
  for (const Quantity quantity : {Quantity::rate, Quantity::bandwidth, Quantity::latency, Quantity::mean_latency}) {
    std::map<std::string, std::vector<const MeasuredSeries*>> shown;  // by the label of x
    for (const MeasuredSeries& series : measurements.series) {
      if (series.quantity == quantity) shown[series.x_label].push_back(&series);
    }
    int number = 0;
    for (const auto& [x_label, series] : shown) {
      std::string name = fmt::format("{}-{}", figure, text_of(quantity).panel);
      if (++number > 1) name += fmt::format("-{}", number);
      panels.push_back(panel_of(name, quantity, x_label, series));
    }
  }
  return panels;
}

ordered_json figure_of(const Measurements& measurements, const std::string& title) {
  ordered_json entries = ordered_json::array();
  for (const MeasuredSeries& series : measurements.series) {
    entries.push_back({{"name", series.name},
                       {"scenario", slug(series.name) + ".json"},
                       {"metric", metric_of(series)},
                       {"x", {{"sweep", series.path}}}});
  }
  return {{"id", "measured/" + slug(title)},
          {"title", title},
          {"reference", "measured.csv"},
          {"series", entries},
          {"panels", panels_of(measurements, slug(title))}};
}

/// A folder beside the one to be written, which takes its place when all is done and is gone otherwise.
class Draft {
 public:
  explicit Draft(const std::filesystem::path& target) : target_{std::filesystem::absolute(target).lexically_normal()} {
    if (!target_.has_filename()) target_ = target_.parent_path();
    std::error_code ignored;
    if (std::filesystem::is_symlink(std::filesystem::symlink_status(target_, ignored))) {
      throw figures::DefinitionError{
          fmt::format("{}: expected a new or empty folder, found a symbolic link", target.string())};
    }
    const bool usable = std::filesystem::is_directory(target_, ignored) && std::filesystem::is_empty(target_, ignored);
    if (std::filesystem::exists(target_, ignored) && !usable) {
      throw figures::DefinitionError{fmt::format("{}: expected a new or empty folder", target.string())};
    }
    path_ = target_;
    path_ += fmt::format(".draft-{}", getpid());
    for (auto parent = path_.parent_path(); !std::filesystem::exists(parent, ignored); parent = parent.parent_path())
      made_.push_back(parent);
    std::error_code error;
    std::filesystem::create_directories(path_, error);
    if (!error) return;
    remove();
    throw figures::DefinitionError{fmt::format("{}: {}", target.string(), error.message())};
  }
  Draft(const Draft&) = delete;
  Draft& operator=(const Draft&) = delete;
  ~Draft() { remove(); }

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  void write(const std::string& name, const std::string& content) const {
    figures::write_atomically(path_ / name, content);
  }
  void publish() {
    std::error_code error;
    std::filesystem::rename(path_, target_, error);
    if (error) throw figures::DefinitionError{fmt::format("{}: {}", target_.string(), error.message())};
  }

 private:
  void remove() const {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
    for (const std::filesystem::path& parent : made_) std::filesystem::remove(parent, ignored);  // where it is empty
  }

  std::filesystem::path target_;
  std::filesystem::path path_;
  std::vector<std::filesystem::path> made_;  ///< Folders around it that were not there, from the innermost.
};

/// The complaint about a draft, which will be gone, as one about the tool's output; at the value where that is known.
[[noreturn]] void refuse_output(const scenario::Complaint& complaint, const MeasuredSeries& series,
                                const figures::Mention& place) {
  throw OutputError{
      place, fmt::format("{} as {} of {}", complaint.expected, complaint.pointer, scenario::in_quotes(series.name)),
      complaint.found, complaint.code};
}

/// Why the scenario of the points from `begin` to `end` is refused, alone; nothing where it is not.
std::optional<scenario::Complaint> complaint_of(const Draft& draft, const std::string& name,
                                                const MeasuredSeries& series, std::size_t begin, std::size_t end) {
  ordered_json part = series.scenario;
  ordered_json& values = part["sweep"][0]["values"];
  ordered_json some = ordered_json::array();
  for (std::size_t i = begin; i < end; ++i) some.push_back(values[i]);
  values = std::move(some);
  draft.write(name, to_text(part));
  try {
    static_cast<void>(scenario::load(draft.path() / name));
  } catch (const scenario::ScenarioError& error) {
    return error.complaint();
  }
  return std::nullopt;
}

/// What the output says of the first point that is refused, where it is refused for that; null otherwise, as where it
/// is not up to one of the points. Halves are tried, as each load takes all of the profile.
const figures::Mention* refused_value(const Draft& draft, const std::string& name, const MeasuredSeries& series) {
  std::size_t begin = 0;
  std::size_t end = series.points.size();
  while (end - begin > 1) {
    const std::size_t middle = begin + (end - begin) / 2;
    (complaint_of(draft, name, series, begin, middle) ? end : begin) = middle;
  }
  const auto complaint = complaint_of(draft, name, series, begin, end);
  if (!complaint) return nullptr;
  const auto said = series.points[begin].said.find(complaint->pointer);
  return said == series.points[begin].said.end() ? nullptr : &said->second;
}

/// Loading a scenario finds what the profile, or a scenario at all, cannot do.
std::vector<scenario::Point> load_draft(const Draft& draft, const std::string& name, const MeasuredSeries& series) {
  try {
    return scenario::load(draft.path() / name);
  } catch (const scenario::ScenarioError& error) {
    if (error.file() != (draft.path() / name).string()) throw;
    const figures::Mention* value = refused_value(draft, name, series);
    refuse_output(error.complaint(), series, value != nullptr ? *value : series.mention);
  }
}

}  // namespace

double mean_of(const MeasuredPoint& point) {
  return std::accumulate(point.values.begin(), point.values.end(), 0.0) / static_cast<double>(point.values.size());
}

Scatter scatter_of(const MeasuredSeries& series) {
  Scatter scatter;
  for (const MeasuredPoint& point : series.points) {
    const double mean = mean_of(point);
    for (const double value : point.values) scatter.squares += std::pow((value - mean) / mean, 2);
    scatter.to_spare += point.values.size() - 1;
  }
  return scatter;
}

double uncertainty_of(const MeasuredPoint& point, const Scatter& scatter) {
  const auto [least, most] = std::minmax_element(point.values.begin(), point.values.end());
  const double unseen = point.resolution / 2;
  if (scatter.to_spare == 0) return unseen;
  const auto repetitions = static_cast<double>(point.values.size());
  const double of_all =
      std::sqrt(scatter.squares / static_cast<double>(scatter.to_spare) / repetitions) * mean_of(point);
  return std::max({(*most - *least) / 2, of_all, unseen});
}

std::string relative_name(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const auto normal = [](const std::filesystem::path& path) {
    return std::filesystem::absolute(path).lexically_normal();
  };
  return normal(file).lexically_relative(normal(folder)).generic_string();
}

std::string profile_named_by(std::filesystem::path scenario, const std::string& key,
                             const std::filesystem::path& folder) {
  while (true) {
    std::ifstream input{scenario};
    const auto tree = nlohmann::json::parse(input, nullptr, false);
    if (!tree.is_object()) return {};
    if (tree.contains(key) && tree[key].is_object() && tree[key].contains("hardware")) {
      const auto& hardware = tree[key]["hardware"];
      return hardware.is_string() ? relative_name(scenario.parent_path() / hardware.get<std::string>(), folder)
                                  : std::string{};
    }
    if (!tree.contains("extends") || !tree["extends"].is_string()) return {};
    scenario = scenario.parent_path() / tree["extends"].get<std::string>();
  }
}

MeasuredSet write_measured_set(const Measurements& measurements, const std::filesystem::path& folder,
                               figures::Use use) {
  MeasuredSet set;
  Draft draft{folder};
  std::vector<TestPoint> points;
  for (const MeasuredSeries& series : measurements.series) {
    const std::string name = slug(series.name) + ".json";
    if (std::filesystem::exists(draft.path() / name)) throw std::logic_error("two series have the name " + series.name);
    draft.write(name, to_text(series.scenario));
    std::vector<scenario::Point> loaded = load_draft(draft, name, series);
    for (std::size_t i = 0; i < series.points.size(); ++i) {
      points.push_back({&series, &series.points[i], std::move(loaded.at(i).scenario)});
    }
  }
  set.points = static_cast<int>(points.size());
  draft.write("measured.csv", csv_of(measurements, use));
  const std::string title =
      std::filesystem::absolute(folder / "x").parent_path().lexically_normal().filename().string();
  if (slug(title).empty()) {
    throw figures::DefinitionError{
        fmt::format("{}: expected a folder whose name has an ASCII letter or digit, since the figure is named after it",
                    folder.string())};
  }
  draft.write("figure.json", to_text(figure_of(measurements, title)));
  set.figure = folder / "figure.json";
  if (use == figures::Use::fit && !measurements.profile.empty()) {
    const ordered_json plan = calibration_plan(points, measurements.profile, "figure.json");
    if (!plan["stages"].empty()) {
      draft.write("calibration.json", to_text(plan));
      set.plan = folder / "calibration.json";
    }
  }
  draft.publish();
  return set;
}

}  // namespace doorbell::tools
