// A cache line that several cores modify in turn: the sequencer's counter, or a lock.
#pragma once

#include <string_view>

#include "core/fifo_server.hpp"
#include "models/hardware/cpu.hpp"

namespace doorbell::model {

/// Cores get the line one after the other, first come first served. What one increment takes depends on where the line
/// was: in the same core, in another core of the same ring of the die, or across the bridge between the two rings.
class SharedLine {
 public:
  explicit SharedLine(const SharedLineParameters& parameters) : parameters_{&parameters} {}

  /// Core `core` asks at `now` (calls come in time order). Returns when its increment is done.
  Time increment(Time now, int core) { return hold(now, core, Time{0}, "increment"); }

  /// The same of a lock that the core keeps for so long once it has it.
  Time hold(Time now, int core, Time work, std::string_view what) {
    Time service = parameters_->local;
    if (core != owner_ && owner_ >= 0) {
      service += parameters_->transfer;
      if (on_first_ring(core) != on_first_ring(owner_)) service += parameters_->cross_ring;
    }
    owner_ = core;
    const Time done = server_.reserve(now, service + work, what);
    taken_ += done - now;
    return done;
  }

  /// Ends the warm-up.
  void measure(Time from, Time until) {
    server_.measure(from, until);
    taken_ = Time{0};
  }
  /// Time of cores that it has taken since then, from the question until they had done with it.
  [[nodiscard]] Time taken() const { return taken_; }

  [[nodiscard]] core::FifoServer& server() { return server_; }
  [[nodiscard]] const core::FifoServer& server() const { return server_; }

 private:
  [[nodiscard]] bool on_first_ring(int core) const { return core < parameters_->ring_cores; }

  const SharedLineParameters* parameters_;
  core::FifoServer server_;
  int owner_ = -1;
  Time taken_{0};
};

}  // namespace doorbell::model
