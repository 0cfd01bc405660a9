#include "models/storage/read_ahead.hpp"

#include <algorithm>
#include <bit>

namespace doorbell::model {

std::int64_t ReadAhead::first_size(std::int64_t wanted) const {
  const auto size = static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(wanted)));
  if (size <= limit_ / 32) return size * 4;
  if (size <= limit_ / 4) return size * 2;
  return limit_;
}

std::int64_t ReadAhead::next_size() const { return std::min(limit_, size_ < limit_ / 16 ? size_ * 4 : size_ * 2); }

ReadAhead::Window ReadAhead::window() const {
  return {{start_, size_}, ahead_ > 0 ? start_ + size_ - ahead_ : PageCache::Page{-1}};
}

ReadAhead::Window ReadAhead::missed(PageCache::Page page, std::int64_t wanted) {
  if (limit_ == 0) return {{page, 1}, -1};
  const bool goes_on = size_ > 0 && (page == start_ + size_ || page == start_ + size_ - ahead_);
  const bool sequential = page == previous_ || page == previous_ + 1;
  if (goes_on) {
    start_ += size_;
    size_ = next_size();
    ahead_ = size_;
    // The page itself must be part of it.
    if (page < start_) start_ = page;
    return window();
  }
  if (!sequential && previous_ != -1 && wanted <= limit_) return {{page, wanted}, -1};  // at random
  start_ = page;
  size_ = first_size(wanted);
  ahead_ = size_ > wanted ? size_ - wanted : size_;
  return window();
}

ReadAhead::Window ReadAhead::at_mark(PageCache::Page page, std::int64_t wanted) {
  if (limit_ == 0) return {{page, 0}, -1};
  const bool own = page == start_ + size_ || page == start_ + size_ - ahead_;
  if (own) {
    start_ += size_;
    size_ = next_size();
  } else {
    // Another stream has set the mark: its window is taken up.
    start_ = page + 1;
    size_ = std::max(first_size(wanted), next_size());
  }
  ahead_ = size_;
  return window();
}

}  // namespace doorbell::model
