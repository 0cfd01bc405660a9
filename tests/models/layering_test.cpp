// Folders are layers: what a folder includes never includes it again.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

namespace doorbell {
namespace {

using Folders = std::map<std::string, std::set<std::string>>;

/// By folder, those whose headers its files include.
Folders included_folders() {
  const std::filesystem::path sim = std::filesystem::path{DOORBELL_SOURCE_DIR} / "sim";
  const std::string directive = "#include \"";
  Folders included;
  for (const auto& entry : std::filesystem::recursive_directory_iterator{sim}) {
    if (!entry.is_regular_file()) continue;
    const std::string folder = std::filesystem::relative(entry.path().parent_path(), sim).string();
    std::ifstream file{entry.path()};
    for (std::string line; std::getline(file, line);) {
      if (!line.starts_with(directive)) continue;
      const std::filesystem::path header{line.substr(directive.size(), line.rfind('"') - directive.size())};
      if (header.parent_path() != folder) included[folder].insert(header.parent_path().string());
    }
  }
  return included;
}

/// Whether one gets from `from` to `to` by includes.
bool reaches(const Folders& included, const std::string& from, const std::string& to, std::set<std::string>& seen) {
  if (from == to) return true;
  if (!included.contains(from) || !seen.insert(from).second) return false;
  for (const std::string& next : included.at(from)) {
    if (reaches(included, next, to, seen)) return true;
  }
  return false;
}

TEST(Layering, NoFolderIsIncludedByWhatItIncludes) {
  const Folders included = included_folders();
  ASSERT_GT(included.size(), 15U);
  for (const auto& [folder, others] : included) {
    for (const std::string& other : others) {
      std::set<std::string> seen;
      EXPECT_FALSE(reaches(included, other, folder, seen))
          << folder << " includes " << other << ", and that leads back";
    }
  }
}

}  // namespace
}  // namespace doorbell
