// The machines of a scenario with remote memory, and the programs that run beside its load.
#pragma once

#include <string_view>

#include "models/programs/program_scenario.hpp"
#include "models/remote_loads/remote_memory.hpp"

namespace doorbell::model {

/// Names of the groups that such a scenario has in any case.
inline constexpr std::string_view host_machine = "host";
inline constexpr std::string_view peer_machine = "peer";

/// The host, its peers and whatever machines the scenario has besides, with its programs: what a Simulation is made of.
/// The threads of loads, handlers that poll for ever and daemons slow programs down as if all were always active.
[[nodiscard]] ProgramScenario with_host_and_peers(const ProgramScenario& scenario, const RemoteMemoryScenario& remote);

}  // namespace doorbell::model
