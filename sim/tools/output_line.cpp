#include "tools/output_line.hpp"

#include <algorithm>
#include <utility>

#include "scenario/error.hpp"
#include "scenario/words.hpp"
#include "tools/output_error.hpp"

namespace doorbell::tools {

std::string_view OutputLine::from(std::string_view words) const {
  return text.substr(std::min(text.find(words), text.size()));
}

std::string_view OutputLine::end() const {
  const auto words = scenario::words_of(text);
  if (words.empty()) return text.substr(text.size());
  return text.substr(static_cast<std::size_t>(words.back().data() - text.data()) + words.back().size());
}

figures::Mention OutputLine::mention_of(std::string_view part) const {
  return {{file, number, first_column + scenario::column_of(part, text) - 1}, {}};
}

figures::Mention OutputLine::mention() const {
  const auto words = scenario::words_of(text);
  return mention_of(words.empty() ? text : words.front());
}

void OutputLine::fail_at(std::string_view part, const std::string& expected) const {
  fail_at(part, expected, scenario::in_quotes(part));
}

void OutputLine::fail_at(std::string_view part, const std::string& expected, const std::string& found) const {
  throw OutputError{mention_of(part), expected, found};
}

void OutputLine::fail(const std::string& expected, const std::string& found) const {
  throw OutputError{mention(), expected, found};
}

OutputLines::OutputLines(std::string_view text, const std::filesystem::path& file)
    : text_{text}, line_{std::make_shared<const std::string>(file.string()), 1, text.substr(0, 0)} {}

bool OutputLines::next() {
  if (end_ >= text_.size()) return false;
  begin_ = end_;
  const std::size_t end = std::min(text_.find('\n', begin_), text_.size());
  end_ = std::min(end + 1, text_.size());
  line_.text = text_.substr(begin_, end - begin_);
  if (line_.text.ends_with('\r')) line_.text.remove_suffix(1);
  line_.number = next_number_++;
  line_.first_column = std::exchange(next_column_, 1);
  return true;
}

void OutputLines::skip_to(std::size_t offset) {
  const std::string_view skipped = text_.substr(begin_, offset - begin_);
  next_number_ = line_.number + static_cast<int>(std::ranges::count(skipped, '\n'));
  // Only what is skipped is counted: a line may hold many documents.
  const std::size_t last_end = skipped.rfind('\n');
  const bool is_same_line = last_end == std::string_view::npos;
  next_column_ = (is_same_line ? line_.first_column : 1) +
                 scenario::characters_in(is_same_line ? skipped : skipped.substr(last_end + 1));
  end_ = offset;
}

}  // namespace doorbell::tools
