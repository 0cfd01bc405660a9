#include "models/atomic_unit.hpp"

#include "models/queue_pair.hpp"
#include "models/rdma_nic.hpp"

namespace doorbell::model {

AtomicUnit::AtomicUnit(core::Calendar& calendar, RdmaNic& nic, const AtomicParameters& parameters,
                       core::Priority priority)
    : calendar_{calendar},
      nic_{nic},
      priority_{priority},
      processing_{parameters.processing},
      mask_{(std::uint64_t{1} << parameters.address_bits) - 1},
      engines_(static_cast<std::size_t>(parameters.engines)),
      locks_(static_cast<std::size_t>(mask_ + 1)) {}

AtomicUnit::Lock& AtomicUnit::lock_of(const Message& message) {
  return locks_[static_cast<std::uint64_t>(message.address) & mask_];
}

void AtomicUnit::submit(Message& message) {
  const std::uint32_t engine = engine_of(message);
  engines_[engine].queue.push(&message);
  if (!engines_[engine].occupied) advance(engine);
}

std::uint32_t AtomicUnit::engine_of(const Message& message) const {
  return static_cast<std::uint32_t>(message.queue_pair->id % engines_.size());
}

void AtomicUnit::advance(std::uint32_t index) {
  Engine& engine = engines_[index];
  engine.occupied = !engine.queue.empty();
  if (!engine.occupied) return;
  Message& message = *engine.queue.front();
  Lock& lock = lock_of(message);
  if (lock.taken) {
    lock.waiting.push(index);
    return;
  }
  engine.queue.pop();
  lock.taken = true;
  lock.used = true;
  lock.taken_at = processor_.reserve(calendar_.now(), processing_) - processing_;
  calendar_.at<&AtomicUnit::start>(lock.taken_at, priority_, *this, reinterpret_cast<std::uintptr_t>(&message));
}

void AtomicUnit::start(std::uint64_t argument) {
  Message& message = *reinterpret_cast<Message*>(argument);
  struct Resume {
    static void call(void* self, std::uint64_t pointer) {
      static_cast<AtomicUnit*>(self)->read_done(*reinterpret_cast<Message*>(pointer));
    }
  };
  nic_.dma().read(*message.plan->remote_read, {&Resume::call, this, argument});
  advance(engine_of(message));
}

void AtomicUnit::read_done(Message& message) {
  nic_.dma().write(*message.plan->remote_write);
  Lock& lock = lock_of(message);
  lock.taken = false;
  lock.held += calendar_.now() - std::max(lock.taken_at, from_);
  nic_.respond(message);
  if (lock.waiting.empty()) return;
  advance(lock.waiting.pop());
}

void AtomicUnit::measure(Time from, Time until) {
  from_ = from;
  processor_.measure(from, until);
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

}  // namespace doorbell::model
