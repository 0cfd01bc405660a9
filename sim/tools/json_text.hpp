// JSON as people write it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "models/common/describe.hpp"

namespace doorbell::tools {

/// Objects and arrays that fit a line of 120 characters stay on one; others take a line for each member.
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& value);

/// As scenarios spell a value of an enumeration.
template <class Enum> [[nodiscard]] std::string word_of(Enum value) {
  return std::string{model::EnumNames<Enum>::values.at(static_cast<std::size_t>(value))};
}

}  // namespace doorbell::tools
