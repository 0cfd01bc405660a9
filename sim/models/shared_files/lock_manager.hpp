// Locks on files that several machines hold at the same time, or one alone.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "core/calendar.hpp"
#include "core/join.hpp"
#include "core/process.hpp"
#include "core/signal.hpp"
#include "core/task.hpp"

namespace doorbell::model {

/// A distributed lock manager in the manner of OCFS2's: a machine keeps a lock until another one asks for what it does
/// not go with, so that only the first use of a file costs messages. Readers share; a writer is alone: a lock is not
/// taken away before the calls that use it have ended.
class LockManager {
 public:
  /// Called when `node` loses its lock on `file`: writes back what is dirty and forgets what is cached.
  using Revoke = std::function<core::Task<>(int node, std::int64_t file)>;

  /// `round_trip`: of a message to whoever has to be asked.
  LockManager(core::Calendar& calendar, Time round_trip, Revoke revoke)
      : calendar_{calendar}, round_trip_{round_trip}, revoke_{std::move(revoke)} {}

  /// Begin a use, which release() ends.
  core::Task<> share(int node, std::int64_t file) { return acquire(node, file, false); }
  core::Task<> own(int node, std::int64_t file) { return acquire(node, file, true); }
  void release(int node, std::int64_t file);
  /// Locks that are there from the beginning, without messages.
  void grant(int node, std::int64_t file) { locks_[file].holders.push_back({node, 0}); }

  /// Times that a machine had to ask others.
  [[nodiscard]] std::uint64_t requests() const { return requests_; }
  [[nodiscard]] std::uint64_t revocations() const { return revocations_; }
  /// What has taken the time when locks changed hands: messages, and what their holders had to do before.
  struct Changes {
    Time messages{0};
    Time uses{0};  ///< Calls that had to end.
    Time revoking{0};
  };
  [[nodiscard]] const Changes& changes() const { return changes_; }
  void reset_statistics() {
    requests_ = 0;
    revocations_ = 0;
    changes_ = {};
  }

 private:
  struct Holder {
    int node = 0;
    int uses = 0;
  };
  struct Lock {
    std::vector<Holder> holders;
    bool exclusive = false;
    bool changing = false;
  };
  /// Null if the machine does not hold it.
  [[nodiscard]] Holder* find_holder(int node, std::int64_t file);
  core::Task<> acquire(int node, std::int64_t file, bool exclusive);
  /// What took the time becomes `last`: in the end, that of the holder that took longest.
  core::Task<> take_from(int node, std::int64_t file, Changes& last);

  core::Calendar& calendar_;
  Time round_trip_;
  Revoke revoke_;
  std::unordered_map<std::int64_t, Lock> locks_;
  core::Signal changed_{calendar_};
  std::uint64_t requests_ = 0;
  std::uint64_t revocations_ = 0;
  Changes changes_;
};

}  // namespace doorbell::model
