#include "models/cpu.hpp"

#include <algorithm>

namespace doorbell::model {

double clock_stretch(const CpuParameters& cpu, int active) {
  const int last = static_cast<int>(cpu.turbo.size()) - 1;
  const Rate clock = cpu.turbo[static_cast<std::size_t>(std::clamp(active - 1, 0, last))];
  return cpu.turbo.front().per_second / clock.per_second;
}

}  // namespace doorbell::model
