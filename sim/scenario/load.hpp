// The way in: a scenario file to the points that it describes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "models/scenario.hpp"
#include "scenario/error.hpp"
#include "scenario/sweep.hpp"

namespace doorbell::scenario {

/// What the caller changes about a file.
struct LoadOptions {
  /// "a.b.c=value" or "/a/b/c=value", in order. They reach into inherited files and hardware profiles, and win over the
  /// sweep: an axis whose parameter is set vanishes. "sweep=[]" removes all axes.
  std::vector<std::string> sets;
  std::optional<std::uint64_t> seed;           ///< Instead of the file's, also where that is swept.
  std::optional<std::vector<Axis>> axes = {};  ///< Instead of those of the file and of `sets`.
  /// Paths and values, as if they were further `sets`. Names in these paths may have a '='.
  std::vector<std::pair<std::string, std::string>> values = {};
  std::filesystem::path folder = {};  ///< Where files lie that `values` name; empty: in the current folder.
};

/// One simulation to run.
struct Point {
  std::vector<std::pair<std::string, std::string>> coordinates;  ///< Sweep path ("/programs/worker/threads") and value.
  model::Scenario scenario;
};

/// A file with everything it inherits.
struct ScenarioFile {
  std::string title;
  std::string hash;  ///< 16 hexadecimal digits; equal for equal content after inheritance and overrides. Of the
                     ///< content, which LoadOptions::seed is not part of.
  std::vector<std::string> sweep_paths;
  std::vector<Point> points;  ///< At least one; the last axis changes fastest.
};

/// Reads, merges, checks. Throws ScenarioError for everything that the user can mend.
[[nodiscard]] ScenarioFile load_file(const std::filesystem::path& file, const LoadOptions& options = {});

/// The axes of a file, each with nothing but its value at one point (0 is the first). Throws ScenarioError, and
/// std::out_of_range where there is no such point.
[[nodiscard]] std::vector<Axis> axes_at(const std::filesystem::path& file, const LoadOptions& options,
                                        std::size_t point);

/// Only the points of load_file().
[[nodiscard]] std::vector<Point> load(const std::filesystem::path& file, const LoadOptions& options = {});

}  // namespace doorbell::scenario
