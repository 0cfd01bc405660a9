#include "tools/json_text.hpp"

#include <string_view>

namespace doorbell::tools {
namespace {

using nlohmann::ordered_json;

constexpr std::size_t width = 120;
constexpr std::size_t margin_width = 2;

/// Members separated by `between`, each written by `write`.
template <class Write> std::string members(const ordered_json& value, std::string_view between, const Write& write) {
  std::string text;
  for (const auto& [key, member] : value.items()) {
    if (!text.empty()) text += between;
    if (value.is_object()) text += ordered_json(key).dump() + ": ";
    text += write(member);
  }
  return value.is_object() ? "{" + text + "}" : "[" + text + "]";
}

std::string on_one_line(const ordered_json& value) {
  return value.is_structured() ? members(value, ", ", on_one_line) : value.dump();
}

std::string write(const ordered_json& value, std::size_t indent) {
  std::string line = on_one_line(value);
  // The name before it counts for a little.
  if (!value.is_structured() || line.size() + indent + 8 <= width) return line;
  const std::string margin = "\n" + std::string(indent + margin_width, ' ');
  std::string text =
      members(value, "," + margin, [&](const ordered_json& member) { return write(member, indent + margin_width); });
  text.insert(1, margin);
  text.insert(text.size() - 1, "\n" + std::string(indent, ' '));
  return text;
}

}  // namespace

std::string to_text(const ordered_json& value) { return write(value, 0) + "\n"; }

}  // namespace doorbell::tools
