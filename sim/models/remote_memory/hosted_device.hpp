// A device on remote memory with all that it has on its machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "models/remote_memory/host_cpu.hpp"
#include "models/remote_memory/program_requests.hpp"
#include "models/remote_memory/remote_device.hpp"

namespace doorbell::model {

/// The device of one machine, the cores that programs leave to it, and the way of programs to it.
class HostedDevice {
 public:
  /// `name`: of the machine. `pinned`: hardware threads that programs keep to themselves.
  HostedDevice(core::Calendar& calendar, MessagePool& pool, const DeviceSetup& setup, Machine& host,
               std::vector<Machine*> peers, std::uint64_t seed, const std::string& name, int pinned)
      : cpu_{calendar, setup.host.cpu, setup.software, seed, name, pinned},
        device_{calendar, pool, setup, cpu_, host, std::move(peers), core::RandomStream{seed, name + "'s disk"}},
        requests_{calendar, DevicePart{device_, Bytes{0}}, setup.software.block} {}

  [[nodiscard]] HostCpu& cpu() { return cpu_; }
  [[nodiscard]] const HostCpu& cpu() const { return cpu_; }
  [[nodiscard]] RemoteDevice& device() { return device_; }
  [[nodiscard]] const RemoteDevice& device() const { return device_; }
  [[nodiscard]] ProgramRequests& requests() { return requests_; }
  [[nodiscard]] const ProgramRequests& requests() const { return requests_; }

  /// Ends the warm-up.
  void measure() {
    cpu_.measure();
    device_.measure();
    requests_.measure();
  }
  /// Draws everything from now on.
  void trace(core::TraceWriter& writer, const std::string& machine) {
    cpu_.trace(writer, machine);
    device_.trace(writer, machine);
  }

 private:
  HostCpu cpu_;
  RemoteDevice device_;
  ProgramRequests requests_;
};

}  // namespace doorbell::model
