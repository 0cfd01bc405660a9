// A block device behind a page cache: reads that wait for pages, reading ahead, and write-back.
#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "core/calendar.hpp"
#include "core/join.hpp"
#include "core/process.hpp"
#include "core/signal.hpp"
#include "core/task.hpp"
#include "models/storage/page_cache.hpp"
#include "models/storage/read_ahead.hpp"

namespace doorbell::model {

/// Something that reads and writes bytes of a device for a process.
class BlockDevice {
 public:
  virtual ~BlockDevice() = default;

  virtual core::Task<> read(int process, std::int64_t offset, Bytes size) = 0;
  virtual core::Task<> write(int process, std::int64_t offset, Bytes size) = 0;
};

class CachedDevice {
 public:
  using Page = PageCache::Page;

  /// `dirty_limit`: share of the cache that may be dirty or being written back; `largest`: most bytes of a request to
  /// `device`.
  CachedDevice(core::Calendar& calendar, BlockDevice& device, Bytes capacity, double dirty_limit, Bytes largest);

  /// A process that reads a file which ends before page `end_of_file` of the device.
  struct Reader {
    int process = 0;
    ReadAhead read_ahead;
    Page end_of_file = 0;
  };
  /// Waits for `page` to be present, reading ahead as the reader's history suggests, on behalf of `process` (several
  /// may serve one reader), and returns how many pages from there on it may use now, at least one and not beyond `end`.
  core::Task<std::int64_t> present_from(Reader& reader, int process, Page page, Page end);
  /// New contents for these bytes. Of a page of which only a part is new, the rest is read first unless it is there, as
  /// Linux does where a file system's blocks are as large as pages. Write-back begins at half of what may be dirty, and
  /// the writer waits while more than the limit is not on the device.
  core::Task<> write(int process, std::int64_t offset, Bytes size);
  /// Ends when what was dirty among the pages of the run is on the device, whoever writes it there.
  core::Task<> flush(int process, PageCache::Run run);
  /// The same, and then none of these pages is in memory or on its way: what is being read ahead is waited for.
  core::Task<> give_up(int process, PageCache::Run run);

  [[nodiscard]] PageCache& cache() { return cache_; }

 private:
  core::Task<> make_present(int process, Page page);
  void fetch(const Reader& reader, int process, ReadAhead::Window window);
  void start_write_back(int process);
  /// All that is dirty.
  core::Process write_back(int process);
  core::Task<> write_all(int process, std::vector<PageCache::Run> runs);
  /// `run`: of those under way.
  core::Task<> write_run(int process, std::list<PageCache::Run>::iterator run);
  void start_fetch(int process, PageCache::Run run);
  /// `run`: of those coming.
  core::Process fetch_run(int process, std::list<PageCache::Run>::iterator run);

  core::Calendar& calendar_;
  BlockDevice& device_;
  PageCache cache_;
  std::int64_t dirty_limit_;
  std::int64_t longest_;              // pages of a request
  std::list<PageCache::Run> coming_;  // from the device
  core::Signal arrived_;              // one of them
  bool flushing_ = false;
  std::list<PageCache::Run> under_way_;  // to the device
  core::Signal written_;                 // one of them
};

}  // namespace doorbell::model
