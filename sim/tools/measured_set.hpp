// What a tool has measured, made into what Doorbell compares and fits with: scenarios, a reference, a figure, a plan.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "figures/document.hpp"
#include "figures/reference.hpp"

namespace doorbell::tools {

/// Millions per second, MiB/s, microseconds of the median, microseconds of the mean.
enum class Quantity { rate, bandwidth, latency, mean_latency };
inline constexpr double bytes_per_mebibyte = 1 << 20;

struct MeasuredPoint {
  std::int64_t x = 0;
  std::vector<double> values;  ///< All that were measured here; at least one.
  double resolution = 0;       ///< Of what measured them: values that differ by less are the same.
  /// By pointers into the scenario: where the tool's output says that value, in the first of several runs.
  std::map<std::string, figures::Mention> said = {};
};

[[nodiscard]] double mean_of(const MeasuredPoint& point);

/// What one workload gave.
struct MeasuredSeries {
  std::string name;  ///< For people; different for every series.
  Quantity quantity = Quantity::rate;
  std::string kind;                 ///< Of the operations that it is about ("reads"); empty: all.
  nlohmann::ordered_json scenario;  ///< Of the workload, with a sweep over the points in their order.
  std::string path;                 ///< Of x in the scenario.
  std::string x_label;
  std::vector<MeasuredPoint> points;  ///< By rising x.
  std::string note;                   ///< About all of them.
  std::string workload;               ///< The same for series that differ in their queue pairs only.
  int queue_pairs = 1;
  figures::Mention mention = {};  ///< Where its first test begins in the tool's output.
};

/// How repetitions in a series differ.
struct Scatter {
  double squares = 0;        ///< Of relative deviations from the means of their points.
  std::size_t to_spare = 0;  ///< Values beyond the first of each point.
};
[[nodiscard]] Scatter scatter_of(const MeasuredSeries& series);

/// Half of the spread of a point of a series, or the standard error that all repetitions of the series together give
/// its mean, where that is larger: two values that happen to be close say little. At least half of the resolution; 0
/// where that is not known and nothing was repeated.
[[nodiscard]] double uncertainty_of(const MeasuredPoint& point, const Scatter& scatter);

struct Measurements {
  std::string tool;
  std::vector<std::filesystem::path> files;
  std::vector<MeasuredSeries> series;
  std::string profile;             ///< Of what was measured, as the scenarios name it; empty: nothing can be fitted.
  std::vector<std::string> notes;  ///< Where tool and profile disagree about the machine, in sentences.
};

/// How a file in `folder`, which need not be there yet, names `file`.
[[nodiscard]] std::string relative_name(const std::filesystem::path& file, const std::filesystem::path& folder);

/// How a file in `folder` names the profile in "hardware" of the part `key` of a scenario, or of one that it extends;
/// empty where that is no file. The scenario must be one that can be loaded.
[[nodiscard]] std::string profile_named_by(std::filesystem::path scenario, const std::string& key,
                                           const std::filesystem::path& folder);

struct MeasuredSet {
  std::filesystem::path figure;
  std::filesystem::path plan;  ///< Empty when there is none: for validation, or when no point tells a parameter.
  int points = 0;
};

/// Writes into a folder that is new or empty: a scenario for each workload, named after it, `measured.csv`,
/// `figure.json` for `doorbell reproduce` and, from points that may be used for fitting, `calibration.json` for
/// `doorbell calibrate`. What was measured several times becomes one point, the mean, and its uncertainty is half of
/// the spread. Nothing is written unless all is. Throws figures::DefinitionError when the folder is in use, OutputError
/// when a scenario cannot have what the output says, or what the scenario layer throws when the profile cannot do it.
[[nodiscard]] MeasuredSet write_measured_set(const Measurements& measurements, const std::filesystem::path& folder,
                                             figures::Use use);

}  // namespace doorbell::tools
