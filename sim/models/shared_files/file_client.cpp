#include "models/shared_files/file_client.hpp"

#include <algorithm>

#include "core/join.hpp"
#include "core/process.hpp"

namespace doorbell::model {
namespace {

constexpr Bytes page{page_size};

}  // namespace

FileClient::FileClient(core::Calendar& calendar, FluidNetwork& network, const SharedFilesScenario& scenario, int node,
                       Routes routes, BlockServer& server)
    : calendar_{calendar},
      network_{network},
      scenario_{scenario},
      node_{node},
      routes_{routes},
      server_{server},
      cpu_{calendar, scenario.node.cores},
      registration_{calendar, 1},
      depth_{calendar, scenario.mount.depth},
      cache_{calendar, *this, scenario.mount.page_cache, scenario.mount.dirty_limit, scenario.mount.largest_request} {}

std::int64_t FileClient::start_of(std::int64_t file) const {
  return file * ceil_div(scenario_.files.size, page) * page.count;
}

CachedDevice::Reader FileClient::open(int process) const { return {process, ReadAhead{scenario_.mount.read_ahead}, 0}; }

core::Task<> FileClient::read(CachedDevice::Reader& reader, LockManager& locks, std::int64_t file, std::int64_t offset,
                              Bytes size) {
  co_await use_cpu(sums_.process, scenario_.node.call);
  const Time asked = calendar_.now();
  co_await locks.share(node_, file);
  sums_.locks += calendar_.now() - asked;
  if (scenario_.mount.direct) {
    co_await transfer(BlockOperation::read, start_of(file) + offset, size);
  } else {
    reader.end_of_file = start_of(file + 1) / page.count;
    co_await read_cached(reader, start_of(file) + offset, size);
  }
  locks.release(node_, file);
}

core::Task<> FileClient::read_cached(CachedDevice::Reader& reader, std::int64_t begin, Bytes size) {
  const PageCache::Run touched = PageCache::pages_of(begin, size);
  const PageCache::Page end = touched.first + touched.pages;
  for (PageCache::Page at = touched.first; at < end;) {
    const Time needed = calendar_.now();
    const std::int64_t pages = co_await cache_.present_from(reader, reader.process, at, end);
    sums_.pages += calendar_.now() - needed;
    const Bytes before = std::max(page * at, Bytes{begin});
    at += pages;
    co_await use_cpu(sums_.process, scenario_.node.page * pages);
    co_await copy_to_user(std::min(page * at, Bytes{begin} + size) - before, size);
  }
}

core::Task<> FileClient::use_cpu(HeldTime& held, Time time) {
  const Time began = calendar_.now();
  co_await cpu_.acquire();
  co_await core::delay(calendar_, time);
  cpu_.release();
  held.add(for_node_cpu, calendar_.now() - began);
}

core::Task<> FileClient::copy(HeldTime& held, FluidNetwork::Route route, Bytes size) {
  const Time asked = calendar_.now();
  co_await cpu_.acquire();
  const Time began = calendar_.now();
  held.add(for_node_cpu, began - asked);
  const FluidNetwork::Narrowest narrowest = co_await network_.transfer(route, size);
  cpu_.release();
  add_transfer(held, for_resources, narrowest, calendar_.now() - began);
}

core::Task<> FileClient::copy_to_user(Bytes size, Bytes buffer) {
  const bool in_cache = buffer < scenario_.node.cache_of_core;
  co_await copy(sums_.process, in_cache ? routes_.copy_to_cache : routes_.copy, in_cache ? size : size * 2);
}

core::Task<> FileClient::write(int process, LockManager& locks, std::int64_t file, std::int64_t offset, Bytes size) {
  co_await use_cpu(sums_.process, scenario_.node.call);
  const Time asked = calendar_.now();
  co_await locks.own(node_, file);
  sums_.locks += calendar_.now() - asked;
  if (scenario_.mount.direct) {
    co_await transfer(BlockOperation::write, start_of(file) + offset, size);
  } else {
    co_await write_cached(process, file, offset, size);
  }
  locks.release(node_, file);
}

core::Task<> FileClient::write_cached(int process, std::int64_t file, std::int64_t offset, Bytes size) {
  const std::int64_t begin = start_of(file) + offset;
  const PageCache::Run pages = PageCache::pages_of(begin, size);
  co_await use_cpu(sums_.process, scenario_.node.page * pages.pages);
  co_await copy(sums_.process, routes_.copy, size * 2);
  const Time limited = calendar_.now();
  // Behind the end of the file its last page has nothing to keep.
  const bool to_the_end = Bytes{offset} + size >= scenario_.files.size;
  co_await cache_.write(process, begin, to_the_end ? Bytes{start_of(file + 1) - begin} : size);
  sums_.pages += calendar_.now() - limited;
}

core::Task<> FileClient::transfer(BlockOperation operation, std::int64_t offset, Bytes size) {
  core::Join requests{calendar_};
  for (Bytes done; done < size;) {
    const Bytes part = std::min(scenario_.mount.largest_request, size - done);
    requests.start(request(operation, offset + done.count, part));
    done += part;
  }
  co_await requests.all();
}

core::Task<> FileClient::move_data(Bytes size) {
  const ClientNode& node = scenario_.node;
  switch (scenario_.mount.movement) {
    case Movement::scatter_gather: co_return;
    case Movement::staging: co_await copy(sums_.request, routes_.copy, size * 2); co_return;
    case Movement::mapping:
      co_await use_cpu(sums_.request, node.map_page * ceil_div(size, page));
      co_await register_region();
  }
}

/// The core is the driver's, with interrupts disabled, until the NIC goes on.
core::Task<> FileClient::register_region() {
  const Time asked = calendar_.now();
  co_await registration_.acquire();
  const Time taken = calendar_.now();
  sums_.registrations += taken - asked;
  co_await cpu_.acquire();
  const Time began = calendar_.now();
  paused_.set(began, 1);
  co_await core::delay(calendar_, scenario_.node.register_region);
  paused_.set(calendar_.now(), 0);
  cpu_.release();
  registration_.release();
  sums_.registration.add(for_node_cpu, began - taken);
  sums_.registration.add(for_registration, calendar_.now() - began);
}

core::Task<> FileClient::request(BlockOperation operation, std::int64_t offset, Bytes size) {
  const Time asked = calendar_.now();
  co_await depth_.acquire();
  sums_.places += calendar_.now() - asked;
  co_await use_cpu(sums_.request, scenario_.node.request);
  if (operation == BlockOperation::read) {
    co_await server_.read(node_, offset, size);
    co_await move_data(size);
  } else {
    co_await move_data(size);
    co_await server_.write(node_, offset, size);
  }
  depth_.release();
}

core::Task<> FileClient::revoke(std::int64_t file) {
  const PageCache::Run pages{start_of(file) / page.count, ceil_div(scenario_.files.size, page)};
  co_await cache_.give_up(0, pages);
}

void FileClient::preload(PageCache::Run run) {
  for (PageCache::Page at = run.first; at < run.first + run.pages; ++at) cache_.cache().arrive(at);
}

}  // namespace doorbell::model
