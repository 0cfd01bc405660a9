// Pages of a block device in memory: which are there, which are on their way, and which must be written back.
#pragma once

#include <cstdint>
#include <limits>
#include <list>
#include <unordered_map>
#include <vector>

#include "core/quantity.hpp"
#include "models/memory/page.hpp"

namespace doorbell::model {

/// A page cache with least-recently-used replacement. Pages that are dirty, being written back or on their way are not
/// replaced; the cache grows beyond its capacity while there are no others.
class PageCache {
 public:
  using Page = std::int64_t;  ///< Its number on the device.
  enum class State : std::uint8_t { absent, arriving, present };

  explicit PageCache(Bytes capacity) : capacity_{capacity.count / page_size} {}

  [[nodiscard]] State state(Page page) const;
  /// An absent page gets memory and is on its way.
  void expect(Page page);
  void arrive(Page page);
  /// A use of a present page.
  void touch(Page page);
  /// The page is present with new contents.
  void modify(Page page);

  /// Sets the mark at which reading ahead goes on; take_mark() tells whether there was one, once.
  void mark(Page page);
  [[nodiscard]] bool take_mark(Page page);

  struct Run {
    Page first = 0;
    std::int64_t pages = 0;
  };
  /// The pages that `size` bytes from `offset` on touch.
  [[nodiscard]] static Run pages_of(std::int64_t offset, Bytes size) {
    const Page first = offset / page_size;
    return {first, ceil_div(Bytes{offset + size.count}, Bytes{page_size}) - first};
  }
  /// The dirty pages among those of `from` as runs of at most `longest`, the one modified longest ago first; they are
  /// being written back until written() is told so of each run.
  [[nodiscard]] std::vector<Run> take_dirty(std::int64_t longest, Run from = {0, std::numeric_limits<Page>::max()});
  void written(Run run);
  /// Forgets pages of the run that are present and clean.
  void drop(Run run);

  [[nodiscard]] std::int64_t pages() const { return static_cast<std::int64_t>(entries_.size()); }
  [[nodiscard]] std::int64_t dirty() const { return static_cast<std::int64_t>(dirty_order_.size()); }
  /// Pages that are not on the device yet: dirty ones, and those being written back, as often as they are.
  [[nodiscard]] std::int64_t unwritten() const { return dirty() + writing_; }
  [[nodiscard]] std::int64_t capacity() const { return capacity_; }

 private:
  struct Entry {
    State state = State::absent;
    bool dirty = false;
    bool marked = false;
    int writing = 0;  ///< Times that it is being written back.
    [[nodiscard]] bool is_clean() const { return state == State::present && !dirty && writing == 0; }
    std::list<Page>::iterator recency;
  };

  Entry& insert(Page page);
  template <class Change> void change(Entry& entry, Change change) {
    clean_ -= entry.is_clean() ? 1 : 0;
    change();
    clean_ += entry.is_clean() ? 1 : 0;
  }
  /// Replaces pages, as far as there are some that can be.
  void shrink_to(std::int64_t most);

  std::int64_t capacity_;
  std::unordered_map<Page, Entry> entries_;
  std::list<Page> recency_;  // longest unused first
  std::list<Page> dirty_order_;
  std::int64_t writing_ = 0;
  std::int64_t clean_ = 0;  // that can be replaced
};

}  // namespace doorbell::model
