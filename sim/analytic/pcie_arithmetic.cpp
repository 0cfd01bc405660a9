#include "analytic/pcie_arithmetic.hpp"

namespace doorbell::analytic {
namespace {

using model::HardwareProfile;
using model::PostMethod;

Bytes padded(const HardwareProfile& profile, Bytes wqe_bytes) {
  return profile.nic.wqe_slot * ceil_div(wqe_bytes, profile.nic.wqe_slot);
}

}  // namespace

Bytes dma_read_bytes(const HardwareProfile& profile, Bytes size) {
  return model::completion_tlps(profile.pcie, size).wire;
}

Bytes mmio_write_bytes(const HardwareProfile& profile, Bytes size) {
  return model::write_tlps(profile.pcie, profile.mmio.line).wire * ceil_div(size, profile.mmio.line);
}

Bytes cpu_to_device_bytes(const HardwareProfile& profile, PostMethod method, Bytes wqe_bytes, std::int64_t count) {
  if (method == PostMethod::automatic) method = count == 1 ? PostMethod::mmio : PostMethod::doorbell;
  const Bytes slot = padded(profile, wqe_bytes);
  if (method == PostMethod::mmio) return mmio_write_bytes(profile, slot) * count;
  return model::write_tlps(profile.pcie, profile.mmio.doorbell).wire + dma_read_bytes(profile, slot * count);
}

Rate mmio_post_limit(const HardwareProfile& profile, Bytes wqe_bytes) {
  const auto lines = static_cast<double>(ceil_div(padded(profile, wqe_bytes), profile.mmio.line));
  return {model::mmio_line_limit(profile.pcie, profile.mmio.line).per_second / lines};
}

Rate dma_fetch_limit(const HardwareProfile& profile, Bytes wqe_bytes) {
  return {model::dma_read_limit(profile.pcie).bytes_per_second / static_cast<double>(padded(profile, wqe_bytes).count)};
}

}  // namespace doorbell::analytic
