// Which parameter of a profile a measured point can tell: that of whatever limits it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "models/scenario.hpp"
#include "tools/measured_set.hpp"

namespace doorbell::tools {

/// A measured point with the scenario of its setup.
struct TestPoint {
  const MeasuredSeries* series = nullptr;
  const MeasuredPoint* measured = nullptr;
  model::Scenario scenario;
};

/// A file for `doorbell calibrate` with a stage for each parameter that some of `points` can tell, after the closed
/// form of the profile as it is and the measured values: the port from what the network limits, a pipeline of the NIC
/// from what that limits, and so on; the NIC's own latency from single operations; of a storage server the disks, their
/// controller and the bridge to memory; a processing unit of the NIC from where more queue pairs were faster, since no
/// core limits then. What PCI Express limits tells nothing that data sheets do not. A stage takes at most four sizes of
/// a series, up to 64 KiB. Without stages when no point tells anything. The bounds of the searches are wide: nothing of
/// the profile is used.
[[nodiscard]] nlohmann::ordered_json calibration_plan(const std::vector<TestPoint>& points, const std::string& profile,
                                                      const std::string& figure);

}  // namespace doorbell::tools
