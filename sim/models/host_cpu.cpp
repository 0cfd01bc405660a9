#include "models/host_cpu.hpp"

#include <algorithm>
#include <vector>

namespace doorbell::model {
namespace {

std::vector<double> speeds(const CpuParameters& cpu) {
  std::vector<double> speeds;
  for (int active = 1; active <= cpu.cores * cpu.threads_per_core; ++active) {
    speeds.push_back(1 / clock_stretch(cpu, active));
  }
  return speeds;
}

}  // namespace

HostCpu::HostCpu(core::Calendar& calendar, const CpuParameters& cpu)
    : threads_{cpu.cores * cpu.threads_per_core}, sharing_{calendar, speeds(cpu)} {}

double HostCpu::utilisation(Time now) const { return std::min(1.0, runnable(now) / threads_); }

void HostCpu::measure() {
  sharing_.reset_statistics();
  interrupts_ = 0;
  context_switches_ = 0;
}

}  // namespace doorbell::model
