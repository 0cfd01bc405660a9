#include "tools/json_walk.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace doorbell::tools {

void JsonWalk::skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

void JsonWalk::skip_string() {
  for (++at_; here() != '"' && !is_at_end(); ++at_) {
    if (here() == '\\') ++at_;
  }
  ++at_;
}

void JsonWalk::skip_value() {
  int depth = 0;
  do {
    const char c = here();
    if (c == '"') {
      skip_string();
      continue;
    }
    if (c == '{' || c == '[') ++depth;
    if (c == '}' || c == ']') --depth;
    ++at_;
    if (depth == 0 && (c == '}' || c == ']')) return;
  } while (!is_at_end() && (depth > 0 || !ends_value()));
}

std::string JsonWalk::take_name() {
  const std::size_t begin = place();
  skip_string();
  const auto name = nlohmann::json::parse(text_.substr(begin, at_ - begin), nullptr, false);
  skip_blanks();
  ++at_;  // the colon
  return name.is_string() ? name.get<std::string>() : std::string{};
}

bool JsonWalk::ends_value() const { return std::string_view{",}] \t\r\n"}.find(here()) != std::string_view::npos; }

}  // namespace doorbell::tools
