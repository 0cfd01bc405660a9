#include "scenario/words.hpp"

#include <algorithm>

#include "scenario/location.hpp"

namespace doorbell::scenario {

std::vector<std::string_view> words_of(std::string_view line) {
  constexpr std::string_view blank = " \t\v\f\r\n";
  std::vector<std::string_view> words;
  for (std::size_t at = line.find_first_not_of(blank); at != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blank, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(blank, end);
  }
  return words;
}

int characters_in(std::string_view text) { return static_cast<int>(std::ranges::count_if(text, starts_character)); }

int column_of(std::string_view part, std::string_view line) {
  return characters_in(line.substr(0, static_cast<std::size_t>(part.data() - line.data()))) + 1;
}

std::size_t broken_character(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  for (std::size_t at = 0; at < text.size();) {
    const unsigned char first = byte(at);
    const std::size_t length = first < 0x80   ? 1
                               : first < 0xC2 ? 0
                               : first < 0xE0 ? 2
                               : first < 0xF0 ? 3
                               : first < 0xF5 ? 4
                                              : 0;
    if (length == 0 || at + length > text.size()) return at;
    // Neither longer than need be, nor half of a pair of UTF-16, nor beyond U+10FFFF.
    const unsigned char least = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
    const unsigned char most = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
    for (std::size_t i = 1; i < length; ++i) {
      const unsigned char next = byte(at + i);
      if (next < (i == 1 ? least : 0x80) || next > (i == 1 ? most : 0xBF)) return at;
    }
    at += length;
  }
  return std::string_view::npos;
}

}  // namespace doorbell::scenario
