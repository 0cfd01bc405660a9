// A first-in first-out queue in one growing block: no allocation once it has reached its largest size.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace doorbell::core {

template <class T> class RingQueue {
 public:
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] T& front() { return slots_[head_]; }
  [[nodiscard]] const T& front() const { return slots_[head_]; }
  /// The element `index` places behind the front; index < size().
  [[nodiscard]] const T& operator[](std::size_t index) const { return slots_[(head_ + index) & (slots_.size() - 1)]; }

  void push(T value) {
    if (size_ == slots_.size()) grow();
    slots_[(head_ + size_) & (slots_.size() - 1)] = std::move(value);
    ++size_;
  }
  T pop() {
    T value = std::move(slots_[head_]);
    head_ = (head_ + 1) & (slots_.size() - 1);
    --size_;
    return value;
  }

 private:
  void grow() {
    std::vector<T> larger(slots_.empty() ? 8 : slots_.size() * 2);
    for (std::size_t i = 0; i < size_; ++i) larger[i] = std::move(slots_[(head_ + i) & (slots_.size() - 1)]);
    slots_ = std::move(larger);
    head_ = 0;
  }

  std::vector<T> slots_;  // a power of two, so that wrapping is a mask
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace doorbell::core
