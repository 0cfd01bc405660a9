#include "scenario/pointer.hpp"

#include <charconv>

namespace doorbell::scenario {
namespace {

std::optional<std::string> unescaped(std::string_view token) {
  std::string plain;
  for (std::size_t i = 0; i < token.size(); ++i) {
    if (token[i] != '~') {
      plain += token[i];
      continue;
    }
    ++i;
    if (i == token.size() || (token[i] != '0' && token[i] != '1')) return std::nullopt;
    plain += token[i] == '0' ? '~' : '/';
  }
  return plain;
}

/// One step down, or null.
const Node* child(const Node& node, const std::string& token) {
  if (node.is(Kind::object)) return node.find(token);
  if (!node.is(Kind::array)) return nullptr;
  const auto index = index_of(token, node.items.size());
  return index ? &node.items[*index] : nullptr;
}

}  // namespace

std::optional<Pointer> Pointer::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const bool is_pointer = text.front() == '/';
  const char separator = is_pointer ? '/' : '.';
  if (is_pointer) text.remove_prefix(1);
  Pointer pointer;
  while (true) {
    const std::size_t end = text.find(separator);
    const auto token = is_pointer ? unescaped(text.substr(0, end)) : std::string{text.substr(0, end)};
    if (!token || token->empty()) return std::nullopt;
    pointer.tokens_.push_back(*token);
    if (end == std::string_view::npos) return pointer;
    text.remove_prefix(end + 1);
  }
}

Pointer Pointer::operator/(std::string_view token) const {
  Pointer longer = *this;
  longer.tokens_.emplace_back(token);
  return longer;
}

std::string Pointer::text() const {
  std::string all;
  for (const std::string& token : tokens_) {
    all += '/';
    for (const char c : token) {
      if (c == '~')
        all += "~0";
      else if (c == '/')
        all += "~1";
      else
        all += c;
    }
  }
  return all;
}

std::optional<std::size_t> index_of(std::string_view token, std::size_t size) {
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc{} || end != token.data() + token.size() || index >= size) return std::nullopt;
  if (token.size() > 1 && token.front() == '0') return std::nullopt;
  return index;
}

const Node* find(const Node& root, const Pointer& pointer) {
  const Node* node = &root;
  for (const std::string& token : pointer.tokens()) {
    node = child(*node, token);
    if (node == nullptr) return nullptr;
  }
  return node;
}

const Node& nearest_node(const Node& root, const Pointer& pointer) {
  const Node* node = &root;
  for (const std::string& token : pointer.tokens()) {
    const Node* next = child(*node, token);
    if (next == nullptr) break;
    node = next;
  }
  return *node;
}

}  // namespace doorbell::scenario
