#include "scenario/reader.hpp"

#include <fmt/format.h>

namespace doorbell::scenario {

void Reader::missing(std::string_view name, std::string_view doc, const Form& form) const {
  const std::string expected = fmt::format("\"{}\": {} ({})", name, expectation(form), doc);
  throw ScenarioError{{ErrorCode::missing_key, object_.at, pointer_.text(), expected, "none", {}}};
}

const Member& read_kind(const Node& node, const Pointer& pointer, const Form& form) {
  if (!node.is(Kind::object) || node.members.size() != 1) {
    const std::string found = node.members.size() > 1 ? fmt::format("{} keys", node.members.size()) : description(node);
    throw ScenarioError{{ErrorCode::step_form, node.at, pointer.text(), expectation(form), found, {}}};
  }
  const Member& only = node.members.front();
  if (form.find(only.name) == nullptr) {
    throw ScenarioError{{ErrorCode::unknown_step, only.at, (pointer / only.name).text(),
                         alternatives(form.field_names()), in_quotes(only.name),
                         nearest(only.name, form.field_names())}};
  }
  return only;
}

}  // namespace doorbell::scenario
