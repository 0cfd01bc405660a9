// A hardware profile: the parameters of every component of one kind of machine.
#pragma once

#include <optional>

#include "models/hardware/cpu.hpp"
#include "models/hardware/nic.hpp"
#include "models/hardware/port.hpp"
#include "models/pcie/mmio.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/pcie/root_complex.hpp"
#include "models/storage/local_disk_parameters.hpp"

namespace doorbell::model {

struct HardwareProfile {
  static constexpr bool is_profile = true;
  CpuParameters cpu;
  SharedLineParameters shared_line;
  MmioParameters mmio;
  RootComplexParameters root_complex;
  PcieParameters pcie;
  NicParameters nic;
  AtomicParameters atomics;
  PortParameters port;
  std::optional<LocalDiskParameters> disk = std::nullopt;
};
template <class V> void describe(V& v, HardwareProfile& s) {
  v.field("cpu", s.cpu, {.doc = "Cores."});
  v.field("shared_line", s.shared_line, {.doc = "Cache lines that cores modify in turn."});
  v.field("mmio", s.mmio, {.doc = "Write-combining MMIO."});
  v.field("root_complex", s.root_complex, {.doc = "Root complex and memory."});
  v.field("pcie", s.pcie, {.doc = "PCI Express link of the NIC."});
  v.field("nic", s.nic, {.doc = "RDMA NIC."});
  v.field("atomics", s.atomics, {.doc = "RC atomics in the NIC."});
  v.field("port", s.port, {.doc = "Network ports."});
  v.optional("disk", s.disk, {.doc = "The machine's own disk."});
}

}  // namespace doorbell::model
