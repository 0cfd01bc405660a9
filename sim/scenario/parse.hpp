// JSON text to a tree in which every value knows its file, line and column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// Parses a document. `name` is what messages call the file. // comments are allowed.
/// Throws ScenarioError: syntax, duplicate keys, nesting deeper than 64, invalid UTF-8, numbers beyond a double.
[[nodiscard]] Node parse(std::string_view text, const std::string& name);

/// Reads a file as it is. `from` is where its name was written, for the message when it cannot be read. Throws
/// ScenarioError for a file that is missing, no regular file, unreadable or larger than `largest` bytes.
[[nodiscard]] std::string read_text(const std::filesystem::path& file, const Location& from, const std::string& pointer,
                                    std::uintmax_t largest);

/// Reads and parses a file. `from` is where its name was written, for the message when it cannot be read.
/// Throws ScenarioError as parse() does, and for a file that is missing, no regular file, unreadable or too large.
[[nodiscard]] Node parse_file(const std::filesystem::path& file, const Location& from, const std::string& pointer);

}  // namespace doorbell::scenario
