// Which pages are in memory, which are on their way, and where the others lie in the swap space.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace doorbell::model {

/// Pages under a memory limit with least-recently-used replacement. A page that is evicted dirty gets the next free
/// slots of the swap space in turn, so that pages that leave together lie side by side (as Linux allocates them); a
/// page that came back and has not been modified since keeps its slot and can leave for nothing.
class PageTable {
 public:
  using Page = std::int32_t;
  using Slot = std::int32_t;
  enum class State : std::uint8_t { absent, arriving, resident, leaving };

  /// At first no page is resident, and page i lies in slot i.
  PageTable(std::int64_t pages, std::int64_t frames);

  [[nodiscard]] State state(Page page) const { return entries_[index(page)].state; }
  [[nodiscard]] Slot slot(Page page) const { return entries_[index(page)].slot; }
  /// The page in this slot, or -1.
  [[nodiscard]] Page page_in(Slot slot) const;
  [[nodiscard]] std::int64_t free_frames() const { return free_frames_; }
  [[nodiscard]] std::int64_t resident_pages() const { return resident_; }
  [[nodiscard]] std::int64_t slots() const { return static_cast<std::int64_t>(slots_.size()); }

  /// A use of a page that is resident or leaving; a leaving one stays.
  void touch(Page page, bool modify);
  /// An absent page gets a frame (one must be free) and is on its way.
  void expect(Page page);
  /// It has come.
  void arrive(Page page);

  /// Slots side by side that must be written before their pages' frames are free.
  struct Run {
    Slot first = 0;
    std::vector<Page> pages;
  };
  /// Evicts the `count` pages that were used longest ago: clean ones at once, dirty ones in the runs returned, none of
  /// more than `longest` pages.
  [[nodiscard]] std::vector<Run> evict(int count, int longest);
  /// The writing of a run has ended: frees the frames of its pages, except those used meanwhile.
  void written(const Run& run);

 private:
  struct Entry {
    Page newer = -1;
    Page older = -1;
    Slot slot = -1;
    State state = State::absent;
    bool dirty = false;
  };
  static std::size_t index(Page page) { return static_cast<std::size_t>(page); }
  void link(Page page);
  void unlink(Page page);
  [[nodiscard]] Slot allocate_slot(Page page);
  void free_slot(Entry& entry);

  std::vector<Entry> entries_;
  std::vector<Page> slots_;
  std::int64_t free_frames_;
  std::int64_t resident_ = 0;
  Page newest_ = -1;
  Page oldest_ = -1;
  std::size_t next_slot_;
};

}  // namespace doorbell::model
