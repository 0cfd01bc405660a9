// RC atomics in the NIC: in-order engines, lock buckets hashed by address, a PCIe read-modify-write under the lock.
#pragma once

#include <cstdint>
#include <vector>

#include "core/calendar.hpp"
#include "core/ring_queue.hpp"
#include "core/utilisation.hpp"
#include "models/hardware/nic.hpp"
#include "models/nic/message.hpp"

namespace doorbell::model {

class RdmaNic;

/// Kalia et al. 2016, section 5.4: atomics whose addresses have equal low bits exclude each other for one PCIe round
/// trip. An engine takes requests in order, so that a request whose lock is taken holds up those behind it, and at last
/// the inbound pipeline with all that comes after. A NIC without engines executes atomics in its pipelines, one after
/// the other, while nothing else enters or leaves. (For its responses no publication says so; the READs beside atomics
/// of Fig. 10 do.)
class AtomicUnit {
 public:
  AtomicUnit(core::Calendar& calendar, RdmaNic& nic, const AtomicParameters& parameters);

  /// Takes in a request. False: the inbound pipeline must wait until RdmaNic::resume_receiving() is called.
  [[nodiscard]] bool submit(Message& message);

  void measure(Time from);
  /// Mean share of [from, now) that the locks which were used at all were held.
  [[nodiscard]] double lock_utilisation(Time now) const;
  /// Mean share of it in which the engines that were used at all had a request at their head whose lock was taken.
  [[nodiscard]] double engines_waiting(Time now) const;
  /// Requests that waited in queues of engines, on average over it.
  [[nodiscard]] double queued(Time now) const { return queued_.mean(now); }
  /// Share of it in which the queue of an engine was full and the inbound pipeline waited.
  [[nodiscard]] double full(Time now) const { return full_.mean(now); }
  /// Share of it in which a NIC without engines executed atomics; 0 for others.
  [[nodiscard]] double executing(Time now) const;
  /// Share of it that the one held longest was held.
  [[nodiscard]] double hottest_lock_utilisation(Time now) const;

 private:
  struct Engine {
    core::RingQueue<Message*> queue;
    bool waiting = false;  // its head awaits a lock
    bool used = false;
    core::TimeWeighted waits;  // 1 meanwhile
  };
  struct Lock {
    bool taken = false;
    bool used = false;
    Time taken_at{0};
    Time held{0};
    core::RingQueue<std::uint32_t> waiting;  // engines
  };
  [[nodiscard]] Lock& lock_of(const Message& message);
  [[nodiscard]] std::uint32_t engine_of(const Message& message);
  void advance(std::uint32_t engine);
  void start(Message& message);
  void read_done(Message& message);

  core::Calendar& calendar_;
  RdmaNic& nic_;
  std::uint64_t mask_;
  std::size_t queue_;
  std::vector<Engine> engines_;
  std::vector<Lock> locks_;
  std::uint32_t queue_pairs_ = 0;   // met
  Message* at_the_door_ = nullptr;  // its engine is full; the pipeline waits
  core::TimeWeighted full_;         // 1 meanwhile
  core::TimeWeighted queued_;
  Time from_{0};
};

}  // namespace doorbell::model
