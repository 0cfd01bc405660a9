// One of the JSON documents in what a tool has printed.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tools/json_place.hpp"

namespace doorbell::tools {

/// The document that begins at the byte `at` of `text`, which this moves behind it. Throws OutputError, which expects
/// `expected`, where it is cut off, is no JSON, or has a number beyond all bounds.
[[nodiscard]] nlohmann::json read_document(std::string_view text, std::size_t& at, const JsonPlaces& places,
                                           const std::string& expected);

/// A value for messages. What holds others is only called so: it may be long, and nested deeper than the stack is.
[[nodiscard]] std::string found_text(const nlohmann::json& value);

}  // namespace doorbell::tools
