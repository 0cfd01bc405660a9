// Finds where each JSON token stands. It runs in lock-step with a parser that has already accepted the token.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "scenario/location.hpp"

namespace doorbell::scenario {

struct Token {
  Location at;
  std::string_view text;
};

/// Walks through a text from token to token. The parser reports values but not where they begin; this class finds the
/// beginning of the next one by skipping what may stand between two tokens.
class TokenScanner {
 public:
  TokenScanner(std::string_view text, std::shared_ptr<const std::string> file);

  [[nodiscard]] Token string();  ///< A string or key, with its quotes.
  [[nodiscard]] Token number();
  [[nodiscard]] Token word();    ///< true, false or null.
  [[nodiscard]] Token opener();  ///< { or [.

  /// The place of a byte; the end of the text when it lies beyond.
  [[nodiscard]] Location location(std::size_t offset) const;
  /// The place of the last byte of the first `count`; behind the last word when the parser wanted more than there is.
  [[nodiscard]] Location location_before(std::size_t count) const;

 private:
  void skip_to_token();
  [[nodiscard]] Token take(std::size_t end);
  void advance_to(std::size_t offset);

  std::string_view text_;
  std::shared_ptr<const std::string> file_;
  std::size_t offset_ = 0;
  int line_ = 1;
  int column_ = 1;
};

}  // namespace doorbell::scenario
