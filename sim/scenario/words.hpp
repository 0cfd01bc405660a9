// Lines of text from outside: their words, columns and characters.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace doorbell::scenario {

/// The parts of a line between blanks: spaces, tabs, and what else ends lines or pages. They are views into it.
[[nodiscard]] std::vector<std::string_view> words_of(std::string_view line);

/// Characters of UTF-8, as columns count them.
[[nodiscard]] int characters_in(std::string_view text);

/// The column, from 1, at which `part` begins, which must be a view into `line`.
[[nodiscard]] int column_of(std::string_view part, std::string_view line);

/// Where a character begins that is none of UTF-8 (RFC 3629), npos where all are.
[[nodiscard]] std::size_t broken_character(std::string_view text);

}  // namespace doorbell::scenario
