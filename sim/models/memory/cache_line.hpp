// The unit in which a host keeps memory.
#pragma once

#include "core/quantity.hpp"

namespace doorbell::model {

inline constexpr Bytes cache_line{64};

}  // namespace doorbell::model
