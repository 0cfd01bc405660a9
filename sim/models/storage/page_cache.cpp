#include "models/storage/page_cache.hpp"

namespace doorbell::model {

PageCache::State PageCache::state(Page page) const {
  const auto entry = entries_.find(page);
  return entry == entries_.end() ? State::absent : entry->second.state;
}

void PageCache::shrink_to(std::int64_t most) {
  for (auto oldest = recency_.begin(); pages() > most && clean_ > 0;) {
    const auto entry = entries_.find(*oldest);
    if (entry->second.is_clean()) {
      --clean_;
      entries_.erase(entry);
      oldest = recency_.erase(oldest);
    } else {
      ++oldest;
    }
  }
}

PageCache::Entry& PageCache::insert(Page page) {
  const auto known = entries_.find(page);
  if (known != entries_.end()) return known->second;
  shrink_to(capacity_ - 1);
  Entry& entry = entries_[page];
  entry.recency = recency_.insert(recency_.end(), page);
  return entry;
}

void PageCache::expect(Page page) {
  Entry& entry = insert(page);
  change(entry, [&] { entry.state = State::arriving; });
}

void PageCache::arrive(Page page) {
  Entry& entry = insert(page);
  change(entry, [&] { entry.state = State::present; });
}

void PageCache::touch(Page page) {
  const auto entry = entries_.find(page);
  if (entry == entries_.end()) return;
  recency_.splice(recency_.end(), recency_, entry->second.recency);
  // What could not be replaced when the cache grew may be by now.
  if (pages() > capacity_) shrink_to(capacity_);
}

void PageCache::modify(Page page) {
  Entry& entry = insert(page);
  if (!entry.dirty) dirty_order_.push_back(page);
  change(entry, [&] {
    entry.state = State::present;
    entry.dirty = true;
  });
  touch(page);
}

void PageCache::mark(Page page) {
  const auto entry = entries_.find(page);
  if (entry != entries_.end()) entry->second.marked = true;
}

bool PageCache::take_mark(Page page) {
  const auto entry = entries_.find(page);
  if (entry == entries_.end() || !entry->second.marked) return false;
  entry->second.marked = false;
  return true;
}

std::vector<PageCache::Run> PageCache::take_dirty(std::int64_t longest, Run from) {
  std::vector<Run> runs;
  for (auto dirty = dirty_order_.begin(); dirty != dirty_order_.end();) {
    const Page page = *dirty;
    if (page < from.first || page - from.first >= from.pages) {
      ++dirty;
      continue;
    }
    dirty = dirty_order_.erase(dirty);
    Entry& entry = entries_.at(page);
    change(entry, [&] {
      entry.dirty = false;
      ++entry.writing;
    });
    ++writing_;
    const bool continues =
        !runs.empty() && runs.back().first + runs.back().pages == page && runs.back().pages < longest;
    if (continues) {
      ++runs.back().pages;
    } else {
      runs.push_back({page, 1});
    }
  }
  return runs;
}

void PageCache::written(Run run) {
  for (Page page = run.first; page < run.first + run.pages; ++page) {
    Entry& entry = entries_.at(page);
    change(entry, [&] { --entry.writing; });
  }
  writing_ -= run.pages;
}

void PageCache::drop(Run run) {
  for (Page page = run.first; page < run.first + run.pages; ++page) {
    const auto entry = entries_.find(page);
    if (entry == entries_.end() || !entry->second.is_clean()) continue;
    --clean_;
    recency_.erase(entry->second.recency);
    entries_.erase(entry);
  }
}

}  // namespace doorbell::model
