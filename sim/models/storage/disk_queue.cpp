#include "models/storage/disk_queue.hpp"

#include <algorithm>

namespace doorbell::model {
namespace {

// How much longer than its gain in positioning time a command waits for it. Assumed, as firmware does not tell: a
// command that has waited for 0.2 s, about what 32 of them take, gains half a revolution at 7200 per minute.
constexpr std::int64_t ageing = 50;

}  // namespace

std::size_t next_command(std::span<DiskCommand* const> held, Disk& disk, Time now) {
  // Nothing is to be compared.
  if (held.size() == 1) return 0;
  std::size_t best = 0;
  Time shortest = Time::max();
  for (std::size_t i = 0; i < held.size(); ++i) {
    const Time aged = disk.positioning(*held[i], now) - (now - held[i]->asked) / ageing;
    if (aged >= shortest) continue;
    shortest = aged;
    best = i;
  }
  return best;
}

Time longest_overtaking(const DiskMechanics& mechanics) {
  const Time across = Disk::seek_time(mechanics, mechanics.capacity.count);
  return (across + mechanics.revolution) * ageing;
}

bool DiskQueue::take_if_free() {
  if (in_use_.level() > 0) return false;
  in_use_.set(calendar_.now(), 1);
  return true;
}

void DiskQueue::done() {
  disk_.release(calendar_.now());
  if (commands_.empty()) {
    in_use_.set(calendar_.now(), 0);
    return;
  }
  const std::span<DiskCommand* const> held{commands_.data(), std::min(depth_, commands_.size())};
  const auto next = static_cast<std::ptrdiff_t>(next_command(held, disk_, calendar_.now()));
  const core::Waiter& waiter = *waiters_[static_cast<std::size_t>(next)];
  commands_.erase(commands_.begin() + next);
  waiters_.erase(waiters_.begin() + next);
  waiter.wake(calendar_);
}

}  // namespace doorbell::model
