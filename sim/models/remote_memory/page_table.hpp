// Which pages are in memory, which are on their way, and where the others lie in the swap space.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace doorbell::model {

/// Slots of the swap space for each page: room enough that runs of free slots are long.
constexpr std::int64_t slots_per_page = 4;

/// Pages under a memory limit, replaced as Linux replaces anonymous pages: a list of active ones and a list of inactive
/// ones, of which the oldest is evicted unless it has been used since it came there. What is read ahead and never used
/// passes the inactive list once; what is used at the end of it becomes active (mm/vmscan.c, page_check_references).
///
/// A page that is evicted dirty gets the next free slots of the swap space in turn, so that pages that leave together
/// lie side by side; a page that came back and has not been modified since keeps its slot and can leave for nothing.
class PageTable {
 public:
  using Page = std::int32_t;
  using Slot = std::int32_t;
  enum class State : std::uint8_t { absent, arriving, resident, leaving };

  /// At first no page is resident, and page i lies in slot i. `active_ratio`: active pages for each inactive one beyond
  /// which active ones become inactive.
  PageTable(std::int64_t pages, std::int64_t frames, int active_ratio);

  [[nodiscard]] State state(Page page) const { return entries_[index(page)].state; }
  [[nodiscard]] Slot slot(Page page) const { return entries_[index(page)].slot; }
  /// The page in this slot, or -1.
  [[nodiscard]] Page page_in(Slot slot) const;
  [[nodiscard]] std::int64_t free_frames() const { return free_frames_; }
  [[nodiscard]] std::int64_t resident_pages() const { return inactive().pages + active_pages(); }
  [[nodiscard]] std::int64_t active_pages() const { return lists_[1].pages; }
  /// Of which something is being written, whether they leave or have been used meanwhile and stay.
  [[nodiscard]] std::int64_t writing_pages() const { return leaving_ + rescued_; }
  [[nodiscard]] std::int64_t slots() const { return static_cast<std::int64_t>(slots_.size()); }

  /// A use of a page that is resident or leaving; a leaving one stays, and what is written of it is good unless it is
  /// modified.
  void touch(Page page, bool modify);
  /// An absent page of which nothing is in the swap space gets a frame (one must be free): it is new, and active.
  void appear(Page page);
  /// An absent page gets a frame (one must be free) and is on its way.
  void expect(Page page);
  /// It has come, and is inactive.
  void arrive(Page page);

  /// Slots side by side that must be written before their pages' frames are free.
  struct Run {
    Slot first = 0;
    std::vector<Page> pages;
  };
  /// Somebody is about to use it: it is not evicted before it has been released as often.
  void hold(Page page) { ++entries_[index(page)].holders; }
  void release(Page page) { --entries_[index(page)].holders; }

  /// Evicts up to `count` pages: clean ones at once, dirty ones in the runs returned, none of more than `longest`
  /// pages. What leaves counts as inactive, so that slow writes do not drain the list of active ones.
  [[nodiscard]] std::vector<Run> evict(int count, int longest);
  /// The writing of a run has ended: frees the frames of its pages, except those used meanwhile.
  void written(const Run& run);

 private:
  struct Entry {
    Page newer = -1;
    Page older = -1;
    Slot slot = -1;
    std::int32_t holders = 0;
    State state = State::absent;
    bool dirty = false;
    bool writing = false;  ///< Until `written`, also when the page has been used meanwhile and stays.
    bool used = false;     ///< Since it came to the list it is in.
    bool active = false;
  };
  struct List {
    Page newest = -1;
    Page oldest = -1;
    std::int64_t pages = 0;
  };
  static std::size_t index(Page page) { return static_cast<std::size_t>(page); }
  [[nodiscard]] const List& inactive() const { return lists_[0]; }
  /// Takes a page to the newest end of one of the lists.
  void link(Page page, bool active);
  void unlink(Page page);
  /// The page to evict next, out of its list; -1 if there is none.
  [[nodiscard]] Page oldest_unused();
  [[nodiscard]] Slot allocate_slot(Page page);
  void free_slot(Entry& entry);

  std::vector<Entry> entries_;
  std::vector<Page> slots_;
  std::int64_t free_frames_;
  std::int64_t leaving_ = 0;
  std::int64_t rescued_ = 0;  // resident, and still being written
  int active_ratio_;
  std::array<List, 2> lists_;  // inactive, active
  std::size_t next_slot_;
};

}  // namespace doorbell::model
