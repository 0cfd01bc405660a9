#include "models/remote_memory/paging_load.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace doorbell::model {

PagingLoadGenerator::PagingLoadGenerator(core::Calendar& calendar, HostCpu& cpu, DevicePart device,
                                         const HostSoftware& software, const Application& application,
                                         std::unique_ptr<TouchedPages> pages, std::uint64_t seed)
    : Load{pages->kinds()},
      calendar_{calendar},
      cpu_{cpu},
      device_{device},
      software_{software},
      application_{application},
      pages_{std::move(pages)},
      random_{seed, "paging load"},
      table_{pages_->pages(), frames_of(application_, pages_->pages()), application_.active_ratio},
      hardware_thread_(static_cast<std::size_t>(application_.threads)),
      waiting_for_(static_cast<std::size_t>(pages_->pages())),
      change_{calendar} {
  if (pages_->inserts() > 0) {
    populate();
  } else {
    settle();
  }
}

int PagingLoadGenerator::longest_run() const { return static_cast<int>(application_.block.count / page_size); }

std::size_t PagingLoadGenerator::make_room() {
  if (table_.free_frames() > 0) return 0;
  const std::vector<PageTable::Run> runs = table_.evict(application_.reclaim, longest_run());
  for (const PageTable::Run& run : runs) table_.written(run);
  return runs.size();
}

double PagingLoadGenerator::writes_per_insert() const {
  return static_cast<double>(writes_of_inserts_) / static_cast<double>(std::max<std::int64_t>(1, pages_->inserts()));
}

void PagingLoadGenerator::populate() {
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

void PagingLoadGenerator::settle() {
  for (PageTable::Page page = 0; page < pages_->pages() && table_.free_frames() > 0; ++page) {
    table_.expect(page);
    table_.arrive(page);
  }
  const std::int64_t enough = 8 * pages_->pages();
  std::vector<Touch> touches;
  std::int64_t done = 0;
  for (int thread = 0; done < enough; thread = (thread + 1) % application_.threads) {
    (void)pages_->next(thread, random_, touches);
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

void PagingLoadGenerator::start() {
  for (int i = 0; i < application_.threads; ++i) {
    hardware_thread_[static_cast<std::size_t>(i)] = cpu_.place();
    core::start(calendar_, run(i), random_.uniform(Time{0}, application_.compute + std::chrono::microseconds{1}));
  }
}

core::Process PagingLoadGenerator::run(int thread) {
  std::vector<Touch> touches;
  for (;;) {
    const Time began = calendar_.now();
    const std::size_t kind = pages_->next(thread, random_, touches);
    // Exponential, so that threads do not march in step.
    co_await cpu_.work(random_.exponential(application_.compute));
    for (const Touch& touched : touches) co_await touch(touched, thread);
    count(calendar_.now() - began, Bytes{0}, kind);
  }
}

core::Task<> PagingLoadGenerator::touch(Touch touched, int thread) {
  for (;;) {
    const PageTable::State state = table_.state(touched.page);
    if (state == PageTable::State::resident || state == PageTable::State::leaving) break;
    if (state == PageTable::State::absent) {
      co_await fault(touched.page, thread);
    } else {
      co_await arrival(touched.page);
    }
  }
  table_.touch(touched.page, touched.modify);
}

core::Task<> PagingLoadGenerator::fault(PageTable::Page page, int thread) {
  count_fault();
  co_await cpu_.work(software_.memory.fault);
  while (table_.free_frames() < application_.readahead && table_.resident_pages() > 0) co_await reclaim(thread);
  while (table_.free_frames() == 0) co_await change();
  if (table_.state(page) != PageTable::State::absent) co_return;  // another thread was faster

  // The window of swap slots around the page's, in order of slots.
  const PageTable::Slot slot = table_.slot(page);
  const PageTable::Slot first = slot - slot % application_.readahead;
  const int longest = application_.join_reads ? longest_run() : 1;
  std::vector<PageTable::Run> runs;
  for (PageTable::Slot near = first; near < first + application_.readahead; ++near) {
    const PageTable::Page other = table_.page_in(near);
    if (other < 0 || table_.state(other) != PageTable::State::absent) continue;
    // Neighbours get no frame that the page itself needs.
    if (other != page && (table_.free_frames() < 2)) continue;
    table_.expect(other);
    const auto length = runs.empty() ? 0 : static_cast<int>(runs.back().pages.size());
    const bool adjoins = length > 0 && length < longest && runs.back().first + length == near;
    if (!adjoins) runs.push_back({near, {}});
    runs.back().pages.push_back(other);
  }
  for (PageTable::Run& run : runs) {
    co_await cpu_.work(software_.block.submit);
    co_await device_.submit(*this, std::vector<BlockRequest*>(1, &take_transfer(std::move(run), false, thread)),
                            Submitter{cpu_});
  }
  while (table_.state(page) == PageTable::State::arriving) co_await arrival(page);
  hardware_thread_[static_cast<std::size_t>(thread)] = cpu_.place();
  cpu_.count_context_switch();
  co_await cpu_.work(software_.driver.context_switch);
}

core::Task<> PagingLoadGenerator::change() {
  wait(calendar_.now(), 1);
  co_await change_.wait();
  wait(calendar_.now(), -1);
}

core::Task<> PagingLoadGenerator::arrival(PageTable::Page page) {
  ++waiting_for_[static_cast<std::size_t>(page)];
  co_await change();
  --waiting_for_[static_cast<std::size_t>(page)];
}

core::Task<> PagingLoadGenerator::reclaim(int thread) {
  std::vector<PageTable::Run> runs = table_.evict(application_.reclaim, longest_run());
  if (runs.empty()) co_return;
  std::vector<BlockRequest*> writes;
  writes.reserve(runs.size());
  for (PageTable::Run& run : runs) writes.push_back(&take_transfer(std::move(run), true, thread));
  co_await cpu_.work(software_.block.submit * static_cast<int>(writes.size()));
  co_await device_.submit(*this, std::move(writes), Submitter{cpu_});
}

PagingLoadGenerator::Transfer& PagingLoadGenerator::take_transfer(PageTable::Run run, bool write, int thread) {
  if (free_transfers_.empty()) {
    transfers_.push_back(std::make_unique<Transfer>());
    free_transfers_.push_back(transfers_.back().get());
  }
  Transfer& transfer = *free_transfers_.back();
  free_transfers_.pop_back();
  transfer.offset = run.first * page_size;
  transfer.size = Bytes{page_size * static_cast<std::int64_t>(run.pages.size())};
  transfer.write = write;
  transfer.thread = hardware_thread_[static_cast<std::size_t>(thread)];
  transfer.issued = calendar_.now();
  transfer.pending = 0;
  transfer.run = std::move(run);
  return transfer;
}

core::Task<> PagingLoadGenerator::finished(BlockRequest& request) {
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
