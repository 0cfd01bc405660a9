// The cores of a host that applications, interrupt handlers and polling loops share.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/random.hpp"
#include "core/time_slices.hpp"
#include "models/hardware/cpu.hpp"

namespace doorbell::model {

struct HostSoftware;

/// Hardware threads under a fair scheduler. Work is CPU time at the clock of a lone thread; more threads lower the
/// clock, share cores and, beyond the number of hardware threads, take turns: loops that poll for ever in slices of
/// time, everything else evenly at every instant. Times vary as the profile says.
class HostCpu {
 public:
  /// `name` tells the random streams of several hosts apart. `pinned` hardware threads belong to programs, which keep
  /// them active; fewer than there are.
  HostCpu(core::Calendar& calendar, const CpuParameters& cpu, const HostSoftware& software, std::uint64_t seed,
          std::string_view name, int pinned = 0);

  [[nodiscard]] core::ProcessorSharing::Use work(Time time) { return slices_.use(varied(time)); }
  /// How long so many calls of this time take, each of which varies by itself.
  [[nodiscard]] Time repeated(Time time, int times);
  /// The hardware thread on which a thread that begins or wakes up finds itself: any.
  [[nodiscard]] int place() { return static_cast<int>(placement_.below(static_cast<std::uint64_t>(threads_))); }
  /// A loop that polls or waits for a lock for a while begins (1) or ends (-1).
  void spin(int change) { slices_.spin(change); }
  /// Loops that poll for ever.
  [[nodiscard]] core::TimeSlices& slices() { return slices_; }
  void count_interrupt() { ++interrupts_; }
  void count_context_switch() { ++context_switches_; }

  /// Mean share of the hardware threads that are occupied, of those that no program keeps.
  [[nodiscard]] double utilisation(Time now) const;
  /// What those on them get, of the most work that the cores can do: more, where hardware threads share cores.
  [[nodiscard]] double work_of_most() const { return slices_.given_of_most(); }
  /// Whether there are as many loops that poll for ever as hardware threads.
  [[nodiscard]] bool is_polled_out() const { return slices_.loops() >= static_cast<std::size_t>(threads_); }
  /// Mean number of threads that want to run.
  [[nodiscard]] double runnable(Time now) const { return slices_.population().mean(now); }
  [[nodiscard]] std::uint64_t interrupts() const { return interrupts_; }
  [[nodiscard]] std::uint64_t context_switches() const { return context_switches_ + slices_.changes(); }
  /// Ends the warm-up.
  void measure();
  /// Draws the number of threads that want to run from now on.
  void trace(core::TraceWriter& writer, std::string_view machine);

 private:
  [[nodiscard]] Time varied(Time time);

  int threads_;
  double variation_;
  core::RandomStream random_;
  core::RandomStream placement_;
  core::TimeSlices slices_;
  std::uint64_t interrupts_ = 0;
  std::uint64_t context_switches_ = 0;
};

}  // namespace doorbell::model
