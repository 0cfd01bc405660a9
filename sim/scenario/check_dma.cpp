// DMA scenarios whose parts contradict one another.
#include <fmt/format.h>

#include "scenario/checks.hpp"

namespace doorbell::scenario {

using namespace model;

void check_dma(DmaScenario& dma, const Node& tree) {
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::dma;
  if (units_of(dma) < 1) {
    examined.refuse(ErrorCode::window_too_small, at / "window",
                    fmt::format("room for one request, which takes {} B in whole cache lines", unit_of(dma).count),
                    fmt::format("{} B", dma.window.count));
  }
  const LastLevelCacheParameters& cache = dma.hardware.memory.cache;
  if (cache.device_share > cache.size) {
    examined.refuse(ErrorCode::impossible_hardware, at / keys::hardware / "memory" / "cache" / "device_share",
                    fmt::format("at most the whole cache, {} B", cache.size.count),
                    fmt::format("{} B", cache.device_share.count));
  }
}

}  // namespace doorbell::scenario
