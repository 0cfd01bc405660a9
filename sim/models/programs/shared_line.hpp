// A cache line that several cores increment atomically, like the sequencer's counter.
#pragma once

#include "core/fifo_server.hpp"
#include "models/programs/cpu.hpp"

namespace doorbell::model {

/// Cores get the line one after the other, first come first served. What one increment takes depends on where the line
/// was: in the same core, in another core of the same ring of the die, or across the bridge between the two rings.
class SharedLine {
 public:
  explicit SharedLine(const SharedLineParameters& parameters) : parameters_{&parameters} {}

  /// Core `core` asks at `now` (calls come in time order). Returns when its increment is done.
  Time increment(Time now, int core) {
    Time service = parameters_->local;
    if (core != owner_ && owner_ >= 0) {
      service += parameters_->transfer;
      if (on_first_ring(core) != on_first_ring(owner_)) service += parameters_->cross_ring;
    }
    owner_ = core;
    return server_.reserve(now, service, "increment");
  }

  [[nodiscard]] core::FifoServer& server() { return server_; }

 private:
  [[nodiscard]] bool on_first_ring(int core) const { return core < parameters_->ring_cores; }

  const SharedLineParameters* parameters_;
  core::FifoServer server_;
  int owner_ = -1;
};

}  // namespace doorbell::model
