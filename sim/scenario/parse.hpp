// JSON text to a tree in which every value knows its file, line and column.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "scenario/pointer.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// Whether texts (never names) may have line breaks: labels in pictures may, what people read in a terminal not.
enum class LineBreaks { refused, allowed };

/// Characters that do something to a terminal instead of being shown.
[[nodiscard]] bool has_control_character(std::string_view text, LineBreaks line_breaks = LineBreaks::refused);
[[noreturn]] void refuse_control_character(std::string_view text, const Location& at, const Pointer& pointer);

/// Parses a document. `name` is what messages call the file. // comments are allowed.
/// Throws ScenarioError: syntax, duplicate keys, nesting deeper than 64, invalid UTF-8, control characters, numbers
/// beyond a double.
[[nodiscard]] Node parse(std::string_view text, const std::string& name, LineBreaks line_breaks = LineBreaks::refused);

/// Reads a file as it is. `from` is where its name was written, for the message when it cannot be read. Throws
/// ScenarioError for a file that is missing, no regular file, unreadable or larger than `largest` bytes.
[[nodiscard]] std::string read_text(const std::filesystem::path& file, const Location& from, const std::string& pointer,
                                    std::uintmax_t largest);

/// Reads and parses a file. `from` is where its name was written, for the message when it cannot be read.
/// Throws ScenarioError as parse() does, and for a file that is missing, no regular file, unreadable or too large.
[[nodiscard]] Node parse_file(const std::filesystem::path& file, const Location& from, const std::string& pointer,
                              LineBreaks line_breaks = LineBreaks::refused);

}  // namespace doorbell::scenario
