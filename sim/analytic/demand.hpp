// Service demands: what one work request of each kind owes to each resource, and how many servers the resource has.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analytic/bounds.hpp"
#include "analytic/flow.hpp"
#include "models/common/result.hpp"
#include "models/nic/verb_path.hpp"

namespace doorbell::analytic {

/// One row of the matrix, named as the simulator's utilisations are: "server/PCIe downstream".
struct ResourceRow {
  std::string name;
  double servers = 0;  ///< Over all machines of the group, and only those that the scenario can keep busy.
  model::Limit limit = model::Limit::cpu;
  bool is_station = true;  ///< Work queues for it; false for a limit on what is in flight (PCIe read tags).
  double together = 0;     ///< Of ports: those that any work takes, however much there is of each kind.
  double queues = 0;       ///< In which work waits for them; 0: one for each.
};

/// What one request asks of a resource that is in no verb path.
struct RowDemand {
  ResourceRow row;
  Seconds seconds{0};
};

/// One column: work requests of a post step towards one program, or the passes of a program's loop (no path).
struct OperationClass {
  std::string name;         ///< "worker: SEND to client", "worker: pass".
  std::size_t program = 0;  ///< Index in the flow.
  double visits = 0;        ///< Work requests or passes per measured request.
  int batch = 1;
  std::optional<model::VerbPath> path;
};

struct DemandMatrix {
  std::vector<ResourceRow> resources;
  std::vector<OperationClass> classes;
  Eigen::MatrixXd seconds;  ///< resources x classes, per work request or pass.

  /// Service per measured request, in seconds, by resource.
  [[nodiscard]] Eigen::VectorXd totals() const;
};

/// The demands of a scenario. Costs come from the verb paths; on top, a processing unit is held while WQEs are fetched,
/// and a core while it waits for a shared line to be transferred to it. A fetch brings as many announced WQEs as the
/// NIC takes at once and the send queue holds; WQEs that are displaced from the NIC's cache and read again do not
/// count.
[[nodiscard]] DemandMatrix demand_matrix(const Flow& flow);

}  // namespace doorbell::analytic
