// The reference page of all parameters.
#pragma once

#include <string>

namespace doorbell::scenario {

/// The text of docs/reference.md, from the declarations that the reader itself uses.
[[nodiscard]] std::string reference_page();

}  // namespace doorbell::scenario
