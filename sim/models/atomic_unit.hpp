// RC atomics in the NIC: in-order engines, lock buckets hashed by address, a PCIe read-modify-write under the lock.
#pragma once

#include <cstdint>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/ring_queue.hpp"
#include "models/message.hpp"
#include "models/nic.hpp"

namespace doorbell::model {

class RdmaNic;

/// Paper section 5.4: atomics whose addresses have equal low bits exclude each other for one PCIe round trip. An engine
/// takes requests in order, so that a request whose lock is taken holds up those behind it.
class AtomicUnit {
 public:
  AtomicUnit(core::Calendar& calendar, RdmaNic& nic, const AtomicParameters& parameters, core::Priority priority);

  void submit(Message& message);

  void measure(Time from, Time until);
  [[nodiscard]] core::FifoServer& processor() { return processor_; }
  /// Mean share of [from, now) that the locks which were used at all were held.
  [[nodiscard]] double lock_utilisation(Time now) const;

 private:
  struct Engine {
    core::RingQueue<Message*> queue;
    bool occupied = false;  // its head waits for a lock or for the processor
  };
  struct Lock {
    bool taken = false;
    bool used = false;
    Time taken_at{0};
    Time held{0};
    core::RingQueue<std::uint32_t> waiting;  // engines
  };
  [[nodiscard]] Lock& lock_of(const Message& message);
  [[nodiscard]] std::uint32_t engine_of(const Message& message) const;
  void advance(std::uint32_t engine);
  void start(std::uint64_t message);
  void read_done(Message& message);

  core::Calendar& calendar_;
  RdmaNic& nic_;
  core::Priority priority_;
  Time processing_;
  std::uint64_t mask_;
  std::vector<Engine> engines_;
  std::vector<Lock> locks_;
  core::FifoServer processor_;
  Time from_{0};
};

}  // namespace doorbell::model
