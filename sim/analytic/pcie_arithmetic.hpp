// The PCIe arithmetic of Kalia et al. 2016 (section 5.2.1, Fig. 2b, Appendix A), on the TLPs that the models account.
// Headers count, link-layer packets do not: the paper's formulas leave them out, the simulator does not.
#pragma once

#include <cstdint>

#include "core/quantity.hpp"
#include "models/hardware/hardware_profile.hpp"
#include "models/scenario.hpp"

namespace doorbell::analytic {

/// Bytes towards the device when it reads `size` bytes from an aligned address: x + P_c * ceil(x / C_rc) (Fig. 2b).
[[nodiscard]] Bytes dma_read_bytes(const model::HardwareProfile& profile, Bytes size);

/// Bytes towards the device when a core writes `size` bytes by write-combining MMIO: ceil(x / 64) * (64 + P_r) (Fig.
/// 2b).
[[nodiscard]] Bytes mmio_write_bytes(const model::HardwareProfile& profile, Bytes size);

/// Bytes towards the device to hand over `count` WQEs of `wqe_bytes` each, before padding: T_bf and T_db of Appendix A.
/// `automatic` stands for what drivers do: MMIO for one WQE, a doorbell and one DMA read for more.
[[nodiscard]] Bytes cpu_to_device_bytes(const model::HardwareProfile& profile, model::PostMethod method,
                                        Bytes wqe_bytes, std::int64_t count);

/// Largest rate of WQEs of `wqe_bytes` by MMIO (Fig. 11a, dashed, B = 1; 87.5 M/s for two lines of PCIe 3.0 x16).
[[nodiscard]] Rate mmio_post_limit(const model::HardwareProfile& profile, Bytes wqe_bytes);

/// Largest rate at which long DMA reads fetch WQEs of `wqe_bytes` (Fig. 11a, dashed, B = 16; 105 M/s for two lines).
[[nodiscard]] Rate dma_fetch_limit(const model::HardwareProfile& profile, Bytes wqe_bytes);

}  // namespace doorbell::analytic
