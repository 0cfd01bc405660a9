#include "models/remote_memory/host_cpu.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace doorbell::model {
namespace {

std::vector<double> speeds(const CpuParameters& cpu, int pinned) {
  std::vector<double> speeds;
  for (int active = pinned + 1; active <= hardware_threads(cpu); ++active) {
    speeds.push_back(1 / clock_stretch(cpu, active));
  }
  return speeds;
}

}  // namespace

HostCpu::HostCpu(core::Calendar& calendar, const CpuParameters& cpu, std::uint64_t seed, std::string_view name,
                 int pinned)
    : threads_{hardware_threads(cpu) - pinned},
      variation_{cpu.variation},
      random_{seed, name},
      placement_{seed, std::string{name} + "/placement"},
      sharing_{calendar, speeds(cpu, pinned)} {}

Time HostCpu::varied(Time time) { return stretched(time, random_.around_one(variation_)); }

Time HostCpu::repeated(Time time, int times) {
  return times == 0 ? Time{0} : stretched(time * times, random_.around_one(variation_, times));
}

double HostCpu::utilisation(Time now) const { return std::min(1.0, runnable(now) / threads_); }

void HostCpu::measure() {
  sharing_.reset_statistics();
  interrupts_ = 0;
  context_switches_ = 0;
}

void HostCpu::trace(core::TraceWriter& writer, std::string_view machine) {
  sharing_.trace({&writer, machine, "running threads"}, "running threads");
}

}  // namespace doorbell::model
