// Reading our own JSON files as strictly as scenarios: every key must be known, every value of its type, and every
// complaint names file, line, column and code.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scenario/error.hpp"
#include "scenario/file_kind.hpp"
#include "scenario/pointer.hpp"
#include "scenario/tree.hpp"

namespace doorbell::figures {

/// Where another file names one, for the message when that one cannot be read.
struct Mention {
  scenario::Location at;
  std::string pointer;
};

/// Parses a file. Throws ScenarioError when it cannot be read, is no JSON, or is known to be of another kind; where
/// nothing mentions it, at its own beginning.
[[nodiscard]] scenario::Node read_json(const std::filesystem::path& file, scenario::FileKind kind,
                                       const std::optional<Mention>& mention = {});

/// A value of a JSON document that knows where it stands. What is wrong with it is thrown as a ScenarioError.
class Node {
 public:
  explicit Node(const scenario::Node& value, scenario::Pointer pointer = {})
      : value_{&value}, pointer_{std::move(pointer)} {}

  /// Throws unless this is an object whose keys are all among `keys`.
  void expect_keys(std::initializer_list<std::string_view> keys) const;

  [[nodiscard]] bool has(std::string_view key) const { return value_->find(key) != nullptr; }
  [[nodiscard]] Node at(std::string_view key) const;  ///< Throws when the key is missing.
  [[nodiscard]] std::optional<Node> find(std::string_view key) const;
  [[nodiscard]] std::vector<Node> elements() const;                         ///< Of an array.
  [[nodiscard]] std::vector<std::pair<std::string, Node>> members() const;  ///< Of an object, in the file's order.

  [[nodiscard]] bool is_string() const { return value_->is(scenario::Kind::text); }
  [[nodiscard]] bool is_object() const { return value_->is(scenario::Kind::object); }
  [[nodiscard]] bool is_number() const { return value_->is(scenario::Kind::number); }
  [[nodiscard]] bool is_null() const { return value_->is(scenario::Kind::null); }
  [[nodiscard]] bool is_boolean() const { return value_->is(scenario::Kind::boolean); }

  [[nodiscard]] const std::string& text() const;   ///< On one line.
  [[nodiscard]] const std::string& lines() const;  ///< Which may be several.
  [[nodiscard]] double number() const;
  [[nodiscard]] int integer(int min, int max) const;
  [[nodiscard]] bool truth() const;
  /// Which of `names` this string is.
  [[nodiscard]] std::size_t one_of(std::span<const std::string_view> names) const;
  /// The value as JSON text; a string without its quotes.
  [[nodiscard]] std::string literal() const;

  [[nodiscard]] Mention mention() const { return {value_->at, pointer_.text()}; }
  /// Complains; what was found is the value itself unless something else is.
  [[noreturn]] void fail(scenario::ErrorCode code, std::string expected, std::optional<std::string> found = {}) const;
  /// Complains that this string is none of `names`.
  [[noreturn]] void refuse_name(const std::vector<std::string>& names) const;

 private:
  void require(scenario::Kind kind, std::string_view expected) const;

  const scenario::Node* value_;
  scenario::Pointer pointer_;
};

}  // namespace doorbell::figures
