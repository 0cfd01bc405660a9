#include "scenario/without_effect.hpp"

#include <algorithm>

namespace doorbell::scenario {
namespace {

/// Whether somebody else than who wrote a setting made the choice at `pointer`.
bool is_made_apart(const Node& tree, const Pointer& pointer, const Node* setting) {
  const Node* choice = find(tree, pointer);
  // Whoever wrote all that is around a choice also left it out.
  const Author author = nearest_node(tree, pointer).author;
  if (author == Author::sweep) return true;
  if (setting == nullptr || setting->author != Author::file) return false;
  return author == Author::option || (choice != nullptr && choice->at.file_name() != setting->at.file_name());
}

}  // namespace

const Reason* first_of(const Reasons& reasons, const Node& tree, const Pointer& pointer) {
  const Node* setting = find(tree, pointer);
  const auto found = std::ranges::find_if(reasons, [&](const Reason& reason) {
    return reason.holds && std::ranges::none_of(reason.follows_from, [&](const Pointer& choice) {
             return is_made_apart(tree, choice, setting);
           });
  });
  return found == reasons.end() ? nullptr : &*found;
}

}  // namespace doorbell::scenario
