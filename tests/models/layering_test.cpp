// Folders are layers: what a folder includes never includes it again. And the documents know where mechanisms are.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
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

TEST(Layering, DocumentsNameFilesThatExist) {
  const std::filesystem::path source{DOORBELL_SOURCE_DIR};
  const std::regex quoted{"`([a-z_]+)/([a-z_]+)`"};
  int named = 0;
  for (const std::string document : {"models", "gmblock", "dma", "today", "architecture"}) {
    std::ifstream file{source / "docs" / (document + ".md")};
    for (std::string line; std::getline(file, line);) {
      for (std::sregex_iterator match{line.begin(), line.end(), quoted}, end; match != end; ++match) {
        const std::string mechanism = (*match)[0].str().substr(1, (*match)[0].length() - 2);
        const std::filesystem::path folder = source / "sim/models" / (*match)[1].str();
        if (!std::filesystem::is_directory(folder)) continue;  // a parameter, or a folder of something else
        ++named;
        const std::filesystem::path header = folder / ((*match)[2].str() + ".hpp");
        const std::filesystem::path definitions = folder / ((*match)[2].str() + ".cpp");
        EXPECT_TRUE(std::filesystem::exists(header) || std::filesystem::exists(definitions))
            << document << ": " << mechanism;
      }
    }
  }
  EXPECT_GT(named, 100);
}

}  // namespace
}  // namespace doorbell
