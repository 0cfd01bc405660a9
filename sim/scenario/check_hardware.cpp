// Hardware that cannot exist, although each number by itself could.
#include <bit>

#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {
namespace {

using namespace model;

/// One profile under examination.
struct Profile {
  const Examined& examined;
  Pointer pointer;
  HardwareProfile& hardware;

  template <class Part, class T>
  [[noreturn]] void refuse(Part& part, const T& member, const std::string& expected) const {
    const Pointer at = pointer / member_name(hardware, part) / member_name(part, member);
    examined.refuse(ErrorCode::impossible_hardware, at, expected, text_of(member));
  }

  template <class Part> void require_power_of_two(Part& part, const Bytes& member) const {
    if (!std::has_single_bit(static_cast<std::uint64_t>(member.count))) refuse(part, member, "a power of two");
  }
};

}  // namespace

void check_profile(const Examined& examined, const Pointer& pointer, HardwareProfile& hardware) {
  const Profile profile{examined, pointer, hardware};
  PcieParameters& pcie = hardware.pcie;
  // PCI Express Base Specification 3.0, section 7.8.4: sizes are coded as 128 B shifted left.
  profile.require_power_of_two(pcie, pcie.max_payload);
  profile.require_power_of_two(pcie, pcie.max_read_request);
  profile.require_power_of_two(pcie, pcie.read_completion_boundary);
  MmioParameters& mmio = hardware.mmio;
  profile.require_power_of_two(mmio, mmio.line);
  if (mmio.doorbell > mmio.line) profile.refuse(mmio, mmio.doorbell, "at most one line (" + text_of(mmio.line) + ")");
  CpuParameters& cpu = hardware.cpu;
  if (cpu.smt_gain > cpu.threads_per_core) {
    profile.refuse(cpu, cpu.smt_gain, "at most " + text_of(cpu.threads_per_core) + ", the number of threads_per_core");
  }
}

void check_hardware(const Examined& examined) {
  for (auto& [name, group] : examined.scenario.machines)
    check_profile(examined, Pointer{} / keys::machines / name / keys::hardware, group.hardware);
}

}  // namespace doorbell::scenario
