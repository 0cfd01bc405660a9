// What a user wrote, measured or simulated, and would look for in vain.
#pragma once

#include <string>
#include <vector>

#include "figures/definition.hpp"

namespace doorbell::figures {

/// Rows of references whose series is one of no figure that reads the file, in sentences. Published arithmetic is not
/// told of: a file may hold more of it than anybody compares.
[[nodiscard]] std::vector<std::string> rows_without_series(const std::vector<Figure>& figures);

/// Series that are in no panel, no claim and no reference, in sentences.
[[nodiscard]] std::vector<std::string> series_without_use(const std::vector<Figure>& figures);

}  // namespace doorbell::figures
