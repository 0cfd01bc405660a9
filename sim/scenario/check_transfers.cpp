// Transfer scenarios whose parts contradict one another.
#include "scenario/checks.hpp"
#include "scenario/form.hpp"

namespace doorbell::scenario {

using namespace model;

void check_transfers(TransferScenario& transfers, const Node& tree) {
  Scenario none;
  const Examined examined{none, tree};
  const Pointer at = Pointer{} / keys::transfers;
  if (!transfers.measure.empty()) {
    examined.require_name(transfers.measure, transfers.streams, ErrorCode::unknown_resource, at / "measure");
  }
  for (auto& [name, stream] : transfers.streams) {
    const Pointer stages = at / "streams" / name / "stages";
    if (stream.stages.empty()) examined.refuse(ErrorCode::nothing_to_cross, stages, "at least one stage", "none");
    for (std::size_t i = 0; i < stream.stages.size(); ++i) {
      const Pointer route = stages / std::to_string(i) / "route";
      const std::vector<std::string>& names = stream.stages[i].route;
      if (names.empty()) examined.refuse(ErrorCode::nothing_to_cross, route, "at least one resource", "none");
      for (std::size_t j = 0; j < names.size(); ++j) {
        examined.require_name(names[j], transfers.resources, ErrorCode::unknown_resource, route / std::to_string(j));
      }
    }
  }
  if (transfers.streams.empty()) {
    examined.refuse(ErrorCode::nothing_to_cross, at / "streams", "at least one stream", "none");
  }
}

}  // namespace doorbell::scenario
