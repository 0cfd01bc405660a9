// How much of a file is read before it is asked for.
#pragma once

#include <cstdint>

#include "core/quantity.hpp"
#include "models/storage/page_cache.hpp"

namespace doorbell::model {

/// Reading ahead of one stream as Linux 2.6.28 does it (mm/readahead.c): a window that begins with the request's size,
/// doubled or quadrupled, and doubles up to the limit while the stream goes on; the next one is requested when the
/// reader meets the mark in the current one. Without a limit, nothing is read but the page that is missing.
class ReadAhead {
 public:
  explicit ReadAhead(Bytes limit) : limit_{limit.count / page_size} {}

  /// Pages to read: `mark` is the one at which to ask for more, -1 for none.
  struct Window {
    PageCache::Run pages;
    PageCache::Page mark = -1;
  };
  /// A call that still wants `wanted` pages has come to `page`, which is absent.
  [[nodiscard]] Window missed(PageCache::Page page, std::int64_t wanted);
  /// It has come to a page with a mark.
  [[nodiscard]] Window at_mark(PageCache::Page page, std::int64_t wanted);
  /// It has used this page.
  void used(PageCache::Page page) { previous_ = page; }

 private:
  [[nodiscard]] std::int64_t first_size(std::int64_t wanted) const;
  [[nodiscard]] std::int64_t next_size() const;
  [[nodiscard]] Window window() const;

  std::int64_t limit_;
  PageCache::Page start_ = 0;
  std::int64_t size_ = 0;
  std::int64_t ahead_ = 0;  // pages of the window that lie behind its mark
  PageCache::Page previous_ = -1;
};

}  // namespace doorbell::model
