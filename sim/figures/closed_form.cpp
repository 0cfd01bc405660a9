#include "figures/closed_form.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "analytic/pcie_arithmetic.hpp"
#include "models/nic/verb_path.hpp"

namespace doorbell::figures {
namespace {

using model::HardwareProfile;

FormValue bytes(Bytes count) { return {static_cast<double>(count.count), "bytes", "B"}; }
FormValue rate(Rate value) { return {value.millions(), "throughput", "M/s"}; }

/// Bytes that go from the host to the device when it reads `size` bytes.
FormValue dma_read_bytes(const HardwareProfile& hardware, Bytes size, int batch) {
  return bytes(analytic::dma_read_bytes(hardware, size * batch));
}

FormValue mmio_write_bytes(const HardwareProfile& hardware, Bytes size, int batch) {
  return bytes(analytic::cpu_to_device_bytes(hardware, model::PostMethod::mmio, size, batch));
}

FormValue doorbell_batch_bytes(const HardwareProfile& hardware, Bytes size, int batch) {
  return bytes(analytic::cpu_to_device_bytes(hardware, model::PostMethod::doorbell, size, batch));
}

FormValue mmio_line_rate(const HardwareProfile& hardware, Bytes, int) {
  return rate(model::mmio_line_limit(hardware.pcie, hardware.mmio.line));
}

FormValue dma_read_bandwidth(const HardwareProfile& hardware, Bytes, int) {
  return {model::dma_read_limit(hardware.pcie).bytes_per_second * 1e-6, "bandwidth", "MB/s"};
}

Bytes ud_send_wqe(const HardwareProfile& hardware, Bytes payload) {
  return model::wqe_bytes(hardware.nic, {.payload = payload});
}

FormValue ud_send_mmio_limit(const HardwareProfile& hardware, Bytes payload, int) {
  return rate(analytic::mmio_post_limit(hardware, ud_send_wqe(hardware, payload)));
}

FormValue ud_send_dma_limit(const HardwareProfile& hardware, Bytes payload, int) {
  return rate(analytic::dma_fetch_limit(hardware, ud_send_wqe(hardware, payload)));
}

using Formula = FormValue (*)(const HardwareProfile&, Bytes, int);
constexpr std::array<std::string_view, 7> names{"dma_read_bytes",   "mmio_write_bytes",   "doorbell_batch_bytes",
                                                "mmio_line_rate",   "dma_read_bandwidth", "ud_send_mmio_limit",
                                                "ud_send_dma_limit"};
constexpr std::array<Formula, names.size()> formulas{dma_read_bytes,   mmio_write_bytes,   doorbell_batch_bytes,
                                                     mmio_line_rate,   dma_read_bandwidth, ud_send_mmio_limit,
                                                     ud_send_dma_limit};

}  // namespace

std::span<const std::string_view> closed_form_names() { return names; }

FormValue closed_form(std::string_view quantity, const HardwareProfile& hardware, Bytes size, int batch) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == quantity) return formulas[i](hardware, size, batch);
  }
  throw std::invalid_argument{fmt::format("unknown closed form '{}'", quantity)};
}

}  // namespace doorbell::figures
