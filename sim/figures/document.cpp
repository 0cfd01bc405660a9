#include "figures/document.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "scenario/leaf.hpp"
#include "scenario/parse.hpp"

namespace doorbell::figures {

using scenario::ErrorCode;
using scenario::Kind;

scenario::Node read_json(const std::filesystem::path& file, scenario::FileKind kind,
                         const std::optional<Mention>& mention) {
  const Mention from =
      mention ? *mention : Mention{{std::make_shared<const std::string>(file.string()), 1, 1}, std::string{}};
  scenario::Node json = scenario::parse_file(file, from.at, from.pointer, scenario::LineBreaks::allowed);
  scenario::refuse_other_kind(json, kind, from.at, from.pointer);
  return json;
}

void Node::require(Kind kind, std::string_view expected) const {
  scenario::require_kind(*value_, kind, pointer_, std::string{expected});
}

void Node::expect_keys(std::initializer_list<std::string_view> keys) const {
  require(Kind::object, "an object");
  scenario::refuse_unknown_keys(*value_, pointer_, {keys.begin(), keys.end()});
}

Node Node::at(std::string_view key) const {
  require(Kind::object, "an object");
  if (auto node = find(key)) return *node;
  fail(ErrorCode::missing_key, scenario::in_quotes(key), "none");
}

std::optional<Node> Node::find(std::string_view key) const {
  const scenario::Node* child = value_->find(key);
  return child == nullptr ? std::nullopt : std::optional{Node{*child, pointer_ / key}};
}

std::vector<Node> Node::elements() const {
  require(Kind::array, "an array");
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < value_->items.size(); ++i) nodes.emplace_back(value_->items[i], pointer_ / i);
  return nodes;
}

std::vector<std::pair<std::string, Node>> Node::members() const {
  require(Kind::object, "an object");
  std::vector<std::pair<std::string, Node>> nodes;
  for (const scenario::Member& member : value_->members) {
    nodes.emplace_back(member.name, Node{member.value, pointer_ / member.name});
  }
  return nodes;
}

const std::string& Node::text() const {
  if (scenario::has_control_character(lines())) {
    scenario::refuse_control_character(value_->text, value_->at, pointer_);
  }
  return value_->text;
}

const std::string& Node::lines() const {
  require(Kind::text, "text");
  return value_->text;
}

double Node::number() const {
  require(Kind::number, "a number");
  return value_->number;
}

int Node::integer(int min, int max) const {
  const std::string expected = fmt::format("a whole number from {} to {}", min, max);
  require(Kind::number, expected);
  const double number = value_->number;
  if (number != std::floor(number)) fail(ErrorCode::not_whole, expected);
  if (number < min || number > max) fail(ErrorCode::out_of_range, expected);
  return static_cast<int>(number);
}

bool Node::truth() const {
  require(Kind::boolean, "true or false");
  return value_->boolean;
}

std::size_t Node::one_of(std::span<const std::string_view> names) const {
  const auto match = std::find(names.begin(), names.end(), text());
  if (match == names.end()) refuse_name({names.begin(), names.end()});
  return static_cast<std::size_t>(match - names.begin());
}

std::string Node::literal() const { return is_string() ? text() : scenario::to_json(*value_); }

void Node::fail(ErrorCode code, std::string expected, std::optional<std::string> found) const {
  throw scenario::ScenarioError{{code,
                                 value_->at,
                                 pointer_.text(),
                                 std::move(expected),
                                 found ? *std::move(found) : scenario::description(*value_),
                                 {}}};
}

void Node::refuse_name(const std::vector<std::string>& names) const {
  throw scenario::ScenarioError{{ErrorCode::unknown_choice, value_->at, pointer_.text(), scenario::alternatives(names),
                                 scenario::description(*value_), scenario::nearest(text(), names)}};
}

}  // namespace doorbell::figures
