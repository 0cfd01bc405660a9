#include "scenario/tree.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scenario/error.hpp"

namespace doorbell::scenario {

const Node* Node::find(std::string_view name) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& member) { return member.name == name; });
  return found == members.end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view name) { return const_cast<Node*>(std::as_const(*this).find(name)); }

void Node::erase(std::string_view name) {
  std::erase_if(members, [&](const Member& member) { return member.name == name; });
}

std::vector<std::string> Node::names() const {
  std::vector<std::string> all;
  all.reserve(members.size());
  for (const Member& member : members) all.push_back(member.name);
  return all;
}

std::string description(const Node& node) {
  switch (node.kind) {
    case Kind::null: return "null";
    case Kind::boolean: return node.boolean ? "true" : "false";
    case Kind::number: return node.text.substr(0, 60);
    case Kind::text: return in_quotes(node.text);
    case Kind::array: return node.items.empty() ? "an empty array" : "an array";
    case Kind::object: return node.members.empty() ? "an empty object" : "an object";
  }
  return {};
}

std::string json_string(std::string_view text) {
  std::string json = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      json += '\\';
      json += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += c;
    }
  }
  return json + '"';
}

std::string to_json(const Node& node) {
  switch (node.kind) {
    case Kind::null: return "null";
    case Kind::boolean: return node.boolean ? "true" : "false";
    case Kind::number: return node.text;
    case Kind::text: return json_string(node.text);
    case Kind::array: {
      std::string json = "[";
      for (const Node& item : node.items) json += (json.size() > 1 ? "," : "") + to_json(item);
      return json + "]";
    }
    case Kind::object: {
      std::string json = "{";
      for (const Member& member : node.members) {
        json += (json.size() > 1 ? "," : "") + json_string(member.name) + ":" + to_json(member.value);
      }
      return json + "}";
    }
  }
  return {};
}

void set_author(Node& node, Author author) {
  node.author = author;
  for (Node& item : node.items) set_author(item, author);
  for (Member& member : node.members) set_author(member.value, author);
}

void set_shared(Node& node) {
  node.shared = true;
  for (Node& item : node.items) set_shared(item);
  for (Member& member : node.members) set_shared(member.value);
}

bool is_leaf_object(const Node& node) {
  const auto belongs = [](const Member& member) {
    return member.name == "value" || member.name == "provenance" || member.name == "source";
  };
  const Node* value = node.is(Kind::object) ? node.find("value") : nullptr;
  return value != nullptr && !value->is(Kind::object) && std::all_of(node.members.begin(), node.members.end(), belongs);
}

}  // namespace doorbell::scenario
