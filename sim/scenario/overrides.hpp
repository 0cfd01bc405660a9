// --set path=value.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scenario/pointer.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

struct Override {
  Pointer path;
  Node value;
};

/// Parses "a.b.c=value" or "/a/b/c=value". The value is JSON, or else text as it stands: `6`, `true`, `4 KiB`, `[1,
/// 2]`. In messages the file is "--set", the line the number of the option (from 1), the column that in its text.
/// Throws ScenarioError (override_form, or what is wrong with the JSON).
[[nodiscard]] std::vector<Override> parse_overrides(const std::vector<std::string>& sets);
/// The same of a path and a value that are known apart, as option `line`: the path may have a '='. In messages the file
/// is "--set" in `folder`, so that files which the value names lie there.
[[nodiscard]] Override parse_override(const std::string& path, const std::string& value, int line,
                                      const std::filesystem::path& folder = {});
/// Whether a message is about an override.
[[nodiscard]] bool is_override(const Location& at);

}  // namespace doorbell::scenario
