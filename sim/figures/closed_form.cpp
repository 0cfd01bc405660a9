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

/// Responses to READs that the ports can send, headers alone beside the data.
FormValue infiniband_read_limit(const HardwareProfile& hardware, Bytes payload, int) {
  model::PortParameters port = hardware.port;
  port.framing = Bytes{0};
  const Bytes message = model::message_bytes(port, payload, {.acknowledge = true});
  return rate({port.ports * port.bandwidth.bytes_per_second / static_cast<double>(message.count)});
}

using Formula = FormValue (*)(const HardwareProfile&, Bytes, int);
struct NamedForm {
  std::string_view name;
  Formula formula;
};
constexpr std::array named_forms{NamedForm{"dma_read_bytes", dma_read_bytes},
                                 NamedForm{"mmio_write_bytes", mmio_write_bytes},
                                 NamedForm{"doorbell_batch_bytes", doorbell_batch_bytes},
                                 NamedForm{"mmio_line_rate", mmio_line_rate},
                                 NamedForm{"dma_read_bandwidth", dma_read_bandwidth},
                                 NamedForm{"ud_send_mmio_limit", ud_send_mmio_limit},
                                 NamedForm{"ud_send_dma_limit", ud_send_dma_limit},
                                 NamedForm{"infiniband_read_limit", infiniband_read_limit}};
constexpr auto form_names = [] {
  std::array<std::string_view, named_forms.size()> all;
  for (std::size_t i = 0; i < named_forms.size(); ++i) all[i] = named_forms[i].name;
  return all;
}();

}  // namespace

std::span<const std::string_view> closed_form_names() { return form_names; }

FormValue closed_form(std::string_view quantity, const HardwareProfile& hardware, Bytes size, int batch) {
  for (const NamedForm& one : named_forms) {
    if (one.name == quantity) return one.formula(hardware, size, batch);
  }
  throw std::invalid_argument{fmt::format("unknown closed form '{}'", quantity)};
}

}  // namespace doorbell::figures
