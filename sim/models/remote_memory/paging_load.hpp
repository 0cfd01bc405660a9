// An application under a memory limit, whose other pages are in remote memory.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/process.hpp"
#include "core/random.hpp"
#include "core/signal.hpp"
#include "models/load.hpp"
#include "models/remote_memory/application.hpp"
#include "models/remote_memory/device_part.hpp"
#include "models/remote_memory/page_table.hpp"
#include "models/remote_memory/touched_pages.hpp"

namespace doorbell::model {

/// Threads that compute and touch pages. A fault reads the page, and neighbours in the swap space with it, and waits
/// for the page; when frames run short, the thread that needs them evicts others first (direct reclaim).
class PagingLoadGenerator final : public Load, public BlockClient {
 public:
  PagingLoadGenerator(core::Calendar& calendar, HostCpu& cpu, DevicePart device, const HostSoftware& software,
                      const Application& application, std::unique_ptr<TouchedPages> pages, std::uint64_t seed);

  void start() override;
  core::Task<> finished(BlockRequest& request) override;
  [[nodiscard]] double writes_per_insert() const override;

 private:
  struct Transfer : BlockRequest {
    PageTable::Run run;
  };

  core::Process run(int thread);
  core::Task<> touch(Touch touched, int thread);
  core::Task<> fault(PageTable::Page page, int thread);
  /// Waits until some transfer is finished.
  core::Task<> change();
  core::Task<> arrival(PageTable::Page page);
  core::Task<> reclaim(int thread);
  [[nodiscard]] int longest_run() const;
  /// Before the clock starts: fills the pages, or brings the table into the state of an application that has run for
  /// long where they have always been there.
  void populate();
  void settle();
  /// Returns how many requests that writes.
  std::size_t make_room();
  [[nodiscard]] Transfer& take_transfer(PageTable::Run run, bool write, int thread);

  core::Calendar& calendar_;
  HostCpu& cpu_;
  DevicePart device_;
  const HostSoftware& software_;
  const Application& application_;
  std::unique_ptr<TouchedPages> pages_;
  core::RandomStream random_;
  PageTable table_;
  std::size_t writes_of_inserts_ = 0;
  std::vector<int> hardware_thread_;  // by thread
  std::vector<int> waiting_for_;      // threads, by the page they wait for
  core::Signal change_;               // a page has come, or a frame is free
  std::vector<std::unique_ptr<Transfer>> transfers_;
  std::vector<Transfer*> free_transfers_;
};

}  // namespace doorbell::model
