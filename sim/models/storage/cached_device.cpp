#include "models/storage/cached_device.hpp"

#include <algorithm>

namespace doorbell::model {
namespace {

constexpr std::int64_t longest_use = 16;  // pages that are handed out at a time, as a reader would find them

bool some_overlap(const std::list<PageCache::Run>& runs, PageCache::Run run) {
  return std::ranges::any_of(runs, [run](const PageCache::Run& other) {
    return other.first < run.first + run.pages && run.first < other.first + other.pages;
  });
}

}  // namespace

CachedDevice::CachedDevice(core::Calendar& calendar, BlockDevice& device, Bytes capacity, double dirty_limit,
                           Bytes largest)
    : calendar_{calendar},
      device_{device},
      cache_{capacity},
      dirty_limit_{std::max<std::int64_t>(1, std::llround(dirty_limit * static_cast<double>(cache_.capacity())))},
      longest_{std::max<std::int64_t>(1, largest.count / page_size)},
      arrived_{calendar},
      written_{calendar} {}

void CachedDevice::start_fetch(int process, PageCache::Run run) {
  core::start(calendar_, fetch_run(process, coming_.insert(coming_.end(), run)));
}

core::Process CachedDevice::fetch_run(int process, std::list<PageCache::Run>::iterator run) {
  co_await device_.read(process, run->first * page_size, Bytes{run->pages * page_size});
  for (Page page = run->first; page < run->first + run->pages; ++page) {
    if (cache_.state(page) == PageCache::State::arriving) cache_.arrive(page);
  }
  coming_.erase(run);
  arrived_.notify_all();
}

void CachedDevice::fetch(const Reader& reader, int process, ReadAhead::Window window) {
  const Page end = std::min(window.pages.first + window.pages.pages, reader.end_of_file);
  PageCache::Run run;
  const auto start = [&] {
    if (run.pages > 0) start_fetch(process, run);
    run = {};
  };
  for (Page page = window.pages.first; page < end; ++page) {
    if (cache_.state(page) != PageCache::State::absent || run.pages == longest_) start();
    if (cache_.state(page) != PageCache::State::absent) continue;
    if (run.pages == 0) run.first = page;
    ++run.pages;
    cache_.expect(page);
  }
  start();
  if (window.mark >= 0) cache_.mark(window.mark);
}

core::Task<std::int64_t> CachedDevice::present_from(Reader& reader, int process, Page page, Page end) {
  while (cache_.state(page) != PageCache::State::present) {
    if (cache_.state(page) == PageCache::State::absent)
      fetch(reader, process, reader.read_ahead.missed(page, end - page));
    if (cache_.take_mark(page)) fetch(reader, process, reader.read_ahead.at_mark(page, end - page));
    co_await arrived_.wait();
  }
  std::int64_t pages = 0;
  while (pages < longest_use && page + pages < end && cache_.state(page + pages) == PageCache::State::present) {
    const Page used = page + pages;
    if (cache_.take_mark(used)) fetch(reader, process, reader.read_ahead.at_mark(used, end - used));
    cache_.touch(used);
    reader.read_ahead.used(used);
    ++pages;
  }
  co_return pages;
}

core::Task<> CachedDevice::make_present(int process, Page page) {
  while (cache_.state(page) != PageCache::State::present) {
    if (cache_.state(page) == PageCache::State::absent) {
      cache_.expect(page);
      start_fetch(process, {page, 1});
    }
    co_await arrived_.wait();
  }
}

core::Task<> CachedDevice::write(int process, std::int64_t offset, Bytes size) {
  const PageCache::Run run = PageCache::pages_of(offset, size);
  const std::int64_t end = offset + size.count;
  for (Page page = run.first; page < run.first + run.pages; ++page) {
    const bool whole = page * page_size >= offset && (page + 1) * page_size <= end;
    if (!whole) co_await make_present(process, page);
    cache_.modify(page);
  }
  for (;;) {
    // Also after a flush: what has been written meanwhile may already be too much.
    if (cache_.dirty() > dirty_limit_ / 2 && !flushing_) start_write_back(process);
    if (cache_.unwritten() <= dirty_limit_) co_return;
    co_await written_.wait();
  }
}

void CachedDevice::start_write_back(int process) {
  flushing_ = true;
  core::start(calendar_, write_back(process));
}

core::Process CachedDevice::write_back(int process) {
  co_await write_all(process, cache_.take_dirty(longest_));
  flushing_ = false;
  // What was written meanwhile may be too much already, and its writers wait.
  if (cache_.dirty() > dirty_limit_ / 2) start_write_back(process);
}

core::Task<> CachedDevice::flush(int process, PageCache::Run run) {
  co_await write_all(process, cache_.take_dirty(longest_, run));
  while (some_overlap(under_way_, run)) co_await written_.wait();
}

core::Task<> CachedDevice::give_up(int process, PageCache::Run run) {
  co_await flush(process, run);
  while (some_overlap(coming_, run)) co_await arrived_.wait();
  cache_.drop(run);
}

core::Task<> CachedDevice::write_all(int process, std::vector<PageCache::Run> runs) {
  core::Join writes{calendar_};
  for (const PageCache::Run& run : runs) writes.start(write_run(process, under_way_.insert(under_way_.end(), run)));
  co_await writes.all();
}

core::Task<> CachedDevice::write_run(int process, std::list<PageCache::Run>::iterator run) {
  co_await device_.write(process, run->first * page_size, Bytes{run->pages * page_size});
  cache_.written(*run);
  under_way_.erase(run);
  written_.notify_all();
}

}  // namespace doorbell::model
