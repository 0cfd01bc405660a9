#include "models/shared_files/block_server.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/join.hpp"

namespace doorbell::model {

BlockServer::BlockServer(core::Calendar& calendar, FluidNetwork& network, SharedFilesNetwork& resources,
                         const SharedFilesScenario& scenario, std::uint64_t seed)
    : calendar_{calendar},
      network_{network},
      scenario_{scenario},
      cpu_{calendar, 1},
      nic_{calendar},
      sram_{calendar, scenario.server.nic.sram.count},
      workers_{calendar, scenario.disks.workers},
      scheduler_{scenario.disks.scheduler, scenario.server.raid.queue, scenario.mount.largest_request,
                 scenario.disks.tunables},
      array_{*this},
      cache_{calendar, array_, scenario.disks.page_cache, scenario.mount.dirty_limit, scenario.mount.largest_request} {
  const StorageServer& server = scenario.server;
  working_for_.resize(static_cast<std::size_t>(server.raid.disks) + 1);
  for (int worker = 0; worker < scenario.disks.workers; ++worker) idle_workers_.push_back(worker);
  const SharedFilesRoutes& routes = resources.routes();
  copy_ = resources.add_route(routes.copy_in_server);
  for (std::size_t i = 0; i < static_cast<std::size_t>(server.raid.disks); ++i) {
    disk_routes_.push_back(
        {resources.add_route(routes.from_disk(scenario.disks.path), i), resources.add_route(routes.memory_to_disk, i)});
    disks_.emplace_back(server.raid, core::RandomStream{seed, "disk " + std::to_string(i)});
  }
  for (Disk& disk : disks_) heads_.emplace_back(calendar, disk, server.raid.mechanics.queue_depth);
  for (std::size_t i = 0; i < static_cast<std::size_t>(scenario.mount.nodes); ++i) {
    node_routes_.push_back(
        {resources.add_route(routes.to_node(scenario.disks.path), i), resources.add_route(routes.memory_and_node, i)});
    readers_.push_back({0, ReadAhead{scenario.disks.read_ahead},
                        scenario.files.count * ceil_div(scenario.files.size, Bytes{page_size})});
  }
}

core::Task<int> BlockServer::take_worker() {
  const Time asked = calendar_.now();
  co_await workers_.acquire();
  sums_.workers += calendar_.now() - asked;
  sums_.latency += scenario_.server.nic.latency * 2;
  const int worker = idle_workers_.front();
  idle_workers_.pop_front();
  co_return worker;
}

void BlockServer::give_back(int worker) {
  idle_workers_.push_back(worker);
  workers_.release();
}

core::Task<> BlockServer::use_cpu() {
  const Time began = calendar_.now();
  co_await cpu_.acquire();
  co_await core::delay(calendar_, scenario_.server.cpu.request);
  cpu_.release();
  sums_.worker.add(for_server_cpu, calendar_.now() - began);
}

core::Task<> BlockServer::copy(Bytes size) {
  const Time asked = calendar_.now();
  co_await cpu_.acquire();
  const Time began = calendar_.now();
  sums_.worker.add(for_server_cpu, began - asked);
  const FluidNetwork::Narrowest narrowest = co_await network_.transfer(copy_, size * 2);
  cpu_.release();
  add_transfer(sums_.worker, for_resources, narrowest, calendar_.now() - began);
}

core::Task<> BlockServer::read(int node, std::int64_t offset, Bytes size) {
  co_await core::delay(calendar_, scenario_.server.nic.latency);
  const int worker = co_await take_worker();
  co_await use_cpu();
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
      const Time asked = calendar_.now();
      page += co_await cache_.present_from(reader, worker, page, end);
      sums_.pages += calendar_.now() - asked;
    }
    co_await copy(size);  // out of the page cache into a message buffer
  } else {
    co_await access(worker, BlockOperation::read, offset, size);
  }
  co_await send(node_routes_[static_cast<std::size_t>(node)].read, size, sums_.worker);
}

core::Task<> BlockServer::serve_past_memory(int worker, int node, std::int64_t offset, Bytes size) {
  const Time asked = calendar_.now();
  co_await sram_.acquire(size.count);
  sums_.buffers += calendar_.now() - asked;
  full_.set(calendar_.now(), sram_.free() < size.count ? 1 : 0);
  if (scenario_.disks.synchronized == SynchronizedSend::none) {
    co_await access(worker, BlockOperation::read, offset, size);
    co_await send(node_routes_[static_cast<std::size_t>(node)].read, size, sums_.buffer);
  } else {
    co_await read_and_send_together(worker, node, offset, size);
  }
  sram_.release(size.count);
  full_.set(calendar_.now(), sram_.free() < size.count ? 1 : 0);
}

core::Task<> BlockServer::send(FluidNetwork::Route route, Bytes size, HeldTime& sum) {
  const Time began = calendar_.now();
  co_await nic_.use(scenario_.server.nic.message);
  const Time flows = calendar_.now();
  sum.add(for_messages, flows - began);
  const FluidNetwork::Narrowest narrowest = co_await network_.transfer(route, size);
  add_transfer(sum, for_resources, narrowest, calendar_.now() - flows);
}

core::Task<> BlockServer::read_and_send_together(int worker, int node, std::int64_t offset, Bytes size) {
  Access access{calendar_};
  core::Join reading{calendar_};
  reading.start(run(access, worker, BlockOperation::read, offset, size));
  co_await nic_.use(scenario_.server.nic.message);
  while (!access.flows) co_await access.change.wait();
  const FluidNetwork::Narrowest narrowest =
      co_await network_.transfer(node_routes_[static_cast<std::size_t>(node)].read, size);
  const Time sent = calendar_.now();
  co_await reading.all();
  // The last packet of every stream can leave only when it is there.
  const auto streams =
      static_cast<std::int64_t>(std::min<std::size_t>(pieces_of(offset, offset + size.count).size(), disks_.size()));
  const Bytes packets = scenario_.server.nic.packet * streams;
  co_await core::delay(calendar_, transfer_time(std::min(packets, size), scenario_.server.nic.link));
  // Of reading and sending at the same time, the one that ends last takes the time.
  const bool sending = sent > access.end;
  if (sending) sums_.buffer.take_off(access.data);
  add_transfer(sums_.buffer, for_resources, narrowest, calendar_.now() - (sending ? access.data_from : access.end));
}

core::Task<> BlockServer::write(int node, std::int64_t offset, Bytes size) {
  co_await core::delay(calendar_, scenario_.server.nic.latency);
  const int worker = co_await take_worker();
  co_await send(node_routes_[static_cast<std::size_t>(node)].write, size, sums_.worker);
  co_await use_cpu();
  if (is_cached()) {
    co_await copy(size);
    const Time asked = calendar_.now();
    co_await cache_.write(worker, offset, size);
    sums_.pages += calendar_.now() - asked;
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
  access.added = calendar_.now();
  access.idle_before = idle_until_now();
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
  const Time now = calendar_.now();
  const bool waits = scheduler_.waiting() > 0;
  held_back_.set(now, waits ? 1 : 0);
  idle_ = idle_until_now();
  idle_since_ = now;
  idles_.set(now, waits && scheduler_.in_flight() == 0 ? 1 : 0);
  in_turn_.set(now, waits || scheduler_.in_flight() > 0 ? 1 : 0);
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

Time BlockServer::idle_until_now() const {
  return idle_ + (idles_.level() > 0 ? calendar_.now() - idle_since_ : Time{0});
}

core::Process BlockServer::execute(IoRequest request) {
  const Time began = calendar_.now();
  for (const IoRequest::Submitter& submitter : request.submitters) {
    const Access& access = *accesses_.at(submitter.tag);
    const Time idle = idle_until_now() - access.idle_before;
    sums_.idle += idle;
    sums_.queued += began - access.added - idle;
  }
  co_await core::delay(calendar_, scenario_.server.raid.command);
  core::Join moving{calendar_};
  Passed last;
  const std::vector<Piece> pieces = pieces_of(request.begin, request.end);
  for (const Piece& piece : pieces) moving.start(move_piece(request, piece, last));
  co_await moving.all();
  last.at_disk.add(for_commands, scenario_.server.raid.command);
  for (std::size_t i = 0; i < request.submitters.size(); ++i) {
    sums_.array.add(last.at_disk);
    sums_.heads += last.heads;
  }
  sums_.accesses += 1;
  sums_.pieces += static_cast<double>(pieces.size());
  scheduler_.completed(request, calendar_.now());
  for (const IoRequest::Submitter& submitter : request.submitters) {
    Access& access = *accesses_.at(submitter.tag);
    access.ended = true;
    access.end = calendar_.now();
    access.data = last.data;
    access.data_from = last.data_from;
    access.change.notify_all();
  }
  dispatch();
}

void BlockServer::count_working(int change) {
  working_for_[static_cast<std::size_t>(working_)] += calendar_.now() - working_since_;
  working_since_ = calendar_.now();
  working_ += change;
}

core::Task<> BlockServer::move_piece(const IoRequest& request, Piece piece, Passed& last) {
  const auto number = static_cast<std::size_t>(piece.disk);
  Passed passed;
  const DiskRoutes& routes = disk_routes_[number];
  if (request.operation == BlockOperation::write) {
    // Into the disk's buffer, while the heads may still be busy with earlier ones.
    const Time flows = calendar_.now();
    const FluidNetwork::Narrowest narrowest = co_await network_.transfer(routes.write, piece.size);
    add_transfer(passed.at_disk, for_resources, narrowest, calendar_.now() - flows);
  }
  const Time asked = calendar_.now();
  DiskCommand command{.operation = request.operation, .position = piece.position, .size = piece.size, .asked = asked};
  co_await heads_[number].turn(command);
  const Time began = calendar_.now();
  passed.heads = began - asked;
  count_working(1);
  Disk& disk = disks_[number];
  if (request.operation == BlockOperation::read) {
    const Time ready = disk.serve(command, began);
    // Data moves while the heads pass over it, not before they are there.
    const Time first = ready - transfer_time(piece.size, scenario_.server.raid.media);
    if (first > began) co_await core::until(calendar_, first);
    data_flows(request);
    const Time flows = calendar_.now();
    const FluidNetwork::Narrowest narrowest = co_await network_.transfer(routes.read, piece.size);
    if (ready > calendar_.now()) {
      co_await core::until(calendar_, ready);
      passed.data.add(for_disks, ready - flows);
    } else {
      add_transfer(passed.data, for_resources, narrowest, calendar_.now() - flows);
    }
    passed.data_from = flows;
    passed.at_disk = passed.data;
    passed.at_disk.add(for_disks, flows - began);
  } else {
    const Time written = disk.serve(command, began);
    if (written > began) co_await core::until(calendar_, written);
    passed.at_disk.add(for_disks, calendar_.now() - began);
  }
  count_working(-1);
  heads_[number].done();
  last = std::move(passed);
}

void BlockServer::preload(PageCache::Run run) {
  if (!is_cached()) return;
  for (PageCache::Page page = run.first; page < run.first + run.pages; ++page) cache_.cache().arrive(page);
}

void BlockServer::measure() {
  cpu_.reset_statistics();
  for (DiskQueue& heads : heads_) heads.reset_statistics();
  for (Disk& disk : disks_) disk.measure(calendar_.now());
  for (core::TokenPool* pool : {&sram_, &workers_}) pool->reset_statistics();
  for (core::TimeWeighted* level : {&held_back_, &idles_, &in_turn_, &full_}) level->reset(calendar_.now());
  sums_ = {};
  working_since_ = calendar_.now();
  std::ranges::fill(working_for_, Time{0});
  seeks_before_ += seeks();
}

void BlockServer::trace(core::TraceWriter& writer) {
  for (std::size_t i = 0; i < disks_.size(); ++i) disks_[i].trace({&writer, "server", "disk " + std::to_string(i)});
}

double BlockServer::disk_utilisation() const {
  double sum = 0;
  for (const DiskQueue& heads : heads_) sum += heads.in_use().mean(calendar_.now());
  for (const Disk& disk : disks_) sum += disk.behind_commands(calendar_.now());
  return sum / static_cast<double>(heads_.size());
}

std::uint64_t BlockServer::seeks() const {
  std::uint64_t sum = 0;
  for (const Disk& disk : disks_) sum += disk.seeks();
  return sum - seeks_before_;
}

}  // namespace doorbell::model
