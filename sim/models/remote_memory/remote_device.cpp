#include "models/remote_memory/remote_device.hpp"

#include <algorithm>
#include <limits>

#include "models/nic/doorbell_post.hpp"

namespace doorbell::model {

RemoteDevice::RemoteDevice(core::Calendar& calendar, MessagePool& pool, const DeviceSetup& setup, HostCpu& cpu,
                           Machine& client, std::vector<Machine*> servers, core::RandomStream disk)
    : calendar_{calendar},
      pool_{pool},
      setup_{setup},
      access_{setup.access},
      data_{placement_of(setup.access), setup.software.memory},
      cpu_{cpu},
      machine_{client},
      servers_{std::move(servers)} {
  build_channels();
  if (uses_disk(access_)) build_disk(disk);
}

void RemoteDevice::build_channels() {
  const int pairs = access_.peers * access_.queue_pairs;
  for (int i = 0; i < completion_queues(access_); ++i) {
    completion_queues_.push_back(std::make_unique<CompletionQueue>(calendar_, cpu_, setup_, access_.completion, *this));
  }
  for (int i = 0; i < pairs; ++i) {
    auto channel = std::make_unique<Channel>();
    machine_.open(channel->pair, *this, static_cast<std::size_t>(i));
    channel->lock = std::make_unique<TicketLock>(calendar_, setup_.software.lock);
    channel->queue = completion_queues_[static_cast<std::size_t>(i) % completion_queues_.size()].get();
    channels_.push_back(std::move(channel));
  }
}

void RemoteDevice::build_disk(core::RandomStream random) {
  const CompletionHandling interrupts{.mode = CompletionMode::event_batch};
  disk_completions_ = std::make_unique<CompletionQueue>(calendar_, cpu_, setup_, interrupts, *this);
  disk_ = std::make_unique<LocalDisk>(calendar_, setup_.host.disk.value(), random, [this](std::uint64_t flight) {
    disk_completions_->push(calendar_.now(), flight);
  });
}

void RemoteDevice::start() {
  for (auto& queue : completion_queues_) queue->start();
  if (disk_completions_) disk_completions_->start();
}

void RemoteDevice::trace(core::TraceWriter& writer, std::string_view machine) {
  operations_in_flight_.trace({&writer, machine, "operations in flight"}, "operations in flight");
  bytes_in_flight_.trace({&writer, machine, "bytes in flight"}, "bytes in flight");
  if (disk_) disk_->trace({&writer, machine, "disk"});
}

const OperationPlan& RemoteDevice::plan_of(Verb verb, Bytes payload, bool chained) {
  const auto [place, is_new] = plans_.try_emplace(PlanKey{verb, payload.count, chained});
  if (is_new) {
    const Operation operation = doorbell_operation(verb, payload, chained ? access_.chain : 1);
    place->second = make_plan(operation, setup_.host, setup_.peer);
  }
  return place->second;
}

bool RemoteDevice::window_is_full() const { return access_.window.count > 0 && bytes_sent_ >= access_.window.count; }

core::Task<> RemoteDevice::submit(std::vector<BlockRequest*> requests, Submitter by) {
  for (BlockRequest* request : requests) {
    request->peer = peer_of(request->offset);
    operations_in_flight_.add(calendar_.now(), 1);
  }
  if (!queues()) {
    for (BlockRequest* request : requests) {
      std::vector<WorkRequest> alone;
      alone.push_back({request->offset, request->size, {request}});
      begin_flight(request->size);
      co_await send(std::move(alone), {by, request->thread});
    }
    co_return;
  }
  const bool write = requests.front()->write;
  const int thread = requests.front()->thread;
  const auto accesses = static_cast<int>(requests.size());
  co_await reach_merge_queue(write, accesses, by);
  for (BlockRequest* request : requests) {
    request->queued = calendar_.now();
    merge_queues_[write ? 1 : 0].push(*request);
  }
  // Others may take them until this thread is done with queueing them and looks.
  co_await by.work(setup_.software.block.merge_check * accesses);
  co_await drain(write ? 1 : 0, {by, thread});
}

/// The queue is lock-free: an access takes its cache line away from the core that had it, and waits for those before.
core::Task<> RemoteDevice::reach_merge_queue(bool write, int accesses, Submitter by) {
  core::FifoServer& line = merge_lines_[write ? 1 : 0];
  by.spin(1);
  co_await core::until(calendar_, line.reserve(calendar_.now(), setup_.software.lock.transfer * accesses));
  by.spin(-1);
}

/// Reads and writes have a queue each and share one window: where room opens, who has waited longest goes first, or the
/// direction that fills the window would leave the other none.
std::optional<std::size_t> RemoteDevice::next_direction(std::size_t own) const {
  if (window_is_full()) return std::nullopt;
  const auto& [reads, writes] = merge_queues_;
  if (access_.window.count == 0) return merge_queues_[own].empty() ? std::nullopt : std::optional{own};
  if (reads.empty() && writes.empty()) return std::nullopt;
  if (reads.empty() || writes.empty()) return reads.empty() ? 1U : 0U;
  return writes.front().queued < reads.front().queued ? 1U : 0U;
}

core::Task<> RemoteDevice::drain(std::size_t own, Sender sender) {
  while (const std::optional<std::size_t> direction = next_direction(own)) {
    const bool write = *direction == 1;
    std::vector<WorkRequest> list;
    // What others add while this thread takes one request after another comes along.
    while (take_next(write, list)) {
      co_await reach_merge_queue(write, 1, sender.by);
      co_await sender.by.work(setup_.software.block.merge_check);
    }
    co_await send(std::move(list), sender);
  }
}

bool RemoteDevice::take_next(bool write, std::vector<WorkRequest>& batch) {
  MergeQueue& queue = merge_queues_[write ? 1 : 0];
  if (queue.empty()) return false;
  BatchLimits limits{.wqes = access_.chain,
                     .bytes = Bytes{std::numeric_limits<std::int64_t>::max()},
                     .merge = access_.batching == Batching::merge || access_.batching == Batching::hybrid,
                     .largest = access_.largest_merge};
  if (access_.window.count > 0) {
    std::int64_t of_others = bytes_sent_;
    for (const WorkRequest& work : batch) of_others -= work.size.count;
    limits.bytes = access_.window - Bytes{of_others};
    // A window that has opened lets one whole WQE through, or nothing that waits would ever be merged.
    if (limits.merge) limits.bytes = std::max(limits.bytes, access_.largest_merge);
  }
  const Bytes size = queue.front().size;
  if (!queue.take(batch, limits)) return false;
  begin_flight(size);
  return true;
}

void RemoteDevice::begin_flight(Bytes size) {
  bytes_sent_ += size.count;
  bytes_in_flight_.add(calendar_.now(), size.count);
}

core::Task<> RemoteDevice::send(std::vector<WorkRequest> list, Sender sender) {
  const bool write = list.front().requests.front()->write;
  const int peer = list.front().requests.front()->peer;
  std::vector<int> targets = holders_of(access_, peer);
  const bool to_disk = targets.empty() || (write && access_.copy_on_disk);
  if (!write && !targets.empty()) targets.resize(1);
  if (!targets.empty()) {
    Time preparing{0};
    for (const WorkRequest& work : list) preparing += data_.before(work.size, write);
    co_await sender.by.work(preparing);
  }
  const int copies = static_cast<int>(targets.size()) + (to_disk ? 1 : 0);
  for (const WorkRequest& work : list) {
    for (BlockRequest* request : work.requests) request->pending += copies;
  }
  if (to_disk) {
    for (const WorkRequest& work : list) send_to_disk(work, write);
  }
  const bool chains = access_.batching == Batching::doorbell || access_.batching == Batching::hybrid;
  for (const int target : targets) {
    if (chains) {
      co_await post(list, target, sender);
    } else {
      for (const WorkRequest& work : list) co_await post(std::vector<WorkRequest>(1, work), target, sender);
    }
  }
}

void RemoteDevice::send_to_disk(WorkRequest work, bool write) {
  const std::int64_t offset = work.offset;
  const Bytes size = work.size;
  const std::uint64_t flight = next_flight_++;
  flights_.emplace(flight, Flight{std::move(work), calendar_.now(), write, true});
  disk_->submit(offset, size, write, flight);
}

core::Task<> RemoteDevice::post(std::vector<WorkRequest> list, int peer, Sender sender) {
  const bool write = list.front().requests.front()->write;
  const bool two_sided = access_.protocol == Protocol::two_sided;
  const bool chained = list.size() > 1;
  const auto pairs = static_cast<std::size_t>(access_.queue_pairs);
  const std::size_t index = static_cast<std::size_t>(peer) * pairs + static_cast<std::size_t>(sender.thread) % pairs;
  Channel& channel = *channels_[index];
  const auto plan_for = [&](const WorkRequest& work) -> const OperationPlan& {
    if (two_sided) return plan_of(Verb::send, write ? work.size + two_sided_header : two_sided_header, chained);
    return plan_of(write ? Verb::write : Verb::read, work.size, chained);
  };
  const OperationPlan& first = plan_for(list.front());
  const int wqes = static_cast<int>(list.size());

  co_await channel.lock->acquire(sender.by);
  co_await sender.by.work(setup_.software.driver.post + first.core_per_call + first.core_per_wqe * wqes);
  for (WorkRequest& work : list) {
    Message* message = pool_.take();
    message->plan = &plan_for(work);
    message->queue_pair = &channel.pair;
    message->responder = &servers_[static_cast<std::size_t>(peer)]->nic();
    message->responder_port = message->responder->facing(channel.pair.port);
    message->destination = two_sided ? daemons_[static_cast<std::size_t>(peer)] : nullptr;
    message->signaled = !two_sided;
    message->posted = calendar_.now();
    message->flight = next_flight_;
    // What an answer must bring back, for the daemon.
    message->answer_size = two_sided && !write ? work.size + two_sided_header : two_sided_header;
    channel.pair.append(message);
    ++(write ? writes_ : reads_);
    flights_.emplace(next_flight_++, Flight{std::move(work), calendar_.now(), write});
  }
  ring_doorbell(channel.pair, first, wqes, calendar_.now());
  channel.lock->release();
}

/// Answers come on the queue pair on which the request went.
void RemoteDevice::push_completion(const Message& message) {
  flights_.at(message.flight).done = message.visible;
  channels_[message.queue_pair->source]->queue->push(message.visible, message.flight);
}

void RemoteDevice::deliver(Message& message) {
  push_completion(message);
  pool_.give_back(&message);
}

void RemoteDevice::transmitted(const Message&, Time) {}

void RemoteDevice::completed(Message& message) {
  if (message.signaled) push_completion(message);
  pool_.give_back(&message);
}

void RemoteDevice::completion_written(QueuePair& queue_pair) {
  while (!queue_pair.completions.empty()) (void)queue_pair.completions.pop();
}

core::Task<> RemoteDevice::consume(std::uint64_t completion) {
  auto found = flights_.extract(completion);
  Flight& flight = found.mapped();
  const WorkRequest& work = flight.work;
  if (!flight.to_disk) completion_time_.add(calendar_.now() - flight.posted);
  Time handling = setup_.software.block.finish * static_cast<int>(work.requests.size());
  if (!flight.write && !flight.to_disk) handling += data_.after_read(work.size);
  co_await cpu_.work(handling);
  const bool last = --work.requests.front()->pending == 0;
  for (std::size_t i = 1; i < work.requests.size(); ++i) --work.requests[i]->pending;
  if (!last) co_return;
  bytes_sent_ -= work.size.count;
  if (!flight.to_disk) {
    byte_seconds_done_ +=
        static_cast<double>(work.size.count) * to_seconds(calendar_.now() - std::max(flight.done, measured_from_));
  }
  bytes_in_flight_.add(calendar_.now(), -work.size.count);
  operations_in_flight_.add(calendar_.now(), -static_cast<std::int64_t>(work.requests.size()));
  for (BlockRequest* request : work.requests) co_await request->client->finished(*request);
}

core::Task<> RemoteDevice::round_over() {
  if (access_.window.count == 0) co_return;
  // What waited for the window goes out in one batch per round.
  const std::optional<std::size_t> direction = next_direction(0);
  if (direction) co_await drain(*direction, {Submitter{cpu_}, merge_queues_[*direction].front().thread});
}

double RemoteDevice::handler_utilisation(Time measured) const {
  return busiest_utilisation(completion_queues_, measured);
}

double RemoteDevice::share_done(Time now) const {
  const double all = bytes_in_flight_.mean(now) * to_seconds(now - measured_from_);
  return all > 0 ? byte_seconds_done_ / all : 0;
}

void RemoteDevice::measure() {
  for (auto& queue : completion_queues_) queue->measure();
  if (disk_) disk_->measure(calendar_.now());
  reads_ = 0;
  writes_ = 0;
  operations_in_flight_.reset(calendar_.now());
  bytes_in_flight_.reset(calendar_.now());
  measured_from_ = calendar_.now();
  byte_seconds_done_ = 0;
  completion_time_.reset();
}

}  // namespace doorbell::model
