// Where something was written: every value that comes from a file or from the command line can say so.
#pragma once

#include <memory>
#include <string>

namespace doorbell::scenario {

/// A place in a file. Line and column count from 1; the column counts characters, not bytes.
struct Location {
  std::shared_ptr<const std::string> file;  ///< As the user would write it; "--set" for the command line.
  int line = 1;
  int column = 1;

  [[nodiscard]] const std::string& file_name() const {
    static const std::string unknown = "(unknown)";
    return file ? *file : unknown;
  }
};

/// Of UTF-8: bytes after the first of a character do not count as columns.
[[nodiscard]] constexpr bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace doorbell::scenario
