// Fields of CSV files.
#pragma once

#include <string>

namespace doorbell::figures {

/// `text` as one field (RFC 4180): in quotes where it must be.
[[nodiscard]] std::string csv_field(const std::string& text);

}  // namespace doorbell::figures
