#include "figures/document.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>

namespace doorbell::figures {

nlohmann::json read_json(const std::filesystem::path& file) {
  std::ifstream input{file};
  if (!input) throw DefinitionError{fmt::format("{}: cannot be read", file.string())};
  try {
    return nlohmann::json::parse(input);
  } catch (const nlohmann::json::exception& error) {
    throw DefinitionError{fmt::format("{}: {}", file.string(), error.what())};
  }
}

void Node::expect_keys(std::initializer_list<std::string_view> keys) const {
  if (!value_->is_object()) fail(fmt::format("expected an object, found {}", value_->type_name()));
  for (const auto& [key, child] : value_->items()) {
    if (std::find(keys.begin(), keys.end(), key) == keys.end()) {
      fail(fmt::format("unknown key '{}', expected one of {}", key, fmt::join(keys, ", ")));
    }
  }
}

bool Node::has(std::string_view key) const { return value_->is_object() && value_->contains(std::string{key}); }

Node Node::at(std::string_view key) const {
  if (auto node = find(key)) return *node;
  fail(fmt::format("key '{}' is missing", key));
}

std::optional<Node> Node::find(std::string_view key) const {
  if (!has(key)) return std::nullopt;
  return Node{value_->at(std::string{key}), file_, fmt::format("{}/{}", pointer_, key)};
}

std::vector<Node> Node::elements() const {
  if (!value_->is_array()) fail(fmt::format("expected an array, found {}", value_->type_name()));
  std::vector<Node> nodes;
  for (std::size_t i = 0; i < value_->size(); ++i)
    nodes.emplace_back((*value_)[i], file_, fmt::format("{}/{}", pointer_, i));
  return nodes;
}

std::vector<std::pair<std::string, Node>> Node::members() const {
  if (!value_->is_object()) fail(fmt::format("expected an object, found {}", value_->type_name()));
  std::vector<std::pair<std::string, Node>> nodes;
  for (const auto& [key, child] : value_->items()) {
    nodes.emplace_back(key, Node{child, file_, fmt::format("{}/{}", pointer_, key)});
  }
  return nodes;
}

std::string Node::text() const {
  if (!value_->is_string()) fail(fmt::format("expected a string, found {}", value_->type_name()));
  return value_->get<std::string>();
}

double Node::number() const {
  if (!value_->is_number()) fail(fmt::format("expected a number, found {}", value_->type_name()));
  return value_->get<double>();
}

int Node::integer(int min, int max) const {
  if (!value_->is_number_integer()) fail(fmt::format("expected a whole number, found {}", value_->type_name()));
  const double number = value_->get<double>();
  if (number < min || number > max) fail(fmt::format("expected {} to {}, found {}", min, max, number));
  return static_cast<int>(number);
}

bool Node::truth() const {
  if (!value_->is_boolean()) fail(fmt::format("expected true or false, found {}", value_->type_name()));
  return value_->get<bool>();
}

std::size_t Node::one_of(std::span<const std::string_view> names) const {
  const std::string found = text();
  const auto match = std::find(names.begin(), names.end(), found);
  if (match == names.end()) fail(fmt::format("'{}' is not one of {}", found, fmt::join(names, ", ")));
  return static_cast<std::size_t>(match - names.begin());
}

std::string Node::literal() const { return value_->is_string() ? value_->get<std::string>() : value_->dump(); }

void Node::fail(const std::string& message) const {
  throw DefinitionError{fmt::format("{}: {}: {}", file_, pointer_.empty() ? "/" : pointer_, message)};
}

}  // namespace doorbell::figures
