#include "scenario/data_directory.hpp"

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

bool holds_data(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::is_directory(folder / "scenarios", error);
}

[[noreturn]] void refuse(const std::filesystem::path& folder, const std::string& who, std::string expected) {
  const Location at{std::make_shared<const std::string>(who), 1, 1};
  throw ScenarioError{
      {ErrorCode::file_not_found, at, std::string{}, std::move(expected), in_quotes(folder.string()), {}}};
}

std::filesystem::path required(const std::filesystem::path& folder, const std::string& who) {
  if (!holds_data(folder)) refuse(folder, who, "a folder that holds \"scenarios\"");
  return folder;
}

/// A copied or relocated installation finds its own data; a build folder has no share beside it.
std::filesystem::path beside_programme() {
  std::error_code error;
  const std::filesystem::path programme = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path{} : programme.parent_path().parent_path() / "share" / "doorbell";
}

}  // namespace

void require_folder(const std::filesystem::path& folder, const std::string& who) {
  std::error_code error;
  if (!std::filesystem::is_directory(folder, error)) refuse(folder, who, "an existing folder");
}

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
