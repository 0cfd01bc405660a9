#include "scenario/profile.hpp"

#include <algorithm>
#include <memory>

#include "scenario/document.hpp"
#include "scenario/inherit.hpp"
#include "scenario/parse.hpp"
#include "scenario/reader.hpp"

namespace doorbell::scenario {
namespace {

Location start_of(const std::filesystem::path& file) {
  return {std::make_shared<const std::string>(file.string()), 1, 1};
}

}  // namespace

Profile load_profile(const std::filesystem::path& file) {
  Node tree = Inheritance{}.profile(file, start_of(file), {});
  Profile profile;
  profile.title = tree.find(keys::title)->text;
  tree.erase(keys::title);
  read(tree, Pointer{}, true, {}, profile.hardware);
  return profile;
}

bool is_profile(const std::filesystem::path& file) {
  const Node tree = parse_file(file, start_of(file), {});
  const Node* schema = tree.find(keys::schema);
  if (schema != nullptr && schema->is(Kind::text)) return schema->text.ends_with("hardware.json");
  const Form form = form_of<model::HardwareProfile>();
  return std::any_of(tree.members.begin(), tree.members.end(),
                     [&](const Member& member) { return form.find(member.name) != nullptr; });
}

}  // namespace doorbell::scenario
