#include "scenario/error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <numeric>

namespace doorbell::scenario {
namespace {

/// Case does not count: somebody who writes "send" for "SEND" should be told so.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t above = row[j + 1];
      const std::size_t substitute = diagonal + (lower(a[i]) == lower(b[j]) ? 0U : 1U);
      row[j + 1] = std::min({above + 1, row[j] + 1, substitute});
      diagonal = above;
    }
  }
  return row.back();
}

std::string line_of(const Complaint& complaint) {
  const std::string file = complaint.at.file_name();
  std::string line = fmt::format("{}:{}:{}: {}", file.empty() ? in_quotes(file) : file, complaint.at.line,
                                 complaint.at.column, code_text(complaint.code));
  if (!complaint.pointer.empty()) line += " " + complaint.pointer;
  line += ": expected " + complaint.expected;
  if (!complaint.found.empty()) line += ", found " + complaint.found;
  if (!complaint.suggestion.empty()) line += fmt::format("; did you mean {}?", in_quotes(complaint.suggestion));
  return printable(std::move(line));  // Paths and keys come from outside, too.
}

}  // namespace

std::string printable(std::string text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte == 0x7f) text[i] = '?';
    // U+0080 to U+009F in UTF-8.
    if (byte == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0) text.replace(i, 2, "?");
  }
  return text;
}

std::string code_text(ErrorCode code) { return fmt::format("DB{:03}", static_cast<int>(code)); }

ScenarioError::ScenarioError(Complaint complaint)
    : std::runtime_error{line_of(complaint)}, complaint_{std::move(complaint)} {}

std::string in_quotes(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string shown{text.substr(0, longest)};
  if (text.size() > longest) {
    while (!shown.empty() && (static_cast<unsigned char>(shown.back()) & 0xC0U) == 0x80U) shown.pop_back();
    if (!shown.empty() && static_cast<unsigned char>(shown.back()) >= 0xC0U) shown.pop_back();
    shown += "...";
  }
  return '"' + shown + '"';
}

std::string nearest(std::string_view name, std::span<const std::string> candidates) {
  constexpr std::size_t longest = 64;  // Nobody misspells a name by hundreds of letters, and the distance is quadratic.
  if (name.size() > longest) return {};
  const std::string* best = nullptr;
  std::size_t best_distance = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(name, candidate);
    if (distance < best_distance && distance < std::max(name.size(), candidate.size())) {
      best_distance = distance;
      best = &candidate;
    }
  }
  return best == nullptr ? std::string{} : *best;
}

std::string alternatives(std::span<const std::string> names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
    text += in_quotes(names[i]);
  }
  return text;
}

}  // namespace doorbell::scenario
