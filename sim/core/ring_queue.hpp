// A first-in first-out queue in one growing block: no allocation once it has reached its largest size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace doorbell::core {

/// Small, since models hold many: no more than 2^31 elements. Cannot be copied; one that was moved
/// from is empty.
template <class T> class RingQueue {
 public:
  RingQueue() = default;
  RingQueue(RingQueue&& other) noexcept { *this = std::move(other); }
  RingQueue& operator=(RingQueue&& other) noexcept {
    slots_ = std::move(other.slots_);
    capacity_ = std::exchange(other.capacity_, 0);
    head_ = std::exchange(other.head_, 0);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& front() { return slots_[head_]; }
  [[nodiscard]] const T& front() const { return slots_[head_]; }
  /// The element `index` places behind the front; index < size().
  [[nodiscard]] const T& operator[](std::size_t index) const { return slots_[wrapped(head_ + index)]; }

  [[nodiscard]] T& operator[](std::size_t index) { return slots_[wrapped(head_ + index)]; }

  void push(T value) {
    if (size_ == capacity_) grow();
    slots_[wrapped(head_ + size_)] = std::move(value);
    ++size_;
  }
  void push_front(T value) {
    if (size_ == capacity_) grow();
    head_ = wrapped(head_ + capacity_ - 1);
    slots_[head_] = std::move(value);
    ++size_;
  }
  /// Adds `value` behind the last element that it does not come before, looking from the back. Returns its place.
  template <class Before> std::size_t insert(T value, Before before) {
    push(std::move(value));
    std::size_t place = size_ - 1U;
    while (place > 0 && before((*this)[place], (*this)[place - 1])) {
      std::swap((*this)[place], (*this)[place - 1]);
      --place;
    }
    return place;
  }
  /// Takes out all that fit and calls `use` with each, which must not touch the queue; the others keep their order.
  template <class Fits, class Use> void take_if(Fits fits, Use use) {
    for (std::uint32_t left = size_; left > 0; --left) {
      T value = pop();
      if (fits(std::as_const(value))) {
        use(std::move(value));
      } else {
        push(std::move(value));
      }
    }
  }
  T pop() {
    T value = std::move(slots_[head_]);
    head_ = wrapped(head_ + 1);
    --size_;
    return value;
  }

 private:
  [[nodiscard]] std::uint32_t wrapped(std::size_t index) const {
    return static_cast<std::uint32_t>(index) & (capacity_ - 1);
  }

  void grow() {
    const std::uint32_t capacity = capacity_ == 0 ? 8 : capacity_ * 2;
    auto larger = std::make_unique<T[]>(capacity);
    for (std::uint32_t i = 0; i < size_; ++i) larger[i] = std::move(slots_[wrapped(head_ + i)]);
    slots_ = std::move(larger);
    capacity_ = capacity;
    head_ = 0;
  }

  std::unique_ptr<T[]> slots_;
  std::uint32_t capacity_ = 0;  // a power of two, so that wrapping is a mask
  std::uint32_t head_ = 0;
  std::uint32_t size_ = 0;
};

}  // namespace doorbell::core
