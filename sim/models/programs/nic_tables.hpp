// How large the tables are of which the NICs of a machine keep a part.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/programs/program_scenario.hpp"

namespace doorbell::model {

/// Contexts of queue pairs on the busiest machine of each group: of its own queue pairs, and of those that are
/// connected to it. All programs and machines that the scenario names must be there.
[[nodiscard]] std::map<std::string, std::int64_t> contexts_by_machine(const ProgramScenario& scenario);

/// Translations of the largest region on a machine of each group that has one. The same holds.
[[nodiscard]] std::map<std::string, std::int64_t> translations_by_machine(const ProgramScenario& scenario);

}  // namespace doorbell::model
