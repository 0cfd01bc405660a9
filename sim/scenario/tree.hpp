// A JSON value that knows where it was written. What files, overrides and sweeps are merged in, before it is read.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/location.hpp"

namespace doorbell::scenario {

enum class Kind { null, boolean, number, text, array, object };

/// Who wrote a value last.
enum class Author { file, option, sweep };

struct Member;

/// One value. Plain data; which fields matter depends on `kind`.
struct Node {
  Kind kind = Kind::null;
  Author author = Author::file;
  bool replaces = false;  ///< When merged over another value, take its place and inherit nothing of it.
  bool profile = false;   ///< Has a file of its own, or extends one that has: every leaf carries its provenance.
  bool shared = false;    ///< Written in the file of a profile, for all scenarios that use it.
  bool boolean = false;
  double number = 0;
  Location at;
  std::string text;  ///< The text, or a number as it was written.
  std::vector<Node> items;
  std::vector<Member> members;  ///< In the order of the file.

  [[nodiscard]] bool is(Kind other) const { return kind == other; }
  /// The member's value, or null when there is none (or this is no object).
  [[nodiscard]] Node* find(std::string_view name);
  [[nodiscard]] const Node* find(std::string_view name) const;
  /// Removes a member if it is there.
  void erase(std::string_view name);
  [[nodiscard]] std::vector<std::string> names() const;
};

struct Member {
  std::string name;
  Location at;  ///< Of the name.
  Node value;
};

/// What a value is, for the "found" part of a message: `"six"`, `6`, `an object`.
[[nodiscard]] std::string description(const Node& node);

/// Compact JSON of the value: members in the order of the file, numbers as they were written.
[[nodiscard]] std::string to_json(const Node& node);

/// Text as a JSON string, with its quotes.
[[nodiscard]] std::string json_string(std::string_view text);

/// Marks a value and everything below it as written by `author`.
void set_author(Node& node, Author author);

/// Marks a value and everything below it as written in the file of a profile.
void set_shared(Node& node);

/// True for `{"value": ..., "provenance": ..., "source": ...}`: one parameter with its origin, not a group of
/// parameters.
[[nodiscard]] bool is_leaf_object(const Node& node);

}  // namespace doorbell::scenario
