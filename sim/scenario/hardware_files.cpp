#include "scenario/hardware_files.hpp"

#include "scenario/document.hpp"
#include "scenario/inherit.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {
namespace {

void collect_files(const Node& node, std::set<std::filesystem::path>& files) {
  if (node.members.empty() || is_leaf_object(node)) {
    std::error_code ignored;
    files.insert(std::filesystem::weakly_canonical(node.at.file_name(), ignored));
    return;
  }
  for (const Member& member : node.members) collect_files(member.value, files);
}

}  // namespace

std::vector<std::set<std::filesystem::path>> hardware_files(const std::filesystem::path& file, std::string_view title) {
  const Node tree = Inheritance{}.scenario(file);
  std::vector<std::set<std::filesystem::path>> all;
  const auto look_at = [&](const Node* owner) {
    const Node* hardware = owner == nullptr ? nullptr : owner->find(keys::hardware);
    const Node* name = hardware == nullptr ? nullptr : hardware->find(keys::title);
    if (name != nullptr && name->text == title) collect_files(*hardware, all.emplace_back());
  };
  look_at(tree.find(keys::storage));
  look_at(tree.find(keys::dma));
  if (const Node* machines = tree.find(keys::machines)) {
    for (const Member& machine : machines->members) look_at(&machine.value);
  }
  return all;
}

}  // namespace doorbell::scenario
