// JSON Schemas for editors, made from the declarations that the reader itself uses.
#pragma once

#include <map>
#include <string>

namespace doorbell::scenario {

/// What makes the JSON Schema (draft 7) of each kind of file, scenarios and profiles, with a line break at its end. It
/// refers to those of the profiles that such a file names, beside it: hardware.json, say.
[[nodiscard]] const std::map<std::string, std::string (*)()>& schemas();

}  // namespace doorbell::scenario
