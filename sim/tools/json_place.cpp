#include "tools/json_place.hpp"

#include <algorithm>
#include <optional>

#include "tools/json_walk.hpp"

namespace doorbell::tools {
namespace {

/// Between places whose line and column are kept.
constexpr std::size_t milestone_distance = 1024;

/// From one byte to the next; columns count characters.
void pass(std::string_view text, std::size_t offset, JsonPlaces::Spot& spot) {
  if (text[offset] == '\n') {
    ++spot.line;
    spot.column = 1;
  } else if (offset + 1 < text.size() && scenario::starts_character(text[offset + 1])) {
    ++spot.column;
  }
}

}  // namespace

JsonPlaces::JsonPlaces(std::string_view text, const std::filesystem::path& file)
    : text_{text}, file_{std::make_shared<const std::string>(file.string())} {
  Spot spot;
  for (std::size_t offset = 0; offset < text.size(); ++offset) {
    if (offset % milestone_distance == 0) milestones_.push_back(spot);
    pass(text_, offset, spot);
  }
}

scenario::Location JsonPlaces::at(std::size_t offset) const {
  if (text_.empty()) return {file_, 1, 1};
  offset = std::min(offset, text_.size() - 1);
  const std::size_t milestone = offset / milestone_distance;
  Spot spot = milestones_[milestone];
  for (std::size_t i = milestone * milestone_distance; i < offset; ++i) pass(text_, i, spot);
  return {file_, spot.line, spot.column};
}

const JsonPlaces::Children& JsonPlaces::children_of(std::size_t container) {
  const auto [known, is_new] = known_.try_emplace(container);
  Children& children = known->second;
  if (!is_new) return children;
  JsonWalk walk{text_, container};
  const bool is_object = walk.here() == '{';
  if (!is_object && walk.here() != '[') return children;
  walk.step();
  for (walk.skip_blanks(); !walk.closes(); walk.skip_blanks()) {
    const std::string name = is_object ? walk.take_name() : std::string{};
    walk.skip_blanks();
    if (is_object) {
      children.members.insert_or_assign(name, walk.place());
    } else {
      children.items.push_back(walk.place());
    }
    walk.skip_value();
    walk.skip_blanks();
    if (walk.here() == ',') walk.step();
  }
  walked_ += walk.place() - container;
  return children;
}

scenario::Location JsonPlaces::of(std::size_t begin, const scenario::Pointer& pointer) {
  JsonWalk first{text_, begin};
  first.skip_blanks();
  std::size_t value = first.place();
  for (const std::string& token : pointer.tokens()) {
    const Children& children = children_of(value);
    if (const auto member = children.members.find(token); member != children.members.end()) {
      value = member->second;
    } else if (const auto index = scenario::index_of(token, children.items.size())) {
      value = children.items[*index];
    } else {
      break;
    }
  }
  return at(value);
}

}  // namespace doorbell::tools
