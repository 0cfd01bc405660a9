#include "scenario/token_scanner.hpp"

#include <algorithm>
#include <utility>

namespace doorbell::scenario {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

}  // namespace

TokenScanner::TokenScanner(std::string_view text, std::shared_ptr<const std::string> file)
    : text_{text}, file_{std::move(file)} {
  if (text_.starts_with(byte_order_mark)) offset_ = byte_order_mark.size();
}

void TokenScanner::advance_to(std::size_t offset) {
  const std::size_t end = std::min(offset, text_.size());
  for (; offset_ < end; ++offset_) {
    if (text_[offset_] == '\n') {
      ++line_;
      column_ = 1;
    } else if (starts_character(text_[offset_])) {
      ++column_;
    }
  }
}

void TokenScanner::skip_to_token() {
  while (offset_ < text_.size()) {
    const std::string_view rest = text_.substr(offset_);
    if (rest.starts_with("//")) {
      const std::size_t end = rest.find('\n');
      advance_to(end == std::string_view::npos ? text_.size() : offset_ + end);
    } else if (rest.starts_with("/*")) {
      const std::size_t end = rest.find("*/", 2);
      advance_to(end == std::string_view::npos ? text_.size() : offset_ + end + 2);
    } else if (std::string_view{" \t\r\n,:]}"}.find(rest.front()) != std::string_view::npos) {
      advance_to(offset_ + 1);
    } else {
      return;
    }
  }
}

Token TokenScanner::take(std::size_t end) {
  Token token{{file_, line_, column_}, text_.substr(offset_, end - offset_)};
  advance_to(end);
  return token;
}

Token TokenScanner::string() {
  skip_to_token();
  std::size_t end = offset_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  return take(std::min(end + 1, text_.size()));
}

Token TokenScanner::number() {
  skip_to_token();
  return take(std::min(text_.find_first_not_of("+-.0123456789eE", offset_), text_.size()));
}

Token TokenScanner::word() {
  skip_to_token();
  return take(std::min(text_.find_first_not_of("truefalsn", offset_), text_.size()));
}

Token TokenScanner::opener() {
  skip_to_token();
  return take(std::min(offset_ + 1, text_.size()));
}

Location TokenScanner::location(std::size_t offset) const {
  TokenScanner from_start{text_, file_};
  from_start.advance_to(offset);
  return {file_, from_start.line_, from_start.column_};
}

Location TokenScanner::location_before(std::size_t count) const {
  if (count <= text_.size()) return location(count == 0 ? 0 : count - 1);
  // What is missing at the end is missing behind the last word, not on a line that nobody wrote.
  return location(text_.find_last_not_of(" \t\r\n") + 1);
}

}  // namespace doorbell::scenario
