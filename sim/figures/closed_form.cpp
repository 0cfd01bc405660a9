#include "figures/closed_form.hpp"

#include <fmt/format.h>

#include <array>
#include <stdexcept>

#include "models/verb_path.hpp"

namespace doorbell::figures {
namespace {

using model::HardwareProfile;

FormValue bytes(Bytes count) { return {static_cast<double>(count.count), "bytes", "B"}; }
FormValue rate(Rate value) { return {value.millions(), "throughput", "M/s"}; }

std::int64_t mmio_lines(const HardwareProfile& hardware, Bytes size) { return ceil_div(size, hardware.mmio.line); }

Bytes mmio_wire(const HardwareProfile& hardware, std::int64_t lines) {
  return model::write_tlps(hardware.pcie, hardware.mmio.line).wire * lines;
}

/// Bytes that go from the host to the device when it reads `size` bytes.
FormValue dma_read_bytes(const HardwareProfile& hardware, Bytes size, int batch) {
  return bytes(model::completion_tlps(hardware.pcie, size * batch).wire);
}

FormValue mmio_write_bytes(const HardwareProfile& hardware, Bytes size, int batch) {
  return bytes(mmio_wire(hardware, mmio_lines(hardware, size) * batch));
}

/// T_db of Appendix A: a doorbell, then one DMA read of all WQEs, each padded to its slot.
FormValue doorbell_batch_bytes(const HardwareProfile& hardware, Bytes size, int batch) {
  const Bytes padded = hardware.nic.wqe_slot * ceil_div(size, hardware.nic.wqe_slot);
  return bytes(model::write_tlps(hardware.pcie, hardware.mmio.doorbell).wire +
               model::completion_tlps(hardware.pcie, padded * batch).wire);
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
  const auto lines = static_cast<double>(mmio_lines(hardware, ud_send_wqe(hardware, payload)));
  return rate({model::mmio_line_limit(hardware.pcie, hardware.mmio.line).per_second / lines});
}

FormValue ud_send_dma_limit(const HardwareProfile& hardware, Bytes payload, int) {
  const auto wqe = static_cast<double>(ud_send_wqe(hardware, payload).count);
  return rate({model::dma_read_limit(hardware.pcie).bytes_per_second / wqe});
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
