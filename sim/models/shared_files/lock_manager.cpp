#include "models/shared_files/lock_manager.hpp"

#include <algorithm>
#include <stdexcept>

namespace doorbell::model {

LockManager::Holder* LockManager::find_holder(int node, std::int64_t file) {
  std::vector<Holder>& holders = locks_[file].holders;
  const auto found = std::ranges::find(holders, node, &Holder::node);
  return found == holders.end() ? nullptr : &*found;
}

void LockManager::release(int node, std::int64_t file) {
  Holder* holder = find_holder(node, file);
  if (holder == nullptr || holder->uses == 0) throw std::logic_error("a lock that is not in use is released");
  if (--holder->uses == 0 && locks_[file].changing) changed_.notify_all();
}

core::Task<> LockManager::take_from(int node, std::int64_t file, Changes& last) {
  ++revocations_;
  co_await core::delay(calendar_, round_trip_);
  const Time asked = calendar_.now();
  while (find_holder(node, file)->uses > 0) co_await changed_.wait();
  const Time unused = calendar_.now();
  co_await revoke_(node, file);
  last = {.messages = round_trip_, .uses = unused - asked, .revoking = calendar_.now() - unused};
}

core::Task<> LockManager::acquire(int node, std::int64_t file, bool exclusive) {
  // The table may grow while others are asked: entries are looked up anew, and never erased.
  while (locks_[file].changing) co_await changed_.wait();
  if (Holder* holder = find_holder(node, file)) {
    Lock& lock = locks_[file];
    if (!exclusive || lock.exclusive || lock.holders.size() == 1) {
      lock.exclusive = lock.exclusive || exclusive;
      ++holder->uses;
      co_return;
    }
  }
  locks_[file].changing = true;
  ++requests_;
  co_await core::delay(calendar_, round_trip_);
  changes_.messages += round_trip_;
  if (exclusive || locks_[file].exclusive) {
    core::Join others{calendar_};
    Changes last;
    for (const Holder& holder : locks_[file].holders) {
      if (holder.node != node) others.start(take_from(holder.node, file, last));
    }
    co_await others.all();
    changes_.messages += last.messages;
    changes_.uses += last.uses;
    changes_.revoking += last.revoking;
    std::erase_if(locks_[file].holders, [node](const Holder& holder) { return holder.node != node; });
  }
  Lock& lock = locks_[file];
  if (find_holder(node, file) == nullptr) lock.holders.push_back({node, 0});
  ++find_holder(node, file)->uses;
  lock.exclusive = exclusive;
  lock.changing = false;
  changed_.notify_all();
}

}  // namespace doorbell::model
