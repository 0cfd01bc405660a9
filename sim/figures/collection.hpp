// Figures of one folder together: their errors, and the targets that the folder sets for them.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "figures/evaluate.hpp"

namespace doorbell::figures {

/// The name of the file with the targets of a folder's figures.
inline constexpr const char* targets_file = "targets.json";

/// The largest errors, as fractions, that are good enough.
struct ErrorTarget {
  std::optional<double> median;
  std::optional<double> worst;
};

struct Targets {
  ErrorTarget fit;
  ErrorTarget validation;
  bool all_claims = false;
};

/// Reads a targets.json. Throws ScenarioError.
[[nodiscard]] Targets read_targets(const std::filesystem::path& file);

struct ClaimSummary {
  std::size_t count = 0;
  std::size_t held = 0;
  ErrorSummary numbers;  ///< Of those that state a number: ratios and positions, most of them, and no points.
};

/// Errors and claims of some figures.
struct Summary {
  std::size_t points = 0;
  ErrorSummary all;
  ErrorSummary fit;
  ErrorSummary validation;
  ClaimSummary claims;
  ClaimSummary fit_claims;
  ClaimSummary validation_claims;
};
[[nodiscard]] Summary summary_of(const std::vector<const FigureResult*>& figures);

struct Collection {
  std::string name;                  ///< What the ids of its figures begin with.
  std::vector<std::size_t> figures;  ///< Of a reproduction, by number.
  std::optional<Targets> targets;
  bool whole = false;  ///< No figure of the folder is missing: what has no points now has none at all.
};

/// `figures` by folder, in their order, with the targets of each folder that has some. Throws as read_targets().
[[nodiscard]] std::vector<Collection> collect(const std::vector<Figure>& figures);

/// Not of one figure without targets: its errors and claims would be said again.
[[nodiscard]] bool is_told_apart(const Collection& collection);

/// The collection's own of all `results`.
[[nodiscard]] Summary summary_of(const Collection& collection, const std::vector<FigureResult>& results);

/// Which of its targets a collection misses; none when it has none.
struct Misses {
  bool fit_median = false;
  bool fit_worst = false;
  bool validation_median = false;
  bool validation_worst = false;
  bool claims = false;
  std::vector<std::string> empty = {};  ///< Of a whole collection: "fit", "claims", where there is nothing to judge.

  /// "median of validation", "claims", "fit (no points)".
  [[nodiscard]] std::vector<std::string> names() const;
};
/// "fit", "validation", "claims": those for which the collection has targets, but no errors of points, or no claims.
[[nodiscard]] std::vector<std::string> targets_without_points(const Collection& collection, const Summary& summary);
/// Whether any of its targets is one for something that the collection has: errors of points, or claims.
[[nodiscard]] bool is_checked(const Collection& collection, const Summary& summary);
[[nodiscard]] Misses misses(const Collection& collection, const Summary& summary);

}  // namespace doorbell::figures
