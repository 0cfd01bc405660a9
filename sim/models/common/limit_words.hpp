// What limits, in words.
#pragma once

#include <string_view>

#include "models/common/result.hpp"

namespace doorbell::model {

/// Why a resource or a holder of that kind limits, and what would help: the end of a sentence.
[[nodiscard]] std::string_view explanation(Limit limit);

}  // namespace doorbell::model
