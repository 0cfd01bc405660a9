// Names of resources: those by which closed forms and printers know again what simulations report.
#pragma once

#include <string>
#include <string_view>

namespace doorbell::model {

namespace part {
inline constexpr std::string_view cpu = "CPU";
inline constexpr std::string_view pcie_downstream = "PCIe downstream";
inline constexpr std::string_view mmio_credits = "PCIe MMIO credits";
inline constexpr const char* atomic_engines = "atomic engines";
}  // namespace part

/// Of a part that each machine of a group has: "server/PCIe downstream".
[[nodiscard]] inline std::string resource_name(std::string_view machine, std::string_view part) {
  return std::string{machine}.append("/").append(part);
}

/// Of what a program has on its machines: "server/arrivals of worker".
[[nodiscard]] inline std::string resource_name(std::string_view machine, std::string_view what,
                                               std::string_view program) {
  return resource_name(machine, what).append(" of ").append(program);
}

/// Of that machine of a group in which a resource of all is busiest: "server/PCIe downstream (busiest machine)".
[[nodiscard]] inline std::string busiest_machine_of(std::string_view resource) {
  return std::string{resource}.append(" (busiest machine)");
}
/// Whether `name` is this resource, of all machines of a group or of the busiest of them.
[[nodiscard]] inline bool is_resource(std::string_view name, std::string_view resource) {
  return name == resource || name == busiest_machine_of(resource);
}

/// Of all that a group's units do for queue pairs, as something that these hold.
[[nodiscard]] inline std::string processing_units_with_waits(std::string_view machine) {
  return resource_name(machine, "NIC processing units, waits included");
}
[[nodiscard]] inline std::string cores_of(std::string_view machine, std::string_view program) {
  return resource_name(machine, "cores", program);
}
[[nodiscard]] inline std::string threads_of(std::string_view machine, std::string_view program) {
  return resource_name(machine, "threads", program);
}
[[nodiscard]] inline std::string arrivals_of(std::string_view machine, std::string_view program) {
  return resource_name(machine, "arrivals", program);
}
[[nodiscard]] inline std::string send_queues_of(std::string_view machine, std::string_view program) {
  return resource_name(machine, "send queues", program);
}
[[nodiscard]] inline std::string window_of(std::string_view machine, std::string_view program) {
  return resource_name(machine, "window", program);
}
/// Of the READs and atomics that a program has under way, as something that queue pairs hold.
[[nodiscard]] inline std::string reads_in_flight_of(std::string_view machine, std::string_view program) {
  return resource_name(machine, "READs in flight", program);
}
[[nodiscard]] inline std::string atomic_engines_of(std::string_view machine) {
  return resource_name(machine, part::atomic_engines);
}
/// Of a cache line that threads of the machine share, by its name.
[[nodiscard]] inline std::string shared_line_of(std::string_view machine, std::string_view line) {
  return resource_name(machine, "shared line ").append(line);
}
/// Of the locks of the queues from which the threads of a program collect.
[[nodiscard]] inline std::string completion_queues_of(std::string_view machine, std::string_view program) {
  return resource_name(machine, "completion queues", program);
}
[[nodiscard]] inline std::string receive_queues_of(std::string_view machine, std::string_view program) {
  return resource_name(machine, "receive queues", program);
}

}  // namespace doorbell::model
