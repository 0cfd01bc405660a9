#include "models/remote_memory/page_touches.hpp"

namespace doorbell::model {

PageTouches::PageTouches(const PageChoice& choice, int threads) : choice_{choice}, threads_{threads} {
  if (choice_.skew > 0) popularity_.emplace(choice_.pages, choice_.skew);
  for (int i = 0; i < threads_; ++i) position_.push_back(choice_.pages * i / threads_);
}

std::int64_t PageTouches::choose(int thread, core::RandomStream& random) {
  if (choice_.order == AccessOrder::random) {
    return popularity_ ? popularity_->choose(random)
                       : static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(choice_.pages)));
  }
  std::int64_t& position = position_[static_cast<std::size_t>(thread)];
  const std::int64_t page = position;
  if (++position == choice_.pages * (thread + 1) / threads_) position = choice_.pages * thread / threads_;
  return page;
}

std::size_t PageTouches::next(int thread, core::RandomStream& random, std::vector<Touch>& touches) {
  touches.clear();
  for (int i = 0; i < choice_.touches; ++i) {
    const auto page = static_cast<PageTable::Page>(choose(thread, random));
    touches.push_back({page, random.chance(choice_.dirty)});
  }
  return 0;
}

}  // namespace doorbell::model
