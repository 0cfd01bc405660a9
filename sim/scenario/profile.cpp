#include "scenario/profile.hpp"

#include <memory>

#include "scenario/document.hpp"
#include "scenario/file_kind.hpp"
#include "scenario/inherit.hpp"
#include "scenario/parse.hpp"
#include "scenario/reader.hpp"

namespace doorbell::scenario {
namespace {

Location start_of(const std::filesystem::path& file) {
  return {std::make_shared<const std::string>(file.string()), 1, 1};
}

}  // namespace

Profile load_profile(const std::filesystem::path& file) { return load_profile(file, start_of(file), {}); }

Profile load_profile(const std::filesystem::path& file, const Location& from, const std::string& pointer) {
  Node tree = Inheritance{}.profile(file, std::nullopt, from, pointer);
  Profile profile;
  profile.title = tree.find(keys::title)->text;
  tree.erase(keys::title);
  const auto fill = [&](auto& part) { read(tree, Pointer{}, true, {}, part); };
  switch (kind_of_parts(tree).value_or(file_kind(file, from))) {
    case FileKind::nvme_drive: fill(profile.nvme_drive); break;
    case FileKind::dma_machine: fill(profile.dma_machine); break;
    case FileKind::client_node: fill(profile.client_node); break;
    case FileKind::storage_server: fill(profile.storage_server); break;
    case FileKind::software: fill(profile.software); break;
    case FileKind::fabric: fill(profile.fabric); break;
    default: fill(profile.hardware);
  }
  return profile;
}

bool is_profile(const std::filesystem::path& file) { return is_profile(file_kind(file, start_of(file))); }

}  // namespace doorbell::scenario
