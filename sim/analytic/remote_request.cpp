#include "analytic/remote_request.hpp"

#include <algorithm>
#include <cmath>

#include "analytic/remote_memory_programs.hpp"
#include "models/nic/doorbell_post.hpp"
#include "models/remote_loads/make_load.hpp"

namespace doorbell::analytic {

using namespace model;

namespace {

bool in_order(const RemoteMemoryScenario& scenario) {
  if (scenario.block) return scenario.block->order == AccessOrder::sequential;
  return scenario.files || (scenario.paging && scenario.paging->order == AccessOrder::sequential);
}

/// On average over requests in no order.
Seconds searching(const RemoteMemoryScenario& scenario, DiskUse use) {
  const LocalDiskParameters& disk = *scenario.hardware.disk;
  const auto all = static_cast<double>(extent_of(scenario).count);
  const Seconds rotation{disk.mechanics.mean_rotation()};
  if (use == DiskUse::alone) {
    const double share = std::min(1.0, all / static_cast<double>(disk.mechanics.capacity.count));
    const Seconds track{disk.mechanics.track_seek};
    return track + (Seconds{disk.mechanics.average_seek} - track) * std::sqrt(share) + rotation;
  }
  const double buffered = static_cast<double>(disk.read_ahead.count) * 2 * disk.mechanics.segments +
                          static_cast<double>(disk.mechanics.write_cache.count);
  return (Seconds{disk.mechanics.track_seek} + rotation) * std::max(0.0, 1 - buffered / all);
}

}  // namespace

Seconds disk_service(const RemoteMemoryScenario& scenario, bool write, Bytes size, DiskUse use) {
  const LocalDiskParameters& disk = *scenario.hardware.disk;
  const bool joined = use == DiskUse::joined;
  const double sharing =
      joined ? std::max(1.0, static_cast<double>(disk.largest_request.count) / static_cast<double>(size.count)) : 1;
  // While it serves one command it takes the next ones.
  const double held = joined ? disk.mechanics.queue_depth : 1;
  const Seconds command = Seconds{disk.command} / (sharing * held);
  if (write && size <= disk.mechanics.write_cache) return command;
  const Seconds moving{transfer_time(size, disk.media)};
  if (!in_order(scenario)) return command + moving + searching(scenario, use);
  if (write || disk.read_ahead == Bytes{0}) return command + moving;
  return joined ? std::max(command, moving) : command;
}

Seconds disk_service(const RemoteMemoryScenario& scenario, const DeviceTraffic& traffic) {
  Seconds busy{0};
  for (const bool write : {false, true}) {
    const Requests& one = write ? traffic.writes : traffic.reads;
    busy += disk_service(scenario, write, one.wqe_size(), DiskUse::joined) * (one.requests / one.merged * one.to_disk);
  }
  return busy;
}

Seconds RemoteRequest::shortest_way() const {
  Seconds shortest = Seconds::max();
  for (const bool write : {false, true}) {
    const Requests& requests = of(write);
    if (requests.requests > 0) shortest = std::min(shortest, way(write, requests.size));
  }
  return shortest - software_.posted_alone();
}

/// From the CQE until its handler has taken it.
Latency RemoteRequest::noticed() const {
  const Seconds taken{driver().poll + scenario_.hardware.cpu.poll_cqe};
  if (software_.polls_for_ever()) return {taken, Seconds{driver().poll} / 2};
  if (awake_) return {taken, Seconds{0}};
  return {taken + software_.interrupt(), Seconds{driver().interrupt_latency}};
}

Timeline RemoteRequest::timeline(Verb verb, Bytes payload) const {
  Operation operation = doorbell_operation(verb, payload, 1);
  operation.signal_every = 1;
  const HardwareProfile& host = scenario_.hardware;
  return unloaded_timeline(make_path(operation, host, peer_), host, peer_, scenario_.fabric);
}

/// From the begin of a post until the CQE. Daemons have cores of their own.
Seconds RemoteRequest::way(bool write, Bytes size) const {
  const Timeline request = timeline(verb_of(access_, write), sent(access_, write, size));
  if (access_.protocol == Protocol::one_sided) return Seconds{request.completed};
  const Latency seen = noticed();
  return Seconds{request.visible} + seen.software + seen.hardware + software_.answering_one(size) +
         Seconds{scenario_.software.daemon.delay} + Seconds{timeline(Verb::send, answered(write, size)).visible};
}

Latency RemoteRequest::at_device(bool write, Bytes size) const {
  const Seconds passing = Seconds{scenario_.software.lock.transfer} * (software_.queues() ? 2 : 0);
  const Latency remote = Latency{software_.entering(write, size), passing + way(write, size)} + noticed() +
                         Latency{software_.ending(write, size), Seconds{0}};
  // A copy on the disk takes so long that the machines' answers have come before.
  return remote * (1 - of(write).to_disk) + on_disk(write, size) * of(write).to_disk;
}

Latency RemoteRequest::on_disk(bool write, Bytes size) const {
  if (!scenario_.hardware.disk) return {};
  const Seconds notice = software_.interrupt() + Seconds{driver().interrupt_latency + driver().poll};
  return {notice + Seconds{scenario_.software.block.finish}, disk_service(scenario_, write, size, disk_)};
}

Latency RemoteRequest::at_device() const {
  Latency all;
  for (const bool write : {false, true}) {
    if (of(write).requests > 0) all = all + at_device(write) * of(write).requests;
  }
  return all;
}

}  // namespace doorbell::analytic
