// Where figure definitions are, and which of them an argument means.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace doorbell::figures {

/// What the user asked for does not exist; one line for people.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct CatalogueEntry {
  std::string id;  ///< The path below plots/ without extension.
  std::filesystem::path file;
};

/// All definitions below `data`/plots, by id. Throws UsageError when there is no such folder.
[[nodiscard]] std::vector<CatalogueEntry> list_figures(const std::filesystem::path& data);

/// Those whose id is, or starts with, one of `arguments`, in the catalogue's order; all when there are none.
/// Throws UsageError for an argument that means nothing.
[[nodiscard]] std::vector<CatalogueEntry> select(const std::vector<CatalogueEntry>& catalogue,
                                                 const std::vector<std::string>& arguments);

}  // namespace doorbell::figures
