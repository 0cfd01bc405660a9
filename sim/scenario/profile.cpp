#include "scenario/profile.hpp"

#include <algorithm>
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

bool has_part_of(const Form& form, const Node& tree) {
  return std::any_of(tree.members.begin(), tree.members.end(),
                     [&](const Member& member) { return form.find(member.name) != nullptr; });
}

/// Servers and clients both have buses; only a server has disks, and only a client says what its caches do.
bool describes_client_node(const Node& tree) { return tree.find("cache_of_core") != nullptr; }
bool describes_nvme_drive(const Node& tree) { return tree.find("flash") != nullptr; }
bool describes_dma_machine(const Node& tree) { return tree.find("dma_engine") != nullptr; }
bool describes_storage_server(const Node& tree) { return tree.find("bus") != nullptr || tree.find("raid") != nullptr; }

}  // namespace

Profile load_profile(const std::filesystem::path& file) {
  Node tree = Inheritance{}.profile(file, start_of(file), {});
  Profile profile;
  profile.title = tree.find(keys::title)->text;
  tree.erase(keys::title);
  if (describes_nvme_drive(tree)) {
    read(tree, Pointer{}, true, {}, profile.nvme_drive);
  } else if (describes_dma_machine(tree)) {
    read(tree, Pointer{}, true, {}, profile.dma_machine);
  } else if (describes_client_node(tree)) {
    read(tree, Pointer{}, true, {}, profile.client_node);
  } else if (describes_storage_server(tree)) {
    read(tree, Pointer{}, true, {}, profile.storage_server);
  } else if (has_part_of(form_of<model::HostSoftware>(), tree)) {
    read(tree, Pointer{}, true, {}, profile.software);
  } else {
    read(tree, Pointer{}, true, {}, profile.hardware);
  }
  return profile;
}

bool is_profile(const std::filesystem::path& file) { return is_profile(file_kind(file, start_of(file))); }

}  // namespace doorbell::scenario
