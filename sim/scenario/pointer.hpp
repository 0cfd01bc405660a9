// JSON pointers (RFC 6901) and the dotted paths that people type.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// A path from the root of a document: names of members and indices of items.
class Pointer {
 public:
  Pointer() = default;

  /// Accepts "/a/b/0" (with ~0 and ~1) and "a.b.0". Empty when `text` is empty or has an empty part.
  [[nodiscard]] static std::optional<Pointer> parse(std::string_view text);

  [[nodiscard]] Pointer operator/(std::string_view token) const;
  [[nodiscard]] Pointer operator/(std::size_t index) const { return *this / std::to_string(index); }
  [[nodiscard]] const std::vector<std::string>& tokens() const { return tokens_; }
  /// "/a/b/0"; the empty text for the root.
  [[nodiscard]] std::string text() const;
  [[nodiscard]] bool operator==(const Pointer&) const = default;

 private:
  std::vector<std::string> tokens_;
};

/// The index that a token means in an array of `size` items, or nothing.
[[nodiscard]] std::optional<std::size_t> index_of(std::string_view token, std::size_t size);

/// The value at the pointer, or null.
[[nodiscard]] const Node* find(const Node& root, const Pointer& pointer);

/// The value at the pointer, or the nearest one around it that is there.
[[nodiscard]] const Node& nearest_node(const Node& root, const Pointer& pointer);

}  // namespace doorbell::scenario
