// What an operation does on PCI Express and the wire, as people read it.
#pragma once

#include <string>

#include "cli/layout.hpp"
#include "models/nic/verb_path.hpp"

namespace doorbell::cli {

/// What the operation is, and a table of its steps: who, on what, TLPs, bytes on the link or the wire (or the time
/// where none move), and how often. Where the table is too wide, numbers are on lines of their own below the step.
[[nodiscard]] std::string path_text(const model::VerbPath& path, Layout layout);

}  // namespace doorbell::cli
