#include "scenario/overrides.hpp"

#include "scenario/error.hpp"
#include "scenario/parse.hpp"

namespace doorbell::scenario {
namespace {

const std::string option_name = "--set";

/// The value was parsed as a document of its own; its places are those inside the option.
void move_to(Node& node, int line, int columns) {
  node.at.column += node.at.line == 1 ? columns : 0;
  node.at.line = line;
  for (Node& item : node.items) move_to(item, line, columns);
  for (Member& member : node.members) {
    member.at.column += member.at.line == 1 ? columns : 0;
    member.at.line = line;
    move_to(member.value, line, columns);
  }
}

Node parse_value(const std::string& text, int line, int column) {
  const std::size_t first = text.find_first_not_of(' ');
  const bool structured = first != std::string::npos && (text[first] == '{' || text[first] == '[');
  Node value;
  try {
    value = parse(text, option_name);
    move_to(value, line, column - 1);
  } catch (const ScenarioError& error) {
    const bool is_text = error.code() == ErrorCode::control_character;
    if (structured || is_text || error.code() == ErrorCode::number_range) {
      Complaint complaint = error.complaint();
      complaint.at.column += column - 1;
      complaint.at.line = line;
      throw ScenarioError{complaint};
    }
    value.kind = Kind::text;
    value.text = text;
    value.at = {std::make_shared<const std::string>(option_name), line, column};
    if (has_control_character(text)) refuse_control_character(text, value.at, {});
  }
  set_author(value, Author::option);
  return value;
}

}  // namespace

std::vector<Override> parse_overrides(const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    const int line = static_cast<int>(overrides.size()) + 1;
    const std::size_t equals = set.find('=');
    const auto path = Pointer::parse(std::string_view{set}.substr(0, equals));
    if (equals == std::string::npos || !path) {
      const Location at{std::make_shared<const std::string>(option_name), line, 1};
      throw ScenarioError{
          {ErrorCode::override_form, at, {}, "path=value, such as programs.worker.threads=6", in_quotes(set), {}}};
    }
    if (has_control_character(set.substr(0, equals)))
      refuse_control_character(set, {std::make_shared<const std::string>(option_name), line, 1}, {});
    overrides.push_back({*path, parse_value(set.substr(equals + 1), line, static_cast<int>(equals) + 2)});
  }
  return overrides;
}

}  // namespace doorbell::scenario
