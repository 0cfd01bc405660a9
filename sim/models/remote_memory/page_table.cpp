#include "models/remote_memory/page_table.hpp"

#include <stdexcept>

namespace doorbell::model {
namespace {

/// Slots for each page: room enough that runs of free slots are long.
constexpr std::size_t slots_per_page = 4;

}  // namespace

PageTable::PageTable(std::int64_t pages, std::int64_t frames)
    : entries_(static_cast<std::size_t>(pages)),
      slots_(static_cast<std::size_t>(pages) * slots_per_page, -1),
      free_frames_{frames},
      next_slot_{static_cast<std::size_t>(pages)} {
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    entries_[i].slot = static_cast<Slot>(i);
    slots_[i] = static_cast<Page>(i);
  }
}

PageTable::Page PageTable::page_in(Slot slot) const {
  return slot < 0 || static_cast<std::size_t>(slot) >= slots_.size() ? -1 : slots_[static_cast<std::size_t>(slot)];
}

void PageTable::link(Page page) {
  Entry& entry = entries_[index(page)];
  entry.newer = -1;
  entry.older = newest_;
  (newest_ >= 0 ? entries_[index(newest_)].newer : oldest_) = page;
  newest_ = page;
  ++resident_;
}

void PageTable::unlink(Page page) {
  const Entry& entry = entries_[index(page)];
  (entry.newer >= 0 ? entries_[index(entry.newer)].older : newest_) = entry.older;
  (entry.older >= 0 ? entries_[index(entry.older)].newer : oldest_) = entry.newer;
  --resident_;
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
  if (entry.state == State::resident) {
    unlink(page);
  } else if (entry.state != State::leaving) {
    throw std::logic_error("a page was used that is not in memory");
  }
  const bool stays = entry.state == State::leaving;
  entry.state = State::resident;
  link(page);
  if (modify || stays) {
    // What is being written is not what the page will hold; its slot is given up.
    entry.dirty = true;
    free_slot(entry);
  }
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
  link(page);
}

std::vector<PageTable::Run> PageTable::evict(int count, int longest) {
  std::vector<Run> runs;
  for (int i = 0; i < count && oldest_ >= 0; ++i) {
    const Page page = oldest_;
    Entry& entry = entries_[index(page)];
    unlink(page);
    if (!entry.dirty) {
      entry.state = State::absent;
      ++free_frames_;
      continue;
    }
    entry.state = State::leaving;
    entry.dirty = false;
    entry.slot = allocate_slot(page);
    const auto length = runs.empty() ? 0 : static_cast<int>(runs.back().pages.size());
    const bool adjoins = length > 0 && length < longest && runs.back().first + length == entry.slot;
    if (!adjoins) runs.push_back({entry.slot, {}});
    runs.back().pages.push_back(page);
  }
  return runs;
}

void PageTable::written(const Run& run) {
  Slot slot = run.first;
  for (const Page page : run.pages) {
    Entry& entry = entries_[index(page)];
    // A page used meanwhile has given up the slot, even if it is leaving again by now.
    if (entry.state == State::leaving && entry.slot == slot) {
      entry.state = State::absent;
      ++free_frames_;
    }
    ++slot;
  }
}

}  // namespace doorbell::model
