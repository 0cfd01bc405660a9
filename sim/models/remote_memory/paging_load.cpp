#include "models/remote_memory/paging_load.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace doorbell::model {
namespace {

constexpr std::int64_t page_size = 4096;

}  // namespace

PagingLoadGenerator::PagingLoadGenerator(core::Calendar& calendar, HostCpu& cpu, RemoteDevice& device,
                                         const RemoteMemoryScenario& scenario, std::uint64_t seed)
    : calendar_{calendar},
      cpu_{cpu},
      device_{device},
      load_{*scenario.paging},
      software_{scenario.software},
      random_{seed, "paging load"},
      table_{load_.pages, std::max<std::int64_t>(std::llround(load_.resident * static_cast<double>(load_.pages)),
                                                 2LL * load_.reclaim)},
      page_of_rank_(static_cast<std::size_t>(load_.pages)),
      position_(static_cast<std::size_t>(load_.threads)),
      hardware_thread_(static_cast<std::size_t>(load_.threads)),
      waiting_for_(static_cast<std::size_t>(load_.pages)),
      change_{calendar} {
  std::iota(page_of_rank_.begin(), page_of_rank_.end(), 0);
  for (std::size_t i = page_of_rank_.size(); i > 1; --i)
    std::swap(page_of_rank_[i - 1], page_of_rank_[random_.below(i)]);
  double sum = 0;
  for (std::int64_t rank = 1; rank <= load_.pages; ++rank) {
    sum += std::pow(static_cast<double>(rank), -load_.skew);
    cumulative_.push_back(sum);
  }
  for (int i = 0; i < load_.threads; ++i) position_[static_cast<std::size_t>(i)] = load_.pages * i / load_.threads;
  settle();
}

int PagingLoadGenerator::longest_run() const { return static_cast<int>(load_.block.count / page_size); }

/// Brings the page table into the state of an application that has run for long, before the clock starts.
void PagingLoadGenerator::settle() {
  for (PageTable::Page page = 0; page < load_.pages && table_.free_frames() > 0; ++page) {
    table_.expect(page);
    table_.arrive(page);
  }
  const std::int64_t touches = 8 * load_.pages;
  for (std::int64_t i = 0; i < touches; ++i) {
    const PageTable::Page page = choose(static_cast<int>(i % load_.threads));
    if (table_.state(page) == PageTable::State::absent) {
      if (table_.free_frames() == 0) {
        for (const PageTable::Run& run : table_.evict(load_.reclaim, longest_run())) table_.written(run);
      }
      table_.expect(page);
      table_.arrive(page);
    }
    table_.touch(page, random_.chance(load_.dirty));
  }
}

void PagingLoadGenerator::start() {
  for (int i = 0; i < load_.threads; ++i) {
    hardware_thread_[static_cast<std::size_t>(i)] = cpu_.place();
    core::start(calendar_, run(i), random_.uniform(Time{0}, load_.compute + std::chrono::microseconds{1}));
  }
}

PageTable::Page PagingLoadGenerator::choose(int thread) {
  if (load_.order == AccessOrder::sequential) {
    std::int64_t& position = position_[static_cast<std::size_t>(thread)];
    const std::int64_t first = load_.pages * thread / load_.threads;
    const std::int64_t end = load_.pages * (thread + 1) / load_.threads;
    const auto page = static_cast<PageTable::Page>(position);
    if (++position == end) position = first;
    return page;
  }
  const double drawn = random_.uniform() * cumulative_.back();
  const auto rank = std::upper_bound(cumulative_.begin(), cumulative_.end(), drawn) - cumulative_.begin();
  return page_of_rank_[static_cast<std::size_t>(std::min<std::ptrdiff_t>(rank, load_.pages - 1))];
}

core::Process PagingLoadGenerator::run(int thread) {
  for (;;) {
    const Time began = calendar_.now();
    // Exponential, so that threads do not march in step.
    co_await cpu_.work(random_.exponential(load_.compute));
    for (int i = 0; i < load_.touches; ++i) co_await touch(choose(thread), thread);
    count(calendar_.now() - began, Bytes{0});
  }
}

core::Task<> PagingLoadGenerator::touch(PageTable::Page page, int thread) {
  for (;;) {
    const PageTable::State state = table_.state(page);
    if (state == PageTable::State::resident || state == PageTable::State::leaving) break;
    if (state == PageTable::State::absent) {
      co_await fault(page, thread);
    } else {
      co_await arrival(page);
    }
  }
  table_.touch(page, random_.chance(load_.dirty));
}

core::Task<> PagingLoadGenerator::fault(PageTable::Page page, int thread) {
  count_fault();
  co_await cpu_.work(software_.memory.fault);
  while (table_.free_frames() < load_.readahead && table_.resident_pages() > 0) co_await reclaim(thread);
  while (table_.free_frames() == 0) co_await change();
  if (table_.state(page) != PageTable::State::absent) co_return;  // another thread was faster

  // The window of swap slots around the page's, in order of slots.
  const PageTable::Slot slot = table_.slot(page);
  const PageTable::Slot first = slot - slot % load_.readahead;
  const int longest = load_.join_reads ? longest_run() : 1;
  std::vector<PageTable::Run> runs;
  for (PageTable::Slot near = first; near < first + load_.readahead; ++near) {
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
    co_await device_.submit(std::vector<BlockRequest*>(1, &take_transfer(std::move(run), false, thread)));
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
  std::vector<PageTable::Run> runs = table_.evict(load_.reclaim, longest_run());
  if (runs.empty()) co_return;
  std::vector<BlockRequest*> writes;
  writes.reserve(runs.size());
  for (PageTable::Run& run : runs) writes.push_back(&take_transfer(std::move(run), true, thread));
  co_await cpu_.work(software_.block.submit * static_cast<int>(writes.size()));
  co_await device_.submit(std::move(writes));
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
