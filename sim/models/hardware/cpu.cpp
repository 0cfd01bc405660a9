#include "models/hardware/cpu.hpp"

#include <algorithm>

namespace doorbell::model {

double clock_stretch(const CpuParameters& cpu, int active) {
  const int last = static_cast<int>(cpu.turbo.size()) - 1;
  const Rate clock = cpu.turbo[static_cast<std::size_t>(std::clamp(active - 1, 0, last))];
  const double clock_ratio = cpu.turbo.front().per_second / clock.per_second;
  if (active <= cpu.cores) return clock_ratio;
  const double per_extra_thread = (cpu.smt_gain - 1) / std::max(1, cpu.threads_per_core - 1);
  const double work = cpu.cores + per_extra_thread * (active - cpu.cores);
  return clock_ratio * active / work;
}

}  // namespace doorbell::model
