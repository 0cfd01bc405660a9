// How many threads keep the cores of a machine busy, and so slow each other down.
#pragma once

#include <string_view>

#include "models/programs/program_scenario.hpp"

namespace doorbell::model {

/// Threads that the programs of a scenario have on one machine of a group; each keeps a hardware thread to itself.
[[nodiscard]] int program_threads(const Named<Program>& programs, std::string_view machine);

/// Threads of other software that keep a hardware thread of such a machine active beside those of programs, of which
/// there are not more than it has: what a load has there, and what polls for completions of its device for ever.
[[nodiscard]] int threads_beside(const Named<Program>& programs, std::string_view machine, const MachineGroup& group);

}  // namespace doorbell::model
