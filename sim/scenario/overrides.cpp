#include "scenario/overrides.hpp"

#include <algorithm>

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

[[noreturn]] void refuse_form(const std::string& set, int line) {
  const Location at{std::make_shared<const std::string>(option_name), line, 1};
  throw ScenarioError{
      {ErrorCode::override_form, at, {}, "path=value, such as programs.worker.threads=6", in_quotes(set), {}}};
}

Node parse_value(const std::string& text, const std::string& file, int line, int column) {
  const std::size_t first = text.find_first_not_of(' ');
  const bool structured = first != std::string::npos && (text[first] == '{' || text[first] == '[');
  Node value;
  try {
    value = parse(text, file);
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
    value.at = {std::make_shared<const std::string>(file), line, column};
    if (has_control_character(text)) refuse_control_character(text, value.at, {});
  }
  set_author(value, Author::option);
  return value;
}

}  // namespace

Override parse_override(const std::string& path, const std::string& value, int line,
                        const std::filesystem::path& folder) {
  const auto pointer = Pointer::parse(path);
  if (!pointer) refuse_form(path + "=" + value, line);
  if (has_control_character(path))
    refuse_control_character(path + "=" + value, {std::make_shared<const std::string>(option_name), line, 1}, {});
  const int columns = static_cast<int>(std::ranges::count_if(path, starts_character));
  return {*pointer, parse_value(value, (folder / option_name).string(), line, columns + 2)};
}

bool is_override(const Location& at) { return std::filesystem::path{at.file_name()}.filename() == option_name; }

std::vector<Override> parse_overrides(const std::vector<std::string>& sets) {
  std::vector<Override> overrides;
  for (const std::string& set : sets) {
    const int line = static_cast<int>(overrides.size()) + 1;
    const std::size_t equals = set.find('=');
    if (equals == std::string::npos) refuse_form(set, line);
    overrides.push_back(parse_override(set.substr(0, equals), set.substr(equals + 1), line));
  }
  return overrides;
}

}  // namespace doorbell::scenario
