#include "scenario/inherit.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "scenario/document.hpp"
#include "scenario/error.hpp"
#include "scenario/file_kind.hpp"
#include "scenario/named_file.hpp"
#include "scenario/parse.hpp"
#include "scenario/pointer.hpp"
#include "scenario/sweep.hpp"

namespace doorbell::scenario {
namespace {

constexpr std::size_t longest_chain = 32;

/// A file named inside a file is relative to it; "--set" has no folder on the command line, which leaves the current
/// one.
std::filesystem::path path_named_by(const Node& name) {
  return named_file(std::filesystem::path{name.at.file_name()}.parent_path(), name.text);
}

void require_text(const Node& node, const std::string& pointer, const std::string& expected) {
  if (node.is(Kind::text)) return;
  throw ScenarioError{{ErrorCode::wrong_type, node.at, pointer, expected, description(node), {}}};
}

/// Whether a file itself says what is at this path, and not only a profile that it names.
bool writes(const Node& file, const std::string& path) {
  const std::optional<Pointer> pointer = Pointer::parse(path);
  if (!pointer) return false;
  const Node* value = find(file, *pointer);
  if (value == nullptr) return false;
  const bool is_part = value->is(Kind::object) && !is_leaf_object(*value) && !value->replaces;
  if (is_part) return false;
  if (!value->shared) return true;
  Pointer around;
  for (std::size_t i = 0; i + 1 < pointer->tokens().size(); ++i) around = around / pointer->tokens()[i];
  return !find(file, around)->shared;
}

}  // namespace

Node merge(Node base, Node over) {
  const bool both_groups =
      base.is(Kind::object) && over.is(Kind::object) && !is_leaf_object(base) && !is_leaf_object(over);
  if (!both_groups || over.replaces) return over;
  base.at = over.at;
  for (Member& member : over.members) {
    Node* inherited = base.find(member.name);
    if (inherited == nullptr)
      base.members.push_back(std::move(member));
    else
      *inherited = merge(std::move(*inherited), std::move(member.value));
  }
  return base;
}

Node Inheritance::scenario(const std::filesystem::path& file) {
  const Location from{std::make_shared<const std::string>(file.string()), 1, 1};
  if (const FileKind kind = file_kind(file, from); kind != FileKind::scenario) {
    throw ScenarioError{
        {ErrorCode::wrong_file, from, {}, std::string{name_of(FileKind::scenario)}, std::string{name_of(kind)}, {}}};
  }
  return resolve(file, FileKind::scenario, from, {});
}

Node Inheritance::profile(const std::filesystem::path& file, std::optional<FileKind> kind, const Location& from,
                          const std::string& pointer) {
  Node node = resolve(file, kind, from, pointer);
  node.profile = true;
  set_shared(node);
  if (const Node* title = node.find(keys::title)) {
    require_text(*title, "/title", "text");
  } else {
    Node stem;
    stem.kind = Kind::text;
    stem.text = file.stem().string();
    stem.at = node.at;
    node.members.push_back({std::string{keys::title}, node.at, std::move(stem)});
  }
  return node;
}

Node Inheritance::resolve(const std::filesystem::path& file, std::optional<FileKind> kind, const Location& from,
                          const std::string& pointer) {
  std::error_code error;
  std::filesystem::path identity = std::filesystem::weakly_canonical(file, error);
  if (error) identity = file;
  if (std::find(open_.begin(), open_.end(), identity) != open_.end()) {
    throw ScenarioError{
        {ErrorCode::extends_cycle, from, pointer, "no file that inherits from itself", in_quotes(file.string()), {}}};
  }
  if (open_.size() >= longest_chain) {
    throw ScenarioError{{ErrorCode::extends_cycle, from, pointer, "at most 32 files in a chain", "more", {}}};
  }
  open_.push_back(std::move(identity));
  Node node = parse_file(file, from, pointer);
  if (!node.is(Kind::object)) {
    throw ScenarioError{{ErrorCode::wrong_type, node.at, std::string{}, "an object", description(node), {}}};
  }
  if (const Node* schema = node.find(keys::schema)) require_text(*schema, "/$schema", "the schema's path");
  refuse_other_kind(node, kind, from, pointer);
  node.erase(keys::schema);
  if (kind == FileKind::scenario) expand_profiles(node);
  node = base_of(std::move(node), kind, "/extends");
  open_.pop_back();
  return node;
}

Node Inheritance::base_of(Node over, std::optional<FileKind> kind, const std::string& pointer) {
  const Node* extends = over.find(keys::extends);
  if (extends == nullptr) return over;
  const Node name = *extends;
  require_text(name, pointer, "the path of the file to inherit from");
  over.erase(keys::extends);
  const std::filesystem::path file = path_named_by(name);
  if (kind != FileKind::scenario) return merge(profile(file, kind, name.at, pointer), std::move(over));
  Node base = resolve(file, kind, name.at, pointer);
  if (Node* sweep = base.find(keys::sweep); sweep != nullptr && over.find(keys::sweep) == nullptr) {
    drop_from_sweep(*sweep, [&](const std::string& path) { return writes(over, path); });
  }
  return merge(std::move(base), std::move(over));
}

void Inheritance::expand_profiles(Node& scenario) {
  const auto expand = [&](std::string_view subject, std::string_view member, FileKind kind) {
    if (Node* part = scenario.find(subject)) expand_profile(*part, Pointer{} / subject, member, kind);
  };
  expand(keys::storage, keys::hardware, FileKind::storage_server);
  expand(keys::dma, keys::hardware, FileKind::dma_machine);
  expand(keys::remote_memory, keys::hardware, FileKind::hardware);
  expand(keys::remote_memory, keys::software, FileKind::software);
  expand(keys::remote_memory, keys::fabric, FileKind::fabric);
  expand(keys::shared_files, keys::hardware, FileKind::storage_server);
  expand(keys::shared_files, keys::node, FileKind::client_node);
  expand_profile(scenario, Pointer{}, keys::fabric, FileKind::fabric);
  Node* machines = scenario.find(keys::machines);
  if (machines == nullptr) return;
  for (Member& machine : machines->members) {
    const Pointer at = Pointer{} / keys::machines / machine.name;
    expand_profile(machine.value, at, keys::hardware, FileKind::hardware);
    expand_profile(machine.value, at, keys::software, FileKind::software);
    if (Node* drives = machine.value.find(keys::drives))
      expand_profile(*drives, at / keys::drives, keys::hardware, FileKind::nvme_drive);
  }
}

void Inheritance::expand_profile(Node& owner, const Pointer& pointer, std::string_view member, FileKind kind) {
  Node* described = owner.find(member);
  if (described == nullptr) return;
  const Pointer at = pointer / member;
  if (described->is(Kind::text)) {
    *described = profile(path_named_by(*described), kind, described->at, at.text());
    described->replaces = true;
    return;
  }
  described->erase(keys::schema);
  if (described->find(keys::extends) != nullptr) {
    *described = base_of(std::move(*described), kind, (at / keys::extends).text());
    described->replaces = true;
  }
}

}  // namespace doorbell::scenario
