#include "scenario/data_directory.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

bool holds_data(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::is_directory(folder / "scenarios", error);
}

std::filesystem::path required(const std::filesystem::path& folder, const std::string& who) {
  if (holds_data(folder)) return folder;
  const Location at{std::make_shared<const std::string>(who), 1, 1};
  throw ScenarioError{{ErrorCode::file_not_found,
                       at,
                       std::string{},
                       "a folder that holds \"scenarios\"",
                       in_quotes(folder.string()),
                       {}}};
}

/// A copied or relocated installation finds its own data; a build folder has no share beside it.
std::filesystem::path beside_programme() {
  std::error_code error;
  const std::filesystem::path programme = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path{} : programme.parent_path().parent_path() / "share" / "doorbell";
}

}  // namespace

std::filesystem::path data_directory(const std::optional<std::filesystem::path>& given) {
  if (given) return required(*given, "--data-dir");
  if (const char* set = std::getenv("DOORBELL_DATA"); set != nullptr && *set != '\0')
    return required(set, "DOORBELL_DATA");
  for (const std::filesystem::path& folder :
       std::vector<std::filesystem::path>{beside_programme(), DOORBELL_SOURCE_DIR, DOORBELL_INSTALL_DATADIR}) {
    if (holds_data(folder)) return folder;
  }
  return required(DOORBELL_INSTALL_DATADIR, "data directory");
}

}  // namespace doorbell::scenario
