#include "models/shared_files/block_server.hpp"

#include <algorithm>

namespace doorbell::model {

double BlockServer::disks_taken() const {
  if (sums_.accesses <= 0) return 0;
  const double needed = sums_.pieces / sums_.accesses;
  const auto disks = static_cast<double>(disks_.size());
  double taken = 0;
  double all = 0;
  for (std::size_t working = 0; working < working_for_.size(); ++working) {
    const bool still = working == static_cast<std::size_t>(working_);
    const Time since = still ? calendar_.now() - working_since_ : Time{0};
    const double seconds = to_seconds(working_for_[working] + since);
    // The chance that none of those needed is among those at work, disk by disk.
    double free = 1;
    for (std::size_t i = 0; i < working; ++i) {
      free *= std::max(0.0, 1 - needed / (disks - static_cast<double>(i)));
    }
    all += seconds;
    taken += seconds * (1 - free);
  }
  return all > 0 ? taken / all : 0;
}

BlockServer::Held BlockServer::held(Queueing queueing) const {
  Held held;
  held.array.add(sums_.array);
  held.array.add_wait(sums_.array, to_seconds(sums_.heads));
  held.queued = held.array;
  if (queueing == Queueing::for_turns) {
    held.queued.add(for_scheduler, sums_.queued);
  } else {
    held.queued.add_wait(held.array, to_seconds(sums_.queued));
  }
  held.queued.add(for_scheduler, sums_.idle);
  const bool buffered = scenario_.disks.path == DataPath::sram;
  held.buffer = sums_.buffer;
  if (buffered) held.buffer.add(held.queued);
  held.worker = sums_.worker;
  held.worker.add(held.buffer);
  held.worker.add_wait(held.buffer, to_seconds(sums_.buffers));
  if (is_cached()) {
    held.worker.add_wait(held.queued, to_seconds(sums_.pages));
  } else if (!buffered) {
    held.worker.add(held.queued);
  }
  held.request = held.worker;
  held.request.add_wait(held.worker, to_seconds(sums_.workers));
  held.request.add(for_latency, sums_.latency);
  return held;
}

std::vector<Utilisation> BlockServer::holders() const {
  const Time now = calendar_.now();
  const Limit turns = takes_turns() ? Limit::scheduler : Limit::in_flight;
  return {{"server/I/O scheduler", held_back_.mean(now), turns},
          {"server/buffers in the NIC's memory", sram_.contended().mean(now), Limit::in_flight},
          {"server/workers", workers_.contended().mean(now), Limit::in_flight}};
}

}  // namespace doorbell::model
