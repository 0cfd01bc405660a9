#include "models/shared_files/lock_manager.hpp"

#include <algorithm>

namespace doorbell::model {

core::Task<> LockManager::take_from(int node, std::int64_t file) {
  ++revocations_;
  co_await core::delay(calendar_, round_trip_);
  co_await revoke_(node, file);
}

core::Task<> LockManager::acquire(int node, std::int64_t file, bool exclusive) {
  // The table may grow while others are asked: entries are looked up anew, and never erased.
  while (locks_[file].changing) co_await changed_.wait();
  const auto holds = [&] {
    const Lock& lock = locks_[file];
    const bool holder = std::find(lock.holders.begin(), lock.holders.end(), node) != lock.holders.end();
    return holder && (!exclusive || lock.exclusive || lock.holders.size() == 1);
  };
  if (holds()) {
    locks_[file].exclusive = locks_[file].exclusive || exclusive;
    co_return;
  }
  locks_[file].changing = true;
  ++requests_;
  co_await core::delay(calendar_, round_trip_);
  changes_.messages += round_trip_;
  if (exclusive || locks_[file].exclusive) {
    const Time asked = calendar_.now();
    core::Join others{calendar_};
    for (const int holder : locks_[file].holders) {
      if (holder != node) others.start(take_from(holder, file));
    }
    co_await others.all();
    const Time taken = calendar_.now() - asked;
    changes_.messages += std::min(taken, round_trip_);
    changes_.revoking += taken - std::min(taken, round_trip_);
    locks_[file].holders.clear();
  }
  Lock& lock = locks_[file];
  if (std::find(lock.holders.begin(), lock.holders.end(), node) == lock.holders.end()) lock.holders.push_back(node);
  lock.exclusive = exclusive;
  lock.changing = false;
  changed_.notify_all();
}

}  // namespace doorbell::model
