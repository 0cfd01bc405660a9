#include "core/frame_pool.hpp"

#include <array>
#include <new>

namespace doorbell::core::detail {

namespace {

constexpr std::size_t granule = 64;  // a cache line: a frame shares none with another
constexpr std::align_val_t line{granule};
constexpr std::size_t classes = 32;  // larger frames, of 2 KiB and more, are rare and go to the heap

struct FreeFrame {
  FreeFrame* next;
};

struct Lists {
  std::array<FreeFrame*, classes> heads{};
  bool closed = false;
};

// Trivially destructible, so that a frame freed after the thread's destructors have run still finds it.
thread_local constinit Lists lists;

struct Closer {
  ~Closer() {
    lists.closed = true;
    for (FreeFrame*& head : lists.heads) {
      while (head != nullptr) {
        FreeFrame* const next = head->next;
        ::operator delete(head, line);
        head = next;
      }
    }
  }
  bool armed = false;
};
thread_local Closer closer;

/// Makes the thread run the destructor at its end: a thread_local is only made when it is first used.
void arm_closer() { closer.armed = true; }

}  // namespace

void* allocate_frame(std::size_t size) {
  const std::size_t index = (size + granule - 1) / granule;
  if (index >= classes) return ::operator new(size, line);
  if (FreeFrame* const head = lists.heads[index]; head != nullptr) [[likely]] {
    lists.heads[index] = head->next;
    return head;
  }
  const std::size_t rounded = index * granule;
  return ::operator new(rounded, line);
}

void free_frame(void* frame, std::size_t size) noexcept {
  const std::size_t index = (size + granule - 1) / granule;
  if (index >= classes || lists.closed) {
    ::operator delete(frame, line);
    return;
  }
  // A thread may free frames without ever having made one.
  if (lists.heads[index] == nullptr) arm_closer();
  lists.heads[index] = new (frame) FreeFrame{lists.heads[index]};
}

}  // namespace doorbell::core::detail
