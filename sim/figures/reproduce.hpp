// `doorbell reproduce`: published figures again, from their scenarios, with their errors.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "figures/collection.hpp"
#include "figures/definition.hpp"
#include "figures/engine.hpp"
#include "figures/evaluate.hpp"

namespace doorbell::figures {

struct ReproduceOptions {
  std::vector<std::string> ids;                 ///< Ids, prefixes, or files of figures; none means all ids.
  std::optional<std::filesystem::path> folder;  ///< Where files go; without it nothing is written.
  int jobs = 1;
  std::optional<std::uint64_t> seed;
  std::optional<std::filesystem::path> external;  ///< Folder of measurements that are not part of the project.
  unsigned seeds = 1;                             ///< Runs of every point at least, each with the next seed.
  /// Hears of the figures, if there are any, once nothing in them is found wrong and before anything is simulated: time
  /// to refuse what would be in vain.
  std::function<void(const std::vector<Figure>& figures)> before_runs = {};
};

struct Reproduction {
  std::vector<Figure> figures;
  std::vector<FigureResult> results;
  std::vector<Collection> collections;
  std::vector<std::string> left_out;  ///< What has no measured points since its data are not at hand, in sentences.
  std::vector<std::string> unshown;   ///< What is measured or simulated for nothing, in sentences.
};

/// Runs the figures of `data` that `options` names; `progress` hears the id of each before it starts.
/// Throws UsageError, DefinitionError, or what the scenario layer throws.
[[nodiscard]] Reproduction reproduce(const ReproduceOptions& options, const std::filesystem::path& data,
                                     const Engine& engine, const std::function<void(const std::string& id)>& progress);

/// Writes results.json, the CSVs, the pictures and index.html into `folder`, which is made if need be.
void write_all(const Reproduction& reproduction, const std::filesystem::path& folder, const std::string& version,
               int jobs);

}  // namespace doorbell::figures
