// Reading JSON objects strictly: every key must be known, every value of its type, every complaint names its place.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figures/reference.hpp"

namespace doorbell::figures {

/// Parses a file. Throws DefinitionError when it cannot be read or is no JSON.
[[nodiscard]] nlohmann::json read_json(const std::filesystem::path& file);

/// A value of a JSON document that knows where it stands.
class Node {
 public:
  Node(const nlohmann::json& value, std::string file, std::string pointer)
      : value_{&value}, file_{std::move(file)}, pointer_{std::move(pointer)} {}

  /// Throws unless this is an object whose keys are all among `keys`.
  void expect_keys(std::initializer_list<std::string_view> keys) const;

  [[nodiscard]] bool has(std::string_view key) const;
  [[nodiscard]] Node at(std::string_view key) const;  ///< Throws when the key is missing.
  [[nodiscard]] std::optional<Node> find(std::string_view key) const;
  [[nodiscard]] std::vector<Node> elements() const;                         ///< Of an array.
  [[nodiscard]] std::vector<std::pair<std::string, Node>> members() const;  ///< Of an object.

  [[nodiscard]] bool is_string() const { return value_->is_string(); }
  [[nodiscard]] bool is_object() const { return value_->is_object(); }
  [[nodiscard]] bool is_number() const { return value_->is_number(); }
  [[nodiscard]] bool is_null() const { return value_->is_null(); }

  [[nodiscard]] std::string text() const;
  [[nodiscard]] double number() const;
  [[nodiscard]] int integer(int min, int max) const;
  [[nodiscard]] bool truth() const;
  /// Which of `names` this string is.
  [[nodiscard]] std::size_t one_of(std::span<const std::string_view> names) const;
  /// The value as JSON text; a string without its quotes.
  [[nodiscard]] std::string literal() const;

  [[noreturn]] void fail(const std::string& message) const;

 private:
  const nlohmann::json* value_;
  std::string file_;
  std::string pointer_;
};

}  // namespace doorbell::figures
