// The one place where Doorbell uses threads: independent points of a sweep.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace doorbell::figures {

/// Calls `work` once for every item from at most `jobs` threads; fewer where the system grants no more. After a call
/// that throws no further item is begun, and the exception of the first item among those that threw (not the first in
/// time) is thrown on. Items are begun in their order, so that it is the same for any number of threads.
template <class Item, class Work> void for_each_in_parallel(std::vector<Item>& items, int jobs, const Work& work) {
  std::vector<std::exception_ptr> failures(items.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  const auto labour = [&] {
    // Whoever has taken an item does it, even if a later one fails meanwhile: its exception comes first.
    while (!failed) {
      const std::size_t i = next++;
      if (i >= items.size()) return;
      try {
        work(items[i]);
      } catch (...) {
        failures[i] = std::current_exception();
        failed = true;
      }
    }
  };
  {
    std::vector<std::jthread> threads;
    const std::size_t extra = std::min(items.size(), static_cast<std::size_t>(std::max(jobs, 1)));
    try {
      for (std::size_t i = 1; i < extra; ++i) threads.emplace_back(labour);
    } catch (const std::system_error&) {
      // Those that could be started do the work of all.
    }
    labour();
  }
  for (const std::exception_ptr& failure : failures) {
    if (failure) std::rethrow_exception(failure);
  }
}

}  // namespace doorbell::figures
