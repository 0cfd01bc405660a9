// What a tool has printed, line by line, and where the parts of a line stand.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "figures/document.hpp"

namespace doorbell::tools {

/// A line without what ends it. Parts of it are views into it.
struct OutputLine {
  std::shared_ptr<const std::string> file;
  int number = 1;
  std::string_view text;
  int first_column = 1;  ///< Of the text, which may begin in mid-line.

  [[nodiscard]] bool says(std::string_view words) const { return text.find(words) != std::string_view::npos; }
  /// The first occurrence of words, and all that follows; the end of the line where it does not say them.
  [[nodiscard]] std::string_view from(std::string_view words) const;
  /// Behind its last word.
  [[nodiscard]] std::string_view end() const;

  [[nodiscard]] figures::Mention mention_of(std::string_view part) const;
  /// Of its first word.
  [[nodiscard]] figures::Mention mention() const;

  /// Throws OutputError that points to the part; what was found is the part itself unless something else is.
  [[noreturn]] void fail_at(std::string_view part, const std::string& expected) const;
  [[noreturn]] void fail_at(std::string_view part, const std::string& expected, const std::string& found) const;
  /// The same at its first word.
  [[noreturn]] void fail(const std::string& expected, const std::string& found) const;
};

/// Text as lines, which end with "\n" or "\r\n".
class OutputLines {
 public:
  /// The text must outlive this and its lines.
  OutputLines(std::string_view text, const std::filesystem::path& file);

  /// Goes to the next line; false when there is none.
  bool next();
  /// Makes the next line what follows the byte `offset`, on the line of that byte.
  void skip_to(std::size_t offset);

  /// The last one that there was; an empty first one before next().
  [[nodiscard]] const OutputLine& line() const { return line_; }
  /// Where it begins in the text.
  [[nodiscard]] std::size_t offset() const { return begin_; }

 private:
  std::string_view text_;
  OutputLine line_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;  // where the next one begins
  int next_number_ = 1;
  int next_column_ = 1;
};

}  // namespace doorbell::tools
