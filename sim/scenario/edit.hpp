// Changing one value of a document by its path: what overrides and sweeps have in common.
#pragma once

#include "scenario/form.hpp"
#include "scenario/pointer.hpp"
#include "scenario/tree.hpp"

namespace doorbell::scenario {

/// Puts `value` at `pointer`, making the objects on the way that a scenario may leave out. `from` is where the path was
/// written. Throws ScenarioError (path_not_found) with the nearest name when the path leads nowhere.
void put(Node& root, const Form& form, const Pointer& pointer, Node value, const Location& from);

}  // namespace doorbell::scenario
