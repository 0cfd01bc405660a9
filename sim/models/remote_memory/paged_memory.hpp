// Memory under a limit, whose other pages are on a device.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/random.hpp"
#include "core/signal.hpp"
#include "core/utilisation.hpp"
#include "models/remote_memory/application.hpp"
#include "models/remote_memory/device_part.hpp"
#include "models/remote_memory/host_software.hpp"
#include "models/remote_memory/page_table.hpp"
#include "models/remote_memory/touched_pages.hpp"

namespace doorbell::model {

/// A thread that touches pages.
struct Toucher {
  Submitter submitter;
  int hardware_thread = 0;
  bool pinned = false;  ///< To its hardware thread, also when it wakes up.
};

/// A fault reads the page, and neighbours in the swap space with it, and waits for the page; when frames run short, the
/// thread that needs them evicts others first (direct reclaim).
class PagedMemory final : public BlockClient {
 public:
  /// Brings itself into the state of a program that has run for long, or has filled its pages; `threads` and `random`
  /// are those of this past. `cpu`: on which completions are handled and threads wake up.
  PagedMemory(core::Calendar& calendar, HostCpu& cpu, DevicePart device, const HostSoftware& software,
              const MemoryLimit& limit, std::unique_ptr<TouchedPages> pages, int threads, core::RandomStream& random);

  [[nodiscard]] TouchedPages& pages() { return *pages_; }
  /// Continues when the page has been there and been touched.
  core::Task<> touch(Touch touched, Toucher& by);

  core::Task<> finished(BlockRequest& request) override;

  [[nodiscard]] std::uint64_t faults() const { return faults_; }
  /// Threads that wait for I/O, on average.
  [[nodiscard]] double waiting(Time now) const { return waiting_.mean(now); }
  /// Requests that filling it wrote for each insert.
  [[nodiscard]] double writes_per_insert() const;
  /// Ends the warm-up.
  void measure() {
    faults_ = 0;
    waiting_.reset(calendar_.now());
  }

 private:
  struct Transfer : BlockRequest {
    PageTable::Run run;
  };

  core::Task<> fault(PageTable::Page page, Toucher& by);
  /// Evicts until there are frames for all that a fault of `page` reads, or for some if more cannot be had, or another
  /// thread reads the page.
  core::Task<> make_frames(PageTable::Page page, const Toucher& by);
  /// Waits until some transfer is finished.
  core::Task<> change();
  core::Task<> arrival(PageTable::Page page);
  core::Task<> write(std::vector<PageTable::Run> runs, const Toucher& by);
  [[nodiscard]] int longest_run() const;
  /// Before the clock starts: fills the pages, or brings the table into the state of an application that has run for
  /// long where they have always been there.
  void populate();
  void settle(int threads, core::RandomStream& random);
  /// Returns how many requests that writes.
  std::size_t make_room();
  [[nodiscard]] Transfer& take_transfer(PageTable::Run run, bool write, const Toucher& by);

  core::Calendar& calendar_;
  HostCpu& cpu_;
  DevicePart device_;
  const HostSoftware& software_;
  const MemoryLimit& limit_;
  std::unique_ptr<TouchedPages> pages_;
  PageTable table_;
  std::size_t writes_of_inserts_ = 0;
  std::uint64_t faults_ = 0;
  core::TimeWeighted waiting_;
  std::vector<int> waiting_for_;  // threads, by the page they wait for
  core::Signal change_;           // a page has come or been used, or a frame is free
  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<Transfer*> free_transfers_;
};

}  // namespace doorbell::model
