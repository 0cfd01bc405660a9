// The unit in which operating systems keep memory.
#pragma once

#include <cstdint>

namespace doorbell::model {

/// Bytes, of x86's small pages.
inline constexpr std::int64_t page_size = 4096;

}  // namespace doorbell::model
