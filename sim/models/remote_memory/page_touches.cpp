#include "models/remote_memory/page_touches.hpp"

namespace doorbell::model {

PageTouches::PageTouches(const PagingLoad& load) : load_{load} {
  if (load_.skew > 0) popularity_.emplace(load_.pages, load_.skew);
  for (int i = 0; i < load_.threads; ++i) position_.push_back(load_.pages * i / load_.threads);
}

std::int64_t PageTouches::choose(int thread, core::RandomStream& random) {
  if (load_.order == AccessOrder::random) {
    return popularity_ ? popularity_->choose(random)
                       : static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(load_.pages)));
  }
  std::int64_t& position = position_[static_cast<std::size_t>(thread)];
  const std::int64_t page = position;
  if (++position == load_.pages * (thread + 1) / load_.threads) position = load_.pages * thread / load_.threads;
  return page;
}

std::size_t PageTouches::next(int thread, core::RandomStream& random, std::vector<Touch>& touches) {
  touches.clear();
  for (int i = 0; i < load_.touches; ++i) {
    const auto page = static_cast<PageTable::Page>(choose(thread, random));
    touches.push_back({page, random.chance(load_.dirty)});
  }
  return 0;
}

}  // namespace doorbell::model
