// JSON as people write it.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace doorbell::tools {

/// Objects and arrays that fit a line of 120 characters stay on one; others take a line for each member.
[[nodiscard]] std::string to_text(const nlohmann::ordered_json& value);

}  // namespace doorbell::tools
