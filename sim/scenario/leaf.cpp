#include "scenario/leaf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scenario/error.hpp"

namespace doorbell::scenario {
namespace {

const std::vector<std::string>& leaf_keys() {
  static const std::vector<std::string> keys{"value", "provenance", "source"};
  return keys;
}

[[noreturn]] void refuse(ErrorCode code, const Node& node, const Pointer& pointer, std::string expected,
                         std::string suggestion = {}) {
  throw ScenarioError{{code, node.at, pointer.text(), std::move(expected), description(node), std::move(suggestion)}};
}

Form provenance_form() {
  Form form;
  form.shape = Shape::choice;
  form.choices = provenance_words();
  return form;
}

/// The provenance and source of a leaf that must have them.
void check_origin(const Node& leaf, const Pointer& pointer) {
  const Node* provenance = leaf.find("provenance");
  const Node* source = leaf.find("source");
  const std::string words = expectation(provenance_form());
  if (provenance == nullptr) {
    throw ScenarioError{{ErrorCode::no_provenance, leaf.at, pointer.text(), "\"provenance\": " + words, "none", {}}};
  }
  static_cast<void>(read_choice(*provenance, pointer / "provenance", provenance_form()));
  if (source == nullptr) {
    throw ScenarioError{
        {ErrorCode::no_provenance, leaf.at, pointer.text(), "\"source\": where the number comes from", "none", {}}};
  }
  if (!source->is(Kind::text)) refuse(ErrorCode::wrong_type, *source, pointer / "source", "text");
  if (source->text.empty())
    refuse(ErrorCode::no_provenance, *source, pointer / "source", "where the number comes from");
}

double quantity_from_text(const Node& node, const Pointer& pointer, const Form& form) {
  const QuantityResult result = parse_quantity(node.text, form.dimension);
  if (const double* value = std::get_if<double>(&result)) return *value;
  const QuantityError& error = std::get<QuantityError>(result);
  const std::string with_unit = fmt::format("{}, unit {}", expectation(form), fmt::join(units(form.dimension), ", "));
  switch (error.fault) {
    case QuantityFault::malformed: refuse(ErrorCode::malformed_quantity, node, pointer, with_unit);
    case QuantityFault::no_unit: refuse(ErrorCode::missing_unit, node, pointer, with_unit);
    case QuantityFault::unknown_unit: refuse(ErrorCode::unknown_unit, node, pointer, with_unit, error.suggestion);
    case QuantityFault::wrong_dimension: refuse(ErrorCode::wrong_dimension, node, pointer, with_unit, error.suggestion);
    case QuantityFault::too_fine: break;
  }
  refuse(ErrorCode::too_fine, node, pointer,
         form.dimension == Dimension::time ? "a time of at least 1 ps, or 0" : "whole bytes");
}

/// Limits are in seconds, times in picoseconds.
double in_limit_unit(double value, Dimension dimension) { return dimension == Dimension::time ? value * 1e-12 : value; }

}  // namespace

const std::vector<std::string>& provenance_words() {
  static const std::vector<std::string> words{"datasheet", "stated", "fitted", "assumed"};
  return words;
}

void require_kind(const Node& node, Kind kind, const Pointer& pointer, const std::string& expected) {
  if (!node.is(kind)) refuse(ErrorCode::wrong_type, node, pointer, expected);
}

void refuse_unknown_keys(const Node& object, const Pointer& pointer, const std::vector<std::string>& names,
                         std::span<const std::string_view> taken) {
  for (const Member& member : object.members) {
    if (std::find(names.begin(), names.end(), member.name) != names.end()) continue;
    std::vector<std::string> possible = names;
    possible.insert(possible.end(), taken.begin(), taken.end());
    throw ScenarioError{{ErrorCode::unknown_key, member.at, (pointer / member.name).text(),
                         possible.empty() ? "no members" : "one of " + alternatives(possible), in_quotes(member.name),
                         nearest(member.name, possible)}};
  }
}

const Node& unwrap(const Node& node, const Pointer& pointer, bool needs_provenance, const Form& form) {
  if (!node.is(Kind::object)) {
    const bool excused = node.author != Author::file;
    if (needs_provenance && !excused) {
      refuse(ErrorCode::no_provenance, node, pointer, "{\"value\": ..., \"provenance\": ..., \"source\": ...}");
    }
    return node;
  }
  const Node* value = node.find("value");
  if (value == nullptr && !needs_provenance && node.find("provenance") == nullptr && node.find("source") == nullptr) {
    refuse(ErrorCode::wrong_type, node, pointer, expectation(form));
  }
  refuse_unknown_keys(node, pointer, leaf_keys());
  if (value == nullptr) {
    throw ScenarioError{
        {ErrorCode::missing_key, node.at, pointer.text(), "\"value\": " + expectation(form), "none", {}}};
  }
  const bool half_given = node.find("provenance") != nullptr || node.find("source") != nullptr;
  if (needs_provenance || half_given) check_origin(node, pointer);
  return *value;
}

double read_quantity(const Node& node, const Pointer& pointer, const Form& form) {
  const bool bare = form.dimension == Dimension::count || form.dimension == Dimension::number;
  double value = 0;
  if (bare) {
    require_kind(node, Kind::number, pointer, expectation(form));
    value = node.number;
    if (form.dimension == Dimension::count && value != std::floor(value))
      refuse(ErrorCode::not_whole, node, pointer, expectation(form));
  } else if (node.is(Kind::number)) {
    refuse(ErrorCode::missing_unit, node, pointer,
           fmt::format("{}, as text with a unit ({})", expectation(form), fmt::join(units(form.dimension), ", ")));
  } else {
    require_kind(node, Kind::text, pointer, expectation(form));
    value = quantity_from_text(node, pointer, form);
  }
  constexpr double largest_integer = 9.2e18;  // Just below what 64 bits hold.
  const bool discrete = form.dimension != Dimension::number && form.dimension != Dimension::bandwidth &&
                        form.dimension != Dimension::rate;
  const double limited = in_limit_unit(value, form.dimension);
  // A limit is inside, though picoseconds made of seconds need not be its double to the last bit.
  const double slack = form.dimension == Dimension::time ? std::abs(limited) * 1e-12 : 0;
  const bool inside = std::isfinite(value) && limited + slack >= form.min && limited - slack <= form.max &&
                      !(discrete && std::abs(value) > largest_integer);
  if (!inside) refuse(ErrorCode::out_of_range, node, pointer, expectation(form));
  return value;
}

bool read_boolean(const Node& node, const Pointer& pointer, const Form& form) {
  require_kind(node, Kind::boolean, pointer, expectation(form));
  return node.boolean;
}

const std::string& read_text(const Node& node, const Pointer& pointer, const Form& form) {
  require_kind(node, Kind::text, pointer, expectation(form));
  return node.text;
}

std::size_t read_choice(const Node& node, const Pointer& pointer, const Form& form) {
  require_kind(node, Kind::text, pointer, expectation(form));
  const auto found = std::find(form.choices.begin(), form.choices.end(), node.text);
  if (found == form.choices.end()) {
    refuse(ErrorCode::unknown_choice, node, pointer, expectation(form), nearest(node.text, form.choices));
  }
  return static_cast<std::size_t>(found - form.choices.begin());
}

}  // namespace doorbell::scenario
