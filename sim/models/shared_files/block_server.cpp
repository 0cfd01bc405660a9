#include "models/shared_files/block_server.hpp"

#include <algorithm>
#include <string>

#include "core/join.hpp"

namespace doorbell::model {

BlockServer::BlockServer(core::Calendar& calendar, FluidNetwork& network, SharedFilesNetwork& resources,
                         const SharedFilesScenario& scenario, std::uint64_t seed)
    : calendar_{calendar},
      network_{network},
      scenario_{scenario},
      cpu_{calendar},
      nic_{calendar},
      sram_{calendar, scenario.server.nic.sram.count},
      workers_{calendar, scenario.disks.workers},
      scheduler_{scenario.disks.scheduler, scenario.server.raid.queue, scenario.mount.largest_request,
                 scenario.disks.tunables},
      array_{*this},
      cache_{calendar, array_, scenario.disks.page_cache, scenario.mount.dirty_limit, scenario.mount.largest_request} {
  const StorageServer& server = scenario.server;
  for (int worker = 0; worker < scenario.disks.workers; ++worker) idle_workers_.push_back(worker);
  const SharedFilesRoutes& routes = resources.routes();
  copy_ = resources.add_route(routes.copy_in_server);
  for (std::size_t i = 0; i < static_cast<std::size_t>(server.raid.disks); ++i) {
    disk_routes_.push_back(
        {resources.add_route(routes.from_disk(scenario.disks.path), i), resources.add_route(routes.memory_to_disk, i)});
    disks_.emplace_back(server.raid, core::RandomStream{seed, "disk " + std::to_string(i)});
    heads_.emplace_back(calendar, 1);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(scenario.mount.nodes); ++i) {
    node_routes_.push_back(
        {resources.add_route(routes.to_node(scenario.disks.path), i), resources.add_route(routes.memory_and_node, i)});
    readers_.push_back({0, ReadAhead{scenario.disks.read_ahead},
                        scenario.files.count * ceil_div(scenario.files.size, Bytes{PageCache::page_size})});
  }
}

core::Task<int> BlockServer::take_worker() {
  co_await workers_.acquire();
  const int worker = idle_workers_.front();
  idle_workers_.pop_front();
  co_return worker;
}

void BlockServer::give_back(int worker) {
  idle_workers_.push_back(worker);
  workers_.release();
}

core::Task<> BlockServer::read(int node, std::int64_t offset, Bytes size) {
  co_await core::delay(calendar_, scenario_.server.nic.latency);
  const int worker = co_await take_worker();
  co_await cpu_.use(scenario_.server.cpu.request);
  if (scenario_.disks.path == DataPath::sram) {
    co_await serve_past_memory(worker, node, offset, size);
  } else {
    co_await serve_from_memory(worker, node, offset, size);
  }
  give_back(worker);
  co_await core::delay(calendar_, scenario_.server.nic.latency);
}

core::Task<> BlockServer::serve_from_memory(int worker, int node, std::int64_t offset, Bytes size) {
  if (is_cached()) {
    CachedDevice::Reader& reader = readers_[static_cast<std::size_t>(node)];
    const PageCache::Run touched = PageCache::pages_of(offset, size);
    const PageCache::Page end = touched.first + touched.pages;
    for (PageCache::Page page = touched.first; page < end;) {
      page += co_await cache_.present_from(reader, worker, page, end);
    }
    co_await network_.transfer(copy_, size * 2);  // out of the page cache into a message buffer
  } else {
    co_await access(worker, BlockOperation::read, offset, size);
  }
  co_await send(node_routes_[static_cast<std::size_t>(node)].read, size);
}

core::Task<> BlockServer::serve_past_memory(int worker, int node, std::int64_t offset, Bytes size) {
  co_await sram_.acquire(size.count);
  if (scenario_.disks.synchronized == SynchronizedSend::none) {
    co_await access(worker, BlockOperation::read, offset, size);
    co_await send(node_routes_[static_cast<std::size_t>(node)].read, size);
  } else {
    co_await read_and_send_together(worker, node, offset, size);
  }
  sram_.release(size.count);
}

core::Task<> BlockServer::send(FluidNetwork::Route route, Bytes size) {
  co_await nic_.use(scenario_.server.nic.message);
  co_await network_.transfer(route, size);
}

core::Task<> BlockServer::read_and_send_together(int worker, int node, std::int64_t offset, Bytes size) {
  Access access{calendar_};
  core::Join reading{calendar_};
  reading.start(run(access, worker, BlockOperation::read, offset, size));
  co_await nic_.use(scenario_.server.nic.message);
  while (!access.flows) co_await access.change.wait();
  co_await network_.transfer(node_routes_[static_cast<std::size_t>(node)].read, size);
  co_await reading.all();
  // The last packet of every stream can leave only when it is there.
  const auto streams =
      static_cast<std::int64_t>(std::min<std::size_t>(pieces_of(offset, offset + size.count).size(), disks_.size()));
  const Bytes packets = scenario_.server.nic.packet * streams;
  co_await core::delay(calendar_, transfer_time(std::min(packets, size), scenario_.server.nic.link));
}

core::Task<> BlockServer::write(int node, std::int64_t offset, Bytes size) {
  co_await core::delay(calendar_, scenario_.server.nic.latency);
  const int worker = co_await take_worker();
  co_await send(node_routes_[static_cast<std::size_t>(node)].write, size);
  co_await cpu_.use(scenario_.server.cpu.request);
  if (is_cached()) {
    co_await network_.transfer(copy_, size * 2);
    co_await cache_.write(worker, PageCache::pages_of(offset, size));
  } else {
    co_await access(worker, BlockOperation::write, offset, size);
  }
  give_back(worker);
  co_await core::delay(calendar_, scenario_.server.nic.latency);
}

core::Task<> BlockServer::access(int process, BlockOperation operation, std::int64_t offset, Bytes size) {
  Access access{calendar_};
  co_await run(access, process, operation, offset, size);
}

core::Task<> BlockServer::run(Access& access, int process, BlockOperation operation, std::int64_t offset, Bytes size) {
  const std::uint64_t tag = next_tag_++;
  accesses_[tag] = &access;
  IoRequest request;
  request.submitters.push_back({process, tag});
  request.operation = operation;
  request.begin = offset;
  request.end = offset + size.count;
  request.added = calendar_.now();
  scheduler_.add(std::move(request));
  dispatch();
  while (!access.ended) co_await access.change.wait();
  accesses_.erase(tag);
}

void BlockServer::dispatch() {
  while (std::optional<IoRequest> request = scheduler_.next(calendar_.now())) {
    core::start(calendar_, execute(std::move(*request)));
  }
  held_back_.set(calendar_.now(), scheduler_.waiting() > 0 ? 1 : 0);
  const std::optional<Time> until = scheduler_.idle_until();
  if (!until || idle_planned_) return;
  idle_planned_ = true;
  calendar_.at<&BlockServer::end_idle_wait>(std::max(*until, calendar_.now()), {}, *this);
}

void BlockServer::end_idle_wait(std::uint64_t) {
  idle_planned_ = false;
  dispatch();
}

std::vector<BlockServer::Piece> BlockServer::pieces_of(std::int64_t begin, std::int64_t end) const {
  const std::int64_t chunk = scenario_.server.raid.chunk.count;
  const auto disks = static_cast<std::int64_t>(disks_.size());
  std::vector<Piece> pieces;
  for (std::int64_t at = begin; at < end;) {
    const std::int64_t number = at / chunk;
    const std::int64_t size = std::min(end, (number + 1) * chunk) - at;
    const int disk = static_cast<int>(number % disks);
    const std::int64_t position = number / disks * chunk + at % chunk;
    // A stripe later the same disk goes on where it was: all that belongs to the same command.
    const auto before = std::ranges::find(pieces, disk, &Piece::disk);
    if (before == pieces.end()) {
      pieces.push_back({disk, position, Bytes{size}});
    } else {
      before->size += Bytes{size};
    }
    at += size;
  }
  return pieces;
}

void BlockServer::data_flows(const IoRequest& request) {
  for (const IoRequest::Submitter& submitter : request.submitters) {
    Access& access = *accesses_.at(submitter.tag);
    access.flows = true;
    access.change.notify_all();
  }
}

core::Process BlockServer::execute(IoRequest request) {
  co_await core::delay(calendar_, scenario_.server.raid.command);
  core::Join moving{calendar_};
  for (const Piece& piece : pieces_of(request.begin, request.end)) moving.start(move_piece(request, piece));
  co_await moving.all();
  scheduler_.completed(request, calendar_.now());
  for (const IoRequest::Submitter& submitter : request.submitters) {
    Access& access = *accesses_.at(submitter.tag);
    access.ended = true;
    access.change.notify_all();
  }
  dispatch();
}

core::Task<> BlockServer::move_piece(const IoRequest& request, Piece piece) {
  const auto number = static_cast<std::size_t>(piece.disk);
  co_await heads_[number].acquire();
  Disk& disk = disks_[number];
  const DiskRoutes& routes = disk_routes_[number];
  if (request.operation == BlockOperation::read) {
    const Time ready = disk.read(piece.position, piece.size, calendar_.now());
    // Data moves while the heads pass over it, not before they are there.
    const Time first = ready - transfer_time(piece.size, scenario_.server.raid.media);
    if (first > calendar_.now()) co_await core::until(calendar_, first);
    data_flows(request);
    co_await network_.transfer(routes.read, piece.size);
    if (ready > calendar_.now()) co_await core::until(calendar_, ready);
  } else {
    co_await network_.transfer(routes.write, piece.size);
    const Time written = disk.write(piece.position, piece.size, calendar_.now());
    if (written > calendar_.now()) co_await core::until(calendar_, written);
  }
  heads_[number].release();
}

void BlockServer::preload(PageCache::Run run) {
  if (!is_cached()) return;
  for (PageCache::Page page = run.first; page < run.first + run.pages; ++page) cache_.cache().arrive(page);
}

void BlockServer::measure() {
  cpu_.measure(calendar_.now());
  for (core::TokenPool& heads : heads_) heads.reset_statistics();
  for (core::TokenPool* pool : {&sram_, &workers_}) pool->reset_statistics();
  held_back_.reset(calendar_.now());
  seeks_before_ += seeks();
}

void BlockServer::trace(core::TraceWriter& writer) {
  for (std::size_t i = 0; i < disks_.size(); ++i) disks_[i].trace({&writer, "server", "disk " + std::to_string(i)});
}

double BlockServer::disk_utilisation() const {
  double sum = 0;
  for (const core::TokenPool& heads : heads_) sum += heads.in_use().mean(calendar_.now());
  return sum / static_cast<double>(heads_.size());
}

std::vector<Utilisation> BlockServer::holders() const {
  const Time now = calendar_.now();
  return {{"server/I/O scheduler", held_back_.mean(now), Limit::in_flight},
          {"server/buffers in the NIC's memory", sram_.contended().mean(now), Limit::in_flight},
          {"server/workers", workers_.contended().mean(now), Limit::in_flight}};
}

std::uint64_t BlockServer::seeks() const {
  std::uint64_t sum = 0;
  for (const Disk& disk : disks_) sum += disk.seeks();
  return sum - seeks_before_;
}

}  // namespace doorbell::model
