#include "models/nic/atomic_unit.hpp"

#include <algorithm>
#include <utility>

#include "models/nic/queue_pair.hpp"
#include "models/nic/rdma_nic.hpp"

namespace doorbell::model {

AtomicUnit::AtomicUnit(core::Calendar& calendar, RdmaNic& nic, const AtomicParameters& parameters)
    : calendar_{calendar},
      nic_{nic},
      mask_{(std::uint64_t{1} << parameters.address_bits) - 1},
      queue_{static_cast<std::size_t>(parameters.queue)},
      engines_(static_cast<std::size_t>(parameters.engines)) {}

AtomicUnit::Lock& AtomicUnit::lock_of(const Message& message) {
  // Most NICs of a scenario execute no atomics, and the locks of one may be millions.
  if (locks_.empty()) locks_.resize(static_cast<std::size_t>(mask_ + 1));
  return locks_[static_cast<std::uint64_t>(message.address) & mask_];
}

std::uint32_t AtomicUnit::engine_of(const Message& message) {
  // Not by the requester's number: queue pairs of many machines would have the same.
  std::optional<std::uint32_t>& number = message.queue_pair->met;
  if (!number) number = queue_pairs_++;
  return static_cast<std::uint32_t>(*number % engines_.size());
}

bool AtomicUnit::submit(Message& message) {
  if (engines_.empty()) {
    start(message);
    return false;
  }
  const std::uint32_t index = engine_of(message);
  Engine& engine = engines_[index];
  if (engine.queue.size() >= queue_) {
    at_the_door_ = &message;
    full_.set(calendar_.now(), 1);
    return false;
  }
  engine.queue.push(&message);
  queued_.add(calendar_.now(), 1);
  if (!engine.waiting) advance(index);
  return true;
}

void AtomicUnit::advance(std::uint32_t index) {
  Engine& engine = engines_[index];
  engine.waiting = false;
  engine.used = true;
  while (!engine.queue.empty() && !engine.waiting) {
    Message& message = *engine.queue.front();
    Lock& lock = lock_of(message);
    if (lock.taken) {
      lock.waiting.push(index);
      engine.waiting = true;
    } else {
      engine.queue.pop();
      queued_.add(calendar_.now(), -1);
      start(message);
    }
  }
  engine.waits.set(calendar_.now(), engine.waiting ? 1 : 0);
}

void AtomicUnit::start(Message& message) {
  Lock& lock = lock_of(message);
  lock.taken = true;
  lock.used = true;
  lock.taken_at = calendar_.now();
  struct Resume {
    static void call(void* self, std::uint64_t pointer) {
      static_cast<AtomicUnit*>(self)->read_done(*reinterpret_cast<Message*>(pointer));
    }
  };
  const DmaReadCost& read = *message.plan->remote_read;
  if (engines_.empty()) {
    const Time round_trip = read.request + read.latency + read.completion + nic_.dma().latency() * 2;
    nic_.hold_back(std::max(Time{0}, round_trip - message.plan->reply.transmit));
  }
  nic_.dma().read(read, {&Resume::call, this, static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(&message))});
}

void AtomicUnit::read_done(Message& message) {
  nic_.dma().write(*message.plan->remote_write);
  Lock& lock = lock_of(message);
  lock.taken = false;
  lock.held += calendar_.now() - std::max(lock.taken_at, from_);
  nic_.respond(message);
  if (engines_.empty()) {
    nic_.resume_receiving(true);
    return;
  }
  if (!lock.waiting.empty()) advance(lock.waiting.pop());
  if (at_the_door_ != nullptr && engines_[engine_of(*at_the_door_)].queue.size() < queue_) {
    full_.set(calendar_.now(), 0);
    // Whoever resumes the pipeline must find the door free: the next request may need it at once.
    if (submit(*std::exchange(at_the_door_, nullptr))) nic_.resume_receiving(false);
  }
}

void AtomicUnit::measure(Time from) {
  from_ = from;
  full_.reset(from);
  queued_.reset(from);
  for (Engine& engine : engines_) {
    engine.waits.reset(from);
    engine.used = engine.waiting;
  }
  for (Lock& lock : locks_) {
    lock.held = Time{0};
    lock.used = lock.taken;
  }
}

double AtomicUnit::lock_utilisation(Time now) const {
  Time held{0};
  std::int64_t used = 0;
  for (const Lock& lock : locks_) {
    if (!lock.used) continue;
    ++used;
    held += lock.held;
  }
  return used == 0 ? 0 : to_seconds(held) / (to_seconds(now - from_) * static_cast<double>(used));
}

double AtomicUnit::engines_waiting(Time now) const {
  double waiting = 0;
  int used = 0;
  for (const Engine& engine : engines_) {
    if (!engine.used) continue;
    ++used;
    waiting += engine.waits.mean(now);
  }
  return used == 0 ? 0 : waiting / used;
}

double AtomicUnit::executing(Time now) const {
  if (!engines_.empty()) return 0;
  Time held{0};
  for (const Lock& lock : locks_) held += lock.held;
  return to_seconds(held) / to_seconds(now - from_);
}

double AtomicUnit::hottest_lock_utilisation(Time now) const {
  Time held{0};
  for (const Lock& lock : locks_) held = std::max(held, lock.held);
  return to_seconds(held) / to_seconds(now - from_);
}

}  // namespace doorbell::model
