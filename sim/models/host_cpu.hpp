// The cores of a host that applications, interrupt handlers and polling loops share.
#pragma once

#include <cstdint>

#include "core/processor_sharing.hpp"
#include "models/cpu.hpp"

namespace doorbell::model {

/// Hardware threads under a fair scheduler. Work is CPU time at the clock of a lone thread; more threads lower the
/// clock, share cores and, beyond the number of hardware threads, take turns.
class HostCpu {
 public:
  HostCpu(core::Calendar& calendar, const CpuParameters& cpu);

  [[nodiscard]] core::ProcessorSharing::Use work(Time time) { return sharing_.use(time); }
  /// A loop that polls begins (1) or ends (-1).
  void spin(int change) { sharing_.spin(change); }
  void count_interrupt() { ++interrupts_; }
  void count_context_switch() { ++context_switches_; }

  /// Mean share of the hardware threads that are occupied.
  [[nodiscard]] double utilisation(Time now) const;
  /// Mean number of threads that want to run.
  [[nodiscard]] double runnable(Time now) const { return sharing_.population().mean(now); }
  [[nodiscard]] std::uint64_t interrupts() const { return interrupts_; }
  [[nodiscard]] std::uint64_t context_switches() const { return context_switches_; }
  /// Ends the warm-up.
  void measure();

 private:
  int threads_;
  core::ProcessorSharing sharing_;
  std::uint64_t interrupts_ = 0;
  std::uint64_t context_switches_ = 0;
};

}  // namespace doorbell::model
