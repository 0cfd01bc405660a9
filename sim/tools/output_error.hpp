// Complaints about what a tool has printed.
#pragma once

#include <stdexcept>

namespace doorbell::tools {

/// A tool's output is not what it should be; the message names file and place, what was expected and what was found.
class OutputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace doorbell::tools
