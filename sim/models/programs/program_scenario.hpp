// Machines, the programs that run on them, and what is measured. Plain data, as scenario.hpp.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/fabric/fabric.hpp"
#include "models/hardware/hardware_profile.hpp"
#include "models/machine/drive_group.hpp"
#include "models/programs/program.hpp"
#include "models/remote_memory/host_software.hpp"
#include "models/remote_memory/remote_access.hpp"

namespace doorbell::model {

/// A group of equal machines.
struct MachineGroup {
  std::string hardware_name;  ///< Of the profile, for reports.
  HardwareProfile hardware;
  int count = 1;
  std::optional<DriveGroup> drives = std::nullopt;
  std::optional<HostSoftware> software =
      std::nullopt;  ///< For a device, and for programs that sleep, copy or register.
  std::optional<RemoteDeviceGroup> remote_device = std::nullopt;
  int other_threads = 0;  ///< Of other software, which keep as many hardware threads active beside programs.
};

/// What is measured, and when the run may stop.
struct Measurement {
  std::string program;  ///< Whose completed operations are the throughput.
  Time warmup = std::chrono::microseconds{50};
  Time duration = std::chrono::microseconds{500};
  double operations_per_request = 1;  ///< Of the application: the throughput is in requests.
  double relative_ci = 0;  ///< Stop early once the 95 % interval is narrower than this share; 0: never early.
};
template <class V> void describe(V& v, Measurement& s) {
  v.field("program", s.program,
          {.doc = "Program whose operations count: those that its await steps take; without one, the requests that it "
                  "collects; without either, what it has transmitted."});
  v.optional("warmup", s.warmup, {.doc = "Simulated time before measuring.", .min = 0, .max = 10});
  v.optional("duration", s.duration, {.doc = "Simulated time measured.", .min = 1e-9, .max = 100});
  v.optional("operations_per_request", s.operations_per_request,
             {.doc = "Operations that one request of the application takes; the throughput is in requests.",
              .min = 1,
              .max = 1000});
  v.optional(
      "relative_ci", s.relative_ci,
      {.doc = "Stop early when the 95 % interval's half width is below this share of the mean.", .min = 0, .max = 0.5});
}

/// The machine groups with programs that send to `receiver`.
[[nodiscard]] inline std::set<std::string> groups_that_send_to(const Named<Program>& programs,
                                                               const std::string& receiver) {
  std::set<std::string> groups;
  for (const auto& [name, program] : programs) {
    if (sends_to(program, receiver)) groups.insert(program.machine);
  }
  return groups;
}

/// What a Simulation is made of.
struct ProgramScenario {
  Named<MachineGroup> machines;
  Fabric fabric;
  Named<Program> programs;
  Measurement measure;
  std::uint64_t seed = 1;
};

}  // namespace doorbell::model
