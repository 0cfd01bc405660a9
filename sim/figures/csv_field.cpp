#include "figures/csv_field.hpp"

namespace doorbell::figures {

std::string csv_field(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string{c};
  return quoted + '"';
}

}  // namespace doorbell::figures
