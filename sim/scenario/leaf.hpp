// Single values: from a node of the tree to a number, a word or a text, within the limits of its declaration.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/form.hpp"
#include "scenario/pointer.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// The part of `{"value": ..., "provenance": ..., "source": ...}` that holds the value; a bare value is its own.
/// Where `needs_provenance`, a bare value is an error unless an override or a sweep wrote it. Throws ScenarioError.
[[nodiscard]] const Node& unwrap(const Node& node, const Pointer& pointer, bool needs_provenance, const Form& form);

/// The value in the base unit (ps for time). Throws ScenarioError for type, unit, range.
[[nodiscard]] double read_quantity(const Node& node, const Pointer& pointer, const Form& form);
[[nodiscard]] bool read_boolean(const Node& node, const Pointer& pointer, const Form& form);
[[nodiscard]] const std::string& read_text(const Node& node, const Pointer& pointer, const Form& form);
/// The index of the word among the form's choices.
[[nodiscard]] std::size_t read_choice(const Node& node, const Pointer& pointer, const Form& form);

/// The words for model::Provenance, in its order.
[[nodiscard]] const std::vector<std::string>& provenance_words();

/// Throws ScenarioError for the first member that is not in `names`. `taken`: keys that could stand here, too, because
/// whoever read the file has taken them out.
void refuse_unknown_keys(const Node& object, const Pointer& pointer, const std::vector<std::string>& names,
                         std::span<const std::string_view> taken = {});

/// Throws ScenarioError when the node is of another kind.
void require_kind(const Node& node, Kind kind, const Pointer& pointer, const std::string& expected);

}  // namespace doorbell::scenario
