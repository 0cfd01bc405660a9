// The one place where Doorbell uses threads: independent points of a sweep.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace doorbell::figures {

/// Calls `work` once for every item from at most `jobs` threads. When calls throw, the exception of the first item
/// among them (not the first in time) is thrown on, so that the message does not depend on the number of threads.
template <class Item, class Work> void for_each_in_parallel(std::vector<Item>& items, int jobs, const Work& work) {
  std::vector<std::exception_ptr> failures(items.size());
  std::atomic<std::size_t> next{0};
  const auto labour = [&] {
    for (std::size_t i = next++; i < items.size(); i = next++) {
      try {
        work(items[i]);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t extra = std::min(items.size(), static_cast<std::size_t>(std::max(jobs, 1)));
    for (std::size_t i = 1; i < extra; ++i) threads.emplace_back(labour);
    labour();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace doorbell::figures
