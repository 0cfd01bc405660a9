// Stepping over JSON text, value by value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace doorbell::tools {

/// A place in JSON; at the end of the text it stays. What is no JSON it steps over somehow, and never goes back.
class JsonWalk {
 public:
  JsonWalk(std::string_view text, std::size_t at) : text_{text}, at_{at} {}

  [[nodiscard]] std::size_t place() const { return at_ < text_.size() ? at_ : text_.size(); }
  [[nodiscard]] char here() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  [[nodiscard]] bool is_at_end() const { return at_ >= text_.size(); }
  /// Whether an object or an array ends here, or the text.
  [[nodiscard]] bool closes() const { return here() == '}' || here() == ']' || is_at_end(); }

  void step() { ++at_; }
  void skip_blanks();
  void skip_string();
  /// At the beginning of a value; with all that is in it.
  void skip_value();
  /// The name of a member, behind whose colon this goes.
  [[nodiscard]] std::string take_name();

 private:
  [[nodiscard]] bool ends_value() const;

  std::string_view text_;
  std::size_t at_;
};

}  // namespace doorbell::tools
