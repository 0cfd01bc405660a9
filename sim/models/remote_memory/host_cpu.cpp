#include "models/remote_memory/host_cpu.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "models/remote_memory/host_software.hpp"

namespace doorbell::model {
namespace {

std::vector<double> speeds(const CpuParameters& cpu, int pinned) {
  std::vector<double> speeds;
  for (int active = pinned + 1; active <= hardware_threads(cpu); ++active) {
    speeds.push_back(1 / clock_stretch(cpu, active));
  }
  return speeds;
}

/// Linux makes its slices longer the more CPUs there are, up to 8: by 1 + log2 (get_update_sysctl_factor()).
core::SliceRules slice_rules(const CpuParameters& cpu, const HostSoftware& software) {
  const SchedulerParameters& scheduler = software.scheduler;
  const auto factor = static_cast<int>(std::bit_width(std::min(static_cast<unsigned>(hardware_threads(cpu)), 8U)));
  return {.latency = scheduler.latency * factor,
          .granularity = scheduler.granularity * factor,
          .wakeup = scheduler.wakeup_granularity * factor,
          .tick = scheduler.tick,
          .change = software.driver.context_switch};
}

}  // namespace

HostCpu::HostCpu(core::Calendar& calendar, const CpuParameters& cpu, const HostSoftware& software, std::uint64_t seed,
                 std::string_view name, int pinned)
    : threads_{hardware_threads(cpu) - pinned},
      variation_{cpu.variation},
      random_{seed, name},
      placement_{seed, std::string{name} + "/placement"},
      slices_{calendar, speeds(cpu, pinned), slice_rules(cpu, software)} {}

Time HostCpu::varied(Time time) { return stretched(time, random_.around_one(variation_)); }

Time HostCpu::repeated(Time time, int times) {
  return times == 0 ? Time{0} : stretched(time * times, random_.around_one(variation_, times));
}

double HostCpu::utilisation(Time now) const { return std::min(1.0, runnable(now) / threads_); }

void HostCpu::measure() {
  slices_.reset_statistics();
  interrupts_ = 0;
  context_switches_ = 0;
}

void HostCpu::trace(core::TraceWriter& writer, std::string_view machine) {
  slices_.trace({&writer, machine, "running threads"}, "running threads");
}

}  // namespace doorbell::model
