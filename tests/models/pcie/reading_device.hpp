// A device that reads host memory, for tests of its link.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "models/connect_ib.hpp"
#include "models/pcie/host_dma.hpp"

namespace doorbell::model::reading_device {

using namespace std::chrono_literals;

inline constexpr DmaReadCost small{.request = 2ns, .latency = 100ns, .completion = 10ns, .tags = 1, .cache_lines = 2};

inline HardwareProfile link_with(int tags, int nonposted_credits = 4096, int posted_credits = 4096) {
  HardwareProfile profile = connect_ib();
  profile.pcie.read_tags = tags;
  profile.pcie.nonposted_header_credits = nonposted_credits;
  profile.pcie.posted_header_credits = posted_credits;
  return profile;
}

/// A device that reads host memory and takes down what came when.
struct Device {
  explicit Device(const HardwareProfile& profile) : dma{calendar, profile.pcie, profile.root_complex, {}} {}

  void read(const DmaReadCost& cost, std::uint64_t name) { dma.read(cost, {&Device::arrived, this, name}); }
  static void arrived(void* self, std::uint64_t name) {
    Device& device = *static_cast<Device*>(self);
    device.names.push_back(name);
    device.times.push_back(device.calendar.now());
    if (device.on_arrival) device.on_arrival();
  }

  core::Calendar calendar;
  HostDma dma;
  std::vector<std::uint64_t> names;
  std::vector<Time> times;
  std::function<void()> on_arrival;
};

inline Time round_trip(const HardwareProfile& profile, const DmaReadCost& cost) {
  return cost.request + profile.pcie.latency + cost.latency + cost.completion + profile.pcie.latency;
}

}  // namespace doorbell::model::reading_device
