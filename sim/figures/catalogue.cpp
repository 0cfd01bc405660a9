#include "figures/catalogue.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "figures/collection.hpp"
#include "scenario/error.hpp"

namespace doorbell::figures {

std::vector<CatalogueEntry> list_figures(const std::filesystem::path& data) {
  const std::filesystem::path plots = data / "plots";
  if (!std::filesystem::is_directory(plots)) throw UsageError{fmt::format("{} has no folder plots", data.string())};
  std::vector<CatalogueEntry> catalogue;
  for (const auto& item : std::filesystem::recursive_directory_iterator{plots}) {
    if (item.path().extension() != ".json" || item.path().filename() == targets_file) continue;
    catalogue.push_back({item.path().lexically_relative(plots).replace_extension().generic_string(), item.path()});
  }
  std::sort(catalogue.begin(), catalogue.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return catalogue;
}

std::vector<CatalogueEntry> select(const std::vector<CatalogueEntry>& catalogue,
                                   const std::vector<std::string>& arguments) {
  if (arguments.empty()) return catalogue;
  std::vector<bool> wanted(catalogue.size(), false);
  for (const std::string& argument : arguments) {
    bool found = false;
    const bool exact =
        std::any_of(catalogue.begin(), catalogue.end(), [&](const auto& entry) { return entry.id == argument; });
    for (std::size_t i = 0; i < catalogue.size(); ++i) {
      if (exact ? catalogue[i].id != argument : argument.empty() || !catalogue[i].id.starts_with(argument)) continue;
      wanted[i] = true;
      found = true;
    }
    if (found) continue;
    std::vector<std::string> ids;
    std::set<std::string> collections;
    for (const CatalogueEntry& entry : catalogue) {
      ids.push_back(entry.id);
      collections.insert(entry.id.substr(0, entry.id.rfind('/') + 1));
    }
    const std::string nearest = scenario::nearest(argument, ids);
    throw UsageError{fmt::format("no figure is named {} or starts so; {}", scenario::in_quotes(argument),
                                 nearest.empty() ? fmt::format("ids start with {}", fmt::join(collections, ", "))
                                                 : fmt::format("did you mean {}?", scenario::in_quotes(nearest)))};
  }
  std::vector<CatalogueEntry> selected;
  for (std::size_t i = 0; i < catalogue.size(); ++i) {
    if (wanted[i]) selected.push_back(catalogue[i]);
  }
  return selected;
}

}  // namespace doorbell::figures
