// Recycled memory for coroutine frames.
#pragma once

#include <cstddef>

namespace doorbell::core::detail {

/// Memory for a coroutine frame of `size` bytes, from a free list of this thread.
/// A frame may be freed by another thread; it then joins that thread's list.
[[nodiscard]] void* allocate_frame(std::size_t size);
void free_frame(void* frame, std::size_t size) noexcept;

/// Base of promises whose frames are recycled.
struct PooledFrame {
  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) noexcept { free_frame(frame, size); }
};

}  // namespace doorbell::core::detail
