#include "models/remote_memory/paged_memory.hpp"

#include <algorithm>
#include <utility>

#include "models/memory/page.hpp"

namespace doorbell::model {

PagedMemory::PagedMemory(core::Calendar& calendar, HostCpu& cpu, DevicePart device, const HostSoftware& software,
                         const MemoryLimit& limit, std::unique_ptr<TouchedPages> pages, int threads,
                         core::RandomStream& random)
    : calendar_{calendar},
      cpu_{cpu},
      device_{device},
      software_{software},
      limit_{limit},
      pages_{std::move(pages)},
      table_{pages_->pages(), frames_of(limit_, pages_->pages()), limit_.active_ratio},
      waiting_for_(static_cast<std::size_t>(pages_->pages())),
      change_{calendar} {
  if (pages_->inserts() > 0) {
    populate();
  } else {
    settle(threads, random);
  }
}

int PagedMemory::longest_run() const { return static_cast<int>(limit_.block.count / page_size); }

std::size_t PagedMemory::make_room() {
  if (table_.free_frames() > 0) return 0;
  const std::vector<PageTable::Run> runs = table_.evict(limit_.reclaim, longest_run());
  for (const PageTable::Run& run : runs) table_.written(run);
  return runs.size();
}

double PagedMemory::writes_per_insert() const {
  return static_cast<double>(writes_of_inserts_) / static_cast<double>(std::max<std::int64_t>(1, pages_->inserts()));
}

void PagedMemory::populate() {
  std::vector<bool> filled(static_cast<std::size_t>(pages_->pages()));
  std::vector<Touch> touches;
  for (std::int64_t number = 0; number < pages_->inserts(); ++number) {
    pages_->insert(number, touches);
    for (const Touch& touched : touches) {
      const auto index = static_cast<std::size_t>(touched.page);
      if (table_.state(touched.page) == PageTable::State::absent) {
        writes_of_inserts_ += make_room();
        if (filled[index]) {
          table_.expect(touched.page);
          table_.arrive(touched.page);
        } else {
          table_.appear(touched.page);
          filled[index] = true;
        }
      }
      table_.touch(touched.page, touched.modify);
    }
  }
}

void PagedMemory::settle(int threads, core::RandomStream& random) {
  for (PageTable::Page page = 0; page < pages_->pages() && table_.free_frames() > 0; ++page) {
    table_.expect(page);
    table_.arrive(page);
  }
  const std::int64_t enough = 8 * pages_->pages();
  std::vector<Touch> touches;
  std::int64_t done = 0;
  for (int thread = 0; done < enough; thread = (thread + 1) % threads) {
    (void)pages_->next(thread, random, touches);
    for (const Touch& touched : touches) {
      if (table_.state(touched.page) == PageTable::State::absent) {
        make_room();
        table_.expect(touched.page);
        table_.arrive(touched.page);
      }
      table_.touch(touched.page, touched.modify);
      ++done;
    }
  }
}

core::Task<> PagedMemory::touch(Touch touched, Toucher& by) {
  const auto is_there = [&] {
    const PageTable::State state = table_.state(touched.page);
    return state == PageTable::State::resident || state == PageTable::State::leaving;
  };
  const bool waits = !is_there();
  if (waits) table_.hold(touched.page);
  while (!is_there()) {
    if (table_.state(touched.page) == PageTable::State::absent) {
      co_await fault(touched.page, by);
    } else {
      co_await arrival(touched.page);
    }
  }
  table_.touch(touched.page, touched.modify);
  if (!waits) co_return;
  table_.release(touched.page);
  change_.notify_all();
}

core::Task<> PagedMemory::fault(PageTable::Page page, Toucher& by) {
  ++faults_;
  co_await by.submitter.work(software_.memory.fault);
  co_await make_frames(page, by);
  if (table_.state(page) != PageTable::State::absent) co_return;  // another thread was faster

  // The window of swap slots around the page's, in order of slots.
  const PageTable::Slot slot = table_.slot(page);
  const PageTable::Slot first = slot - slot % limit_.readahead;
  const int longest = limit_.join_reads ? longest_run() : 1;
  std::vector<PageTable::Run> runs;
  for (PageTable::Slot near = first; near < first + limit_.readahead; ++near) {
    const PageTable::Page other = table_.page_in(near);
    if (other < 0 || table_.state(other) != PageTable::State::absent) continue;
    // Neighbours get no frame that the page itself still needs.
    const int needed = table_.state(page) == PageTable::State::absent ? 2 : 1;
    if (other != page && table_.free_frames() < needed) continue;
    table_.expect(other);
    const auto length = runs.empty() ? 0 : static_cast<int>(runs.back().pages.size());
    const bool adjoins = length > 0 && length < longest && runs.back().first + length == near;
    if (!adjoins) runs.push_back({near, {}});
    runs.back().pages.push_back(other);
  }
  for (PageTable::Run& run : runs) {
    co_await by.submitter.work(software_.block.submit);
    co_await device_.submit(*this, std::vector<BlockRequest*>(1, &take_transfer(std::move(run), false, by)),
                            by.submitter);
  }
  while (table_.state(page) == PageTable::State::arriving) co_await arrival(page);
  if (!by.pinned) by.hardware_thread = cpu_.place();
  cpu_.count_context_switch();
  co_await by.submitter.work(software_.driver.context_switch);
}

core::Task<> PagedMemory::make_frames(PageTable::Page page, const Toucher& by) {
  while (table_.state(page) == PageTable::State::absent && table_.free_frames() < limit_.readahead) {
    const std::int64_t resident = table_.resident_pages();
    std::vector<PageTable::Run> runs = table_.evict(limit_.reclaim, longest_run());
    if (table_.resident_pages() < resident) {
      change_.notify_all();
      co_await write(std::move(runs), by);
    } else if (table_.free_frames() > 0 && table_.writing_pages() == 0) {
      break;
    } else {
      co_await change();
    }
  }
}

core::Task<> PagedMemory::change() {
  waiting_.add(calendar_.now(), 1);
  co_await change_.wait();
  waiting_.add(calendar_.now(), -1);
}

core::Task<> PagedMemory::arrival(PageTable::Page page) {
  ++waiting_for_[static_cast<std::size_t>(page)];
  co_await change();
  --waiting_for_[static_cast<std::size_t>(page)];
}

core::Task<> PagedMemory::write(std::vector<PageTable::Run> runs, const Toucher& by) {
  if (runs.empty()) co_return;
  std::vector<BlockRequest*> writes;
  writes.reserve(runs.size());
  for (PageTable::Run& run : runs) writes.push_back(&take_transfer(std::move(run), true, by));
  co_await by.submitter.work(software_.block.submit * static_cast<int>(writes.size()));
  co_await device_.submit(*this, std::move(writes), by.submitter);
}

PagedMemory::Transfer& PagedMemory::take_transfer(PageTable::Run run, bool write, const Toucher& by) {
  if (free_transfers_.empty()) {
    transfers_.push_back(std::make_unique<Transfer>());
    free_transfers_.push_back(transfers_.back().get());
  }
  Transfer& transfer = *free_transfers_.back();
  free_transfers_.pop_back();
  transfer.offset = run.first * page_size;
  transfer.size = Bytes{page_size * static_cast<std::int64_t>(run.pages.size())};
  transfer.write = write;
  transfer.thread = by.hardware_thread;
  transfer.issued = calendar_.now();
  transfer.pending = 0;
  transfer.run = std::move(run);
  return transfer;
}

core::Task<> PagedMemory::finished(BlockRequest& request) {
  Transfer& transfer = static_cast<Transfer&>(request);
  if (transfer.write) {
    table_.written(transfer.run);
  } else {
    int waiting = 0;
    for (const PageTable::Page page : transfer.run.pages) {
      table_.arrive(page);
      waiting += waiting_for_[static_cast<std::size_t>(page)];
    }
    co_await cpu_.work(software_.driver.wakeup * waiting);
  }
  free_transfers_.push_back(&transfer);
  change_.notify_all();
}

}  // namespace doorbell::model
