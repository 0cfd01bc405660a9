#include "models/remote_memory/page_table.hpp"

#include <stdexcept>

namespace doorbell::model {
PageTable::PageTable(std::int64_t pages, std::int64_t frames, int active_ratio)
    : entries_(static_cast<std::size_t>(pages)),
      slots_(static_cast<std::size_t>(pages * slots_per_page), -1),
      free_frames_{frames},
      active_ratio_{active_ratio},
      next_slot_{static_cast<std::size_t>(pages)} {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    entries_[i].slot = static_cast<Slot>(i);
    slots_[i] = static_cast<Page>(i);
  }
}

PageTable::Page PageTable::page_in(Slot slot) const {
  return slot < 0 || static_cast<std::size_t>(slot) >= slots_.size() ? -1 : slots_[static_cast<std::size_t>(slot)];
}

void PageTable::link(Page page, bool active) {
  List& list = lists_[active ? 1 : 0];
  Entry& entry = entries_[index(page)];
  entry.active = active;
  entry.used = false;
  entry.newer = -1;
  entry.older = list.newest;
  if (list.newest >= 0) {
    entries_[index(list.newest)].newer = page;
  } else {
    list.oldest = page;
  }
  list.newest = page;
  ++list.pages;
}

void PageTable::unlink(Page page) {
  const Entry entry = entries_[index(page)];
  List& list = lists_[entry.active ? 1 : 0];
  if (entry.newer >= 0) {
    entries_[index(entry.newer)].older = entry.older;
  } else {
    list.newest = entry.older;
  }
  if (entry.older >= 0) {
    entries_[index(entry.older)].newer = entry.newer;
  } else {
    list.oldest = entry.newer;
  }
  --list.pages;
}

void PageTable::free_slot(Entry& entry) {
  if (entry.slot < 0) return;
  slots_[static_cast<std::size_t>(entry.slot)] = -1;
  entry.slot = -1;
}

PageTable::Slot PageTable::allocate_slot(Page page) {
  while (slots_[next_slot_] >= 0) next_slot_ = (next_slot_ + 1) % slots_.size();
  const auto slot = static_cast<Slot>(next_slot_);
  slots_[next_slot_] = page;
  next_slot_ = (next_slot_ + 1) % slots_.size();
  return slot;
}

void PageTable::touch(Page page, bool modify) {
  Entry& entry = entries_[index(page)];
  if (entry.state != State::resident && entry.state != State::leaving) {
    throw std::logic_error("a page was used that is not in memory");
  }
  if (entry.state == State::leaving) {
    entry.state = State::resident;
    --leaving_;
    ++rescued_;
    link(page, false);
  }
  entry.used = true;
  if (modify) {
    entry.dirty = true;
    free_slot(entry);
  }
}

void PageTable::appear(Page page) {
  expect(page);
  Entry& entry = entries_[index(page)];
  entry.state = State::resident;
  entry.dirty = true;
  free_slot(entry);
  link(page, true);
}

void PageTable::expect(Page page) {
  Entry& entry = entries_[index(page)];
  if (entry.state != State::absent || free_frames_ <= 0) throw std::logic_error("no frame for a page");
  entry.state = State::arriving;
  --free_frames_;
}

void PageTable::arrive(Page page) {
  Entry& entry = entries_[index(page)];
  entry.state = State::resident;
  entry.dirty = false;
  link(page, false);
}

PageTable::Page PageTable::oldest_unused() {
  std::int64_t kept = 0;
  for (;;) {
    const auto inactive_pages = [&] { return inactive().pages + leaving_; };
    while (active_pages() > 0 && (inactive_pages() == 0 || inactive_pages() * active_ratio_ < active_pages())) {
      const Page page = lists_[1].oldest;
      unlink(page);
      link(page, false);
    }
    if (kept >= inactive().pages) return -1;
    const Page page = inactive().oldest;
    unlink(page);
    const Entry& entry = entries_[index(page)];
    const bool used = entry.used;
    if (!used && !entry.writing && entry.holders == 0) return page;
    link(page, used);
    if (!used) ++kept;
  }
}

std::vector<PageTable::Run> PageTable::evict(int count, int longest) {
  std::vector<Run> runs;
  for (int i = 0; i < count; ++i) {
    const Page page = oldest_unused();
    if (page < 0) break;
    Entry& entry = entries_[index(page)];
    if (!entry.dirty) {
      entry.state = State::absent;
      ++free_frames_;
      continue;
    }
    entry.state = State::leaving;
    entry.dirty = false;
    entry.writing = true;
    ++leaving_;
    entry.slot = allocate_slot(page);
    const auto length = runs.empty() ? 0 : static_cast<int>(runs.back().pages.size());
    const bool adjoins = length > 0 && length < longest && runs.back().first + length == entry.slot;
    if (!adjoins) runs.push_back({entry.slot, {}});
    runs.back().pages.push_back(page);
  }
  return runs;
}

void PageTable::written(const Run& run) {
  for (const Page page : run.pages) {
    Entry& entry = entries_[index(page)];
    entry.writing = false;
    if (entry.state == State::leaving) {
      entry.state = State::absent;
      --leaving_;
      ++free_frames_;
    } else {
      --rescued_;
    }
  }
}

}  // namespace doorbell::model
