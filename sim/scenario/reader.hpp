// From a tree to the structures of the models, by their own describe() declarations.
#pragma once

#include <array>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "scenario/error.hpp"
#include "scenario/form.hpp"
#include "scenario/leaf.hpp"

namespace doorbell::scenario {

template <class T>
void read(const Node& node, const Pointer& pointer, bool hardware, const model::FieldInfo& info, T& target);

/// Collects the names of a structure, so that a misspelt key is reported as such and not as a missing one.
class NameCollector {
 public:
  template <class T> void field(std::string_view name, const T& /*member*/, const model::FieldInfo& /*info*/) {
    names_.emplace_back(name);
  }
  template <class T> void optional(std::string_view name, const T& member, const model::FieldInfo& info) {
    field(name, member, info);
  }
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// The visitor that fills one structure from one object.
class Reader {
 public:
  Reader(const Node& object, const Pointer& pointer, bool hardware)
      : object_{object}, pointer_{pointer}, hardware_{hardware} {}

  template <class T> void field(std::string_view name, T& member, const model::FieldInfo& info) {
    if (object_.find(name) == nullptr) missing(name, info.doc, form_of<T>(info));
    optional(name, member, info);
  }
  template <class T> void optional(std::string_view name, T& member, const model::FieldInfo& info) {
    if (const Node* node = object_.find(name)) read(*node, pointer_ / name, hardware_, info, member);
  }

 private:
  [[noreturn]] void missing(std::string_view name, std::string_view doc, const Form& form) const;

  const Node& object_;
  const Pointer& pointer_;
  bool hardware_;
};

/// What the top of a file may have besides the members of its structure (see inherit.hpp and resolution.hpp).
/// `profile`: as in Node.
template <class T> std::span<const std::string_view> keys_of_file(const Pointer& pointer, bool profile) {
  static constexpr std::array<std::string_view, 3> of_scenario{"extends", "sweep", "$schema"};
  static constexpr std::array<std::string_view, 3> of_profile{"title", "extends", "$schema"};
  static constexpr std::array<std::string_view, 2> in_place{"extends", "$schema"};
  if (model::Profile<T> || profile) return of_profile;
  if (model::MayHaveFile<T>) return in_place;
  return pointer.tokens().empty() ? of_scenario : std::span<const std::string_view>{};
}

/// Throws ScenarioError when the node is no object with exactly one key out of the form's kinds.
[[nodiscard]] const Member& read_kind(const Node& node, const Pointer& pointer, const Form& form);

template <class... T>
void read_alternative(const Node& node, const Pointer& pointer, bool hardware, std::variant<T...>& target) {
  const Member& chosen = read_kind(node, pointer, form_of<std::variant<T...>>());
  const auto attempt = [&]<class Kind>(std::type_identity<Kind>) {
    if (chosen.name == Kind::kind)
      read(chosen.value, pointer / chosen.name, hardware, {}, target.template emplace<Kind>());
  };
  (attempt(std::type_identity<T>{}), ...);
}

template <class T> void read_leaf(const Node& node, const Pointer& pointer, const model::FieldInfo& info, T& target) {
  Form form = form_of<T>(info);
  if constexpr (is_count<T>) {
    form.max = std::min(form.max, static_cast<double>(std::numeric_limits<T>::max()));
    target = static_cast<T>(read_quantity(node, pointer, form));
  } else if constexpr (std::is_same_v<T, bool>) {
    target = read_boolean(node, pointer, form);
  } else if constexpr (std::is_same_v<T, std::string>) {
    target = read_text(node, pointer, form);
  } else if constexpr (std::is_enum_v<T>) {
    target = static_cast<T>(read_choice(node, pointer, form));
  } else if constexpr (std::is_same_v<T, Time> || std::is_same_v<T, Bytes>) {
    target = T{static_cast<std::int64_t>(read_quantity(node, pointer, form))};
  } else {
    target = T{read_quantity(node, pointer, form)};
  }
}

/// Fills `target` from the node. `hardware`: the value belongs to a profile, so every leaf must carry its provenance.
/// Throws ScenarioError.
template <class T>
void read(const Node& node, const Pointer& pointer, bool hardware, const model::FieldInfo& info, T& target) {
  if constexpr (IsOptional<T>::value) {
    read(node, pointer, hardware, info, target.emplace());
  } else if constexpr (IsNamed<T>::value) {
    require_kind(node, Kind::object, pointer, "an object of named entries");
    target.clear();
    for (const Member& member : node.members) {
      if (member.name.empty())
        throw ScenarioError{{ErrorCode::empty_name, member.at, pointer.text(), "a name", "\"\"", {}}};
      read(member.value, pointer / member.name, hardware, info,
           target.emplace_back(member.name, typename IsNamed<T>::Element{}).second);
    }
  } else if constexpr (IsVariant<T>::value) {
    read_alternative(node, pointer, hardware, target);
  } else if constexpr (IsVector<T>::value) {
    // A list of single values is one parameter with one provenance; a list of structures has it in its leaves.
    const Form form = form_of<T>(info);
    const Node& list = form.is_leaf() ? unwrap(node, pointer, hardware, form) : node;
    require_kind(list, Kind::array, pointer, "an array");
    target.clear();
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      read(list.items[i], pointer / i, hardware && !form.is_leaf(), info, target.emplace_back());
    }
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string> || std::is_enum_v<T> ||
                       dimension_of<T>().has_value()) {
    read_leaf(unwrap(node, pointer, hardware, form_of<T>(info)), pointer, info, target);
  } else {
    require_kind(node, Kind::object, pointer, "an object");
    NameCollector collector;
    describe(collector, target);
    refuse_unknown_keys(node, pointer, collector.names(), keys_of_file<T>(pointer, node.profile));
    Reader reader{node, pointer, hardware || model::Profile<T> || node.profile};
    describe(reader, target);
  }
}

}  // namespace doorbell::scenario
