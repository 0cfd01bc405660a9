// Hardware that cannot exist, although each number by itself could.
#include <algorithm>
#include <array>
#include <bit>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {
namespace {

using namespace model;

/// Some parameters that belong together, under examination.
template <class Part> struct PartOfProfile {
  const Examined& examined;
  Pointer pointer;
  Part& part;

  template <class T> [[noreturn]] void refuse(const T& member, const std::string& expected) const {
    refuse(member, expected, text_of(member));
  }
  template <class T>
  [[noreturn]] void refuse(const T& member, const std::string& expected, const std::string& found) const {
    examined.refuse(ErrorCode::impossible_hardware, pointer / member_name(part, member), expected, found);
  }
  void require_power_of_two(const Bytes& member) const {
    if (!std::has_single_bit(static_cast<std::uint64_t>(member.count))) refuse(member, "a power of two");
  }
};

}  // namespace

void check_link(const Examined& examined, const Pointer& pointer, PcieParameters& pcie) {
  const PartOfProfile<PcieParameters> link{examined, pointer, pcie};
  // PCI Express Base Specification 3.0, section 7.8.4: sizes are coded as 128 B shifted left.
  link.require_power_of_two(pcie.max_payload);
  link.require_power_of_two(pcie.max_read_request);
  // Section 2.3.1.1; and a completion has no more than the maximum payload, of which this boundary thus is a part.
  constexpr Bytes smaller{64};
  constexpr Bytes larger{128};
  if (pcie.read_completion_boundary != smaller && pcie.read_completion_boundary != larger)
    link.refuse(pcie.read_completion_boundary, "64 B or 128 B");
  // Section 7.8.6, widths of a link.
  constexpr std::array<int, 7> widths{1, 2, 4, 8, 12, 16, 32};
  if (!std::ranges::binary_search(widths, pcie.lanes)) link.refuse(pcie.lanes, "1, 2, 4, 8, 12, 16 or 32");
}

void check_mechanics(const Examined& examined, const Pointer& pointer, DiskMechanics& mechanics) {
  const PartOfProfile<DiskMechanics> disk{examined, pointer, mechanics};
  if (mechanics.average_seek < mechanics.track_seek) {
    disk.refuse(mechanics.average_seek,
                "at least " + text_of(mechanics.track_seek) + ", the time to the next track (track_seek)");
  }
}

void check_profile(const Examined& examined, const Pointer& pointer, HardwareProfile& hardware) {
  check_link(examined, pointer / member_name(hardware, hardware.pcie), hardware.pcie);
  MmioParameters& mmio = hardware.mmio;
  const PartOfProfile<MmioParameters> writes{examined, pointer / member_name(hardware, mmio), mmio};
  writes.require_power_of_two(mmio.line);
  if (mmio.doorbell > mmio.line) writes.refuse(mmio.doorbell, "at most one line (" + text_of(mmio.line) + ")");
  PortParameters& port = hardware.port;
  const PartOfProfile<PortParameters> network{examined, pointer / member_name(hardware, port), port};
  // InfiniBand Architecture Specification, volume 1, section 9.3; RoCE has the same.
  constexpr std::array<std::int64_t, 5> mtus{256, 512, 1024, 2048, 4096};
  if (!std::ranges::binary_search(mtus, port.mtu.count))
    network.refuse(port.mtu, "256, 512, 1024, 2048 or 4096 B", in_bytes(port.mtu));
  if (port.receive_buffer < port.mtu) {
    network.refuse(port.receive_buffer, "at least one packet of the mtu, " + in_bytes(port.mtu),
                   in_bytes(port.receive_buffer));
  }
  if (hardware.disk) {
    LocalDiskParameters& disk = *hardware.disk;
    check_mechanics(examined, pointer / member_name(hardware, hardware.disk) / member_name(disk, disk.mechanics),
                    disk.mechanics);
  }
  CpuParameters& cpu = hardware.cpu;
  const PartOfProfile<CpuParameters> cores{examined, pointer / member_name(hardware, cpu), cpu};
  if (cpu.turbo.empty()) cores.refuse(cpu.turbo, "the clock with one active core at least", "none");
  const auto rises = [](Rate few, Rate more) { return few < more; };
  if (const auto rise = std::ranges::adjacent_find(cpu.turbo, rises); rise != cpu.turbo.end()) {
    cores.refuse(cpu.turbo, "clocks that do not rise with the number of active cores",
                 text_of(*rise) + " and then " + text_of(*(rise + 1)));
  }
  if (cpu.smt_gain > cpu.threads_per_core) {
    cores.refuse(cpu.smt_gain, "at most " + text_of(cpu.threads_per_core) + ", the number of threads_per_core");
  }
}

void check_hardware(const Examined& examined) {
  for (auto& [name, group] : examined.scenario.machines) {
    const Pointer machine = Pointer{} / keys::machines / name;
    check_profile(examined, machine / keys::hardware, group.hardware);
    if (!group.drives) continue;
    NvmeDriveParameters& drive = group.drives->hardware;
    check_link(examined, machine / keys::drives / keys::hardware / member_name(drive, drive.pcie), drive.pcie);
  }
}

}  // namespace doorbell::scenario
