// Which of the resources of a run limits it, and why, in words.
#pragma once

#include <string>
#include <vector>

#include "models/common/result.hpp"

namespace doorbell::model {

/// What is as busy as this may limit.
inline constexpr double saturated = 0.85;

/// "52 %".
[[nodiscard]] std::string percent(double share);

/// Equally busy ones stay in their order.
void sort_busiest_first(std::vector<Utilisation>& utilisations);

/// Whether what a holder is held for limits, and not how many hold it: twice as much of that gains
/// more than any number of holders, which would find it taken.
[[nodiscard]] bool waits_for_one(const Utilisation& holder);

/// The busiest resource, in a sentence. `utilisations` are sorted. `holders` are what operations hold while they use
/// those resources: buffers, say. The first of them that is always taken limits when no resource does, and is mentioned
/// when one is only just saturated, so the innermost come first.
[[nodiscard]] Bottleneck find_bottleneck(const std::vector<Utilisation>& utilisations,
                                         const std::vector<Utilisation>& holders = {});

}  // namespace doorbell::model
