#include "tools/json_place.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace doorbell::tools {
namespace {

/// Walks over JSON that is known to be well-formed; at the end of the text it stays.
class JsonWalk {
 public:
  JsonWalk(std::string_view text, std::size_t at) : text_{text}, at_{at} {}

  /// Where the value begins that `token` names in the one at hand, to which this goes; if there is none, it stays.
  bool enter(const std::string& token) {
    const std::size_t container = begin_of_value();
    const bool is_object = here() == '{';
    if (!is_object && here() != '[') return false;
    ++at_;
    for (std::size_t index = 0;; ++index) {
      skip_blanks();
      if (here() == '}' || here() == ']' || here() == '\0') break;
      bool is_wanted = token == std::to_string(index);
      if (is_object) {
        const std::size_t key = at_;
        skip_string();
        is_wanted = nlohmann::json::parse(text_.substr(key, at_ - key), nullptr, false) == token;
        skip_blanks();
        ++at_;  // the colon
      }
      if (is_wanted) return true;
      skip_value();
      skip_blanks();
      if (here() == ',') ++at_;
    }
    at_ = container;
    return false;
  }

  std::size_t begin_of_value() {
    skip_blanks();
    return at_;
  }

 private:
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  void skip_string() {
    for (++at_; here() != '"' && at_ < text_.size(); ++at_) {
      if (here() == '\\') ++at_;
    }
    ++at_;
  }
  void skip_value() {
    skip_blanks();
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
    } while (at_ < text_.size() && (depth > 0 || !ends_value()));
  }
  [[nodiscard]] bool ends_value() const {
    return std::string_view{",}] \t\r\n"}.find(here()) != std::string_view::npos;
  }

  std::string_view text_;
  std::size_t at_;
};

}  // namespace

JsonPlaces::JsonPlaces(std::string_view text, const std::filesystem::path& file)
    : text_{text}, file_{std::make_shared<const std::string>(file.string())} {}

scenario::Location JsonPlaces::at(std::size_t offset) {
  offset = std::min(offset, text_.empty() ? 0 : text_.size() - 1);
  if (offset < offset_) {
    offset_ = 0;
    line_ = column_ = 1;
  }
  for (; offset_ < offset; ++offset_) {
    if (text_[offset_] == '\n') {
      ++line_;
      column_ = 1;
    } else if (scenario::starts_character(text_[offset_ + 1])) {
      ++column_;  // which counts characters, not bytes
    }
  }
  return {file_, line_, column_};
}

scenario::Location JsonPlaces::of(std::size_t begin, const scenario::Pointer& pointer) {
  JsonWalk walk{text_, begin};
  for (const std::string& token : pointer.tokens()) {
    if (!walk.enter(token)) break;
  }
  return at(walk.begin_of_value());
}

}  // namespace doorbell::tools
