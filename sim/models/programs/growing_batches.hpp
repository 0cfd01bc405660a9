// Programs that take more requests at a time when more wait, so that what they need once for all of them serves more.
#pragma once

#include <string>

#include "models/programs/simulation.hpp"

namespace doorbell::model {

/// Whether the passes of a program find far fewer requests than they may take.
[[nodiscard]] bool has_room_in_batches(const ProgramPlan& plan);
/// Whether they also find several, so that its cores are busy with more passes than they would need.
[[nodiscard]] bool works_in_growing_batches(const ProgramPlan& plan);
/// Whether passes have room, find several, and do much of their work once for all of them: with more in flight, cores
/// would do more.
[[nodiscard]] bool shares_work_in_batches(const ProgramPlan& plan);
/// Whether all who increment that line of the machines do so once for all requests of a pass, which could be more.
[[nodiscard]] bool is_incremented_for_growing_batches(Simulation& simulation, const std::string& machine,
                                                      const std::string& line);
/// Whether the threads of a program wait for such a line, which is taken nearly all the time: more of them would wait
/// as well, and take fewer requests at a time.
[[nodiscard]] bool fills_elastic_line(Simulation& simulation, const ProgramPlan& plan);

}  // namespace doorbell::model
