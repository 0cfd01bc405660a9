#include "scenario/resolution.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/fingerprint.hpp"
#include "scenario/document.hpp"
#include "scenario/edit.hpp"
#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

/// Axes are replaced together.
bool is_sweep(const Override& change) {
  const std::vector<std::string>& tokens = change.path.tokens();
  if (tokens.empty() || tokens.front() != keys::sweep) return false;
  if (tokens.size() > 1) {
    throw ScenarioError{{ErrorCode::path_not_found,
                         change.value.at,
                         change.path.text(),
                         "sweep=[...], which replaces all axes",
                         in_quotes(tokens[1]),
                         {}}};
  }
  return true;
}

/// A value of an axis, on its way into a document.
struct Swept {
  const Pointer* path = {};
  const Node* value = {};
  const Location* place = {};
};

void set_member(Node& object, std::string_view name, const Node& value) {
  object.erase(name);
  object.members.push_back({std::string{name}, value.at, value});
}

}  // namespace

Resolution::Resolution(const std::filesystem::path& file, const LoadOptions& options)
    : overrides_{parse_overrides(options.sets)}, root_{inheritance_.scenario(file)} {
  for (const auto& [path, value] : options.values)
    overrides_.push_back(parse_override(path, value, static_cast<int>(overrides_.size()) + 1, options.folder));
  for (const Override& change : overrides_) {
    if (is_sweep(change)) set_member(root_, keys::sweep, change.value);
  }
  std::erase_if(overrides_, is_sweep);
  const Node* sweep = root_.find(keys::sweep);
  if (options.axes) {
    axes_ = *options.axes;
  } else if (sweep != nullptr) {
    axes_ = read_sweep(*sweep);
  }
  root_.erase(keys::sweep);
  apply_overrides(root_);
  for (const Override& change : overrides_) drop_path(axes_, change.path);
  if (options.seed) drop_path(axes_, Pointer{} / "seed");
}

void Resolution::apply_overrides(Node& tree) {
  for (const Override& change : overrides_) {
    put(tree, document_form(tree), change.path, change.value, change.value.at);
    inheritance_.expand_profiles(tree);
  }
}

Node Resolution::tree(std::size_t point) {
  Node tree = root_;
  const std::vector<std::size_t> rows = rows_at(axes_, point);
  std::vector<Swept> all;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    const Axis& axis = axes_[i];
    for (std::size_t j = 0; j < axis.paths.size(); ++j)
      all.push_back({&axis.paths[j], &axis.rows[rows[i]][j], &axis.places[j]});
  }
  // What one axis replaces as a whole, another may change a part of, in whatever order they are written.
  std::ranges::stable_sort(all, {}, [](const Swept& one) { return one.path->tokens().size(); });
  for (const Swept& one : all) {
    put(tree, document_form(tree), *one.path, *one.value, *one.place);
    inheritance_.expand_profiles(tree);
  }
  // An axis may have replaced something around an override: the override wins all the same.
  if (!axes_.empty()) apply_overrides(tree);
  return tree;
}

std::vector<std::pair<std::string, std::string>> Resolution::coordinates(std::size_t point) const {
  std::vector<std::pair<std::string, std::string>> all;
  const std::vector<std::size_t> rows = rows_at(axes_, point);
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    for (std::size_t j = 0; j < axes_[i].paths.size(); ++j) {
      all.emplace_back(axes_[i].paths[j].text(), coordinate_text(axes_[i].rows[rows[i]][j]));
    }
  }
  return all;
}

std::string Resolution::hash() const {
  std::string content = to_json(root_);
  for (const Axis& axis : axes_) {
    for (const Pointer& path : axis.paths) content += path.text() + '\n';
    for (const std::vector<Node>& row : axis.rows) {
      for (const Node& value : row) content += to_json(value) + ' ';
      content += '\n';
    }
  }
  return fmt::format("{:016x}", core::fingerprint(content));
}

}  // namespace doorbell::scenario
