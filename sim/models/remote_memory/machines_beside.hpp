// The machines of a scenario with remote memory, and the programs that run beside its load.
#pragma once

#include <string_view>

#include "models/scenario.hpp"

namespace doorbell::model {

/// Names of the groups that such a scenario has in any case.
inline constexpr std::string_view host_machine = "host";
inline constexpr std::string_view peer_machine = "peer";

/// Threads that the programs of a scenario have on one machine of a group; each keeps a hardware thread to itself.
[[nodiscard]] int program_threads(const Named<Program>& programs, std::string_view machine);

/// Threads of other software that keep a hardware thread of such a machine active beside those of programs, of which
/// there are not more than it has: what a load has there, and what polls for completions of its device for ever.
[[nodiscard]] int threads_beside(const Named<Program>& programs, std::string_view machine, const MachineGroup& group);

/// The host, its peers and whatever machines the scenario has besides, with its programs: what a Simulation is made of.
/// The threads of loads, handlers that poll for ever and daemons slow programs down as if all were always active.
[[nodiscard]] Scenario with_host_and_peers(const Scenario& scenario, const RemoteMemoryScenario& remote);

}  // namespace doorbell::model
