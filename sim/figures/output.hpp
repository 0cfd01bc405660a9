// Results as files: JSON by the contract of `reproduce`, and CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "figures/collection.hpp"
#include "figures/evaluate.hpp"

namespace doorbell::figures {

/// The whole document: {"doorbell": VERSION, "figures": [...], "collections": [...]}; keys in a fixed order.
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<FigureResult>& figures,
                                             const std::vector<Collection>& collections, const std::string& version);

/// One line per point, with a header line.
[[nodiscard]] std::string to_csv(const FigureResult& figure);

/// "kalia16/fig07" as the stem of file names: "kalia16-fig07".
[[nodiscard]] std::string file_stem(const std::string& id);

}  // namespace doorbell::figures
