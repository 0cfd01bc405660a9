// Random damage to text, for fuzzers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>

namespace doorbell::scenario::testing {

/// How often a fuzzer tries.
inline int runs() {
  const char* wanted = std::getenv("DOORBELL_FUZZ_RUNS");
  return wanted == nullptr ? 3000 : std::atoi(wanted);
}

/// The same damage for the same seed on every platform: only the generator itself is used, no distribution.
class Damage {
 public:
  explicit Damage(std::uint32_t seed) : random_{seed} {}

  [[nodiscard]] std::string done_to(std::string text) {
    for (std::size_t i = below(4) + 1; i-- > 0;) hurt(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) { return random_() % limit; }

  void hurt(std::string& text) {
    // Words that mean something to the reader go deeper than single bytes do.
    static const std::array<std::string, 26> words{"0",   "-1",      "1e308",    "99999999999999999999",
                                                   "0.5", "null",    "true",     "\"\"",
                                                   "{}",  "[]",      "{",        "}",
                                                   "[",   "]",       "\"",       ":",
                                                   ",",   "\"8 B\"", "\n",       "//",
                                                   "/*",  "\\u0000", "\"1 ns\"", "\xff",
                                                   "@",   "value"};
    if (text.empty()) text = "{";
    const std::size_t at = below(text.size());
    const std::size_t length = std::min(below(12) + 1, text.size() - at);
    switch (below(6)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, length); break;
      case 2: text.insert(at, words.at(below(words.size()))); break;
      case 3: text.insert(below(text.size()), text.substr(at, length)); break;
      case 4: replace_value(text, at, words.at(below(words.size()))); break;
      default: text.resize(below(50) == 0 ? at : text.size()); break;
    }
  }

  /// Keeps the syntax whole, so that the damage reaches the checks behind the parser.
  static void replace_value(std::string& text, std::size_t at, const std::string& word) {
    const std::size_t start = text.find(": ", at);
    if (start == std::string::npos) return;
    const std::size_t end = text.find_first_of(",}]\n", start + 2);
    if (end != std::string::npos) text.replace(start + 2, end - start - 2, word);
  }

  std::mt19937 random_;
};

}  // namespace doorbell::scenario::testing
