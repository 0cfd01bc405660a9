// Service demands: what one work request of each kind owes to each resource, and how many servers the resource has.
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analytic/flow.hpp"
#include "models/nic/verb_path.hpp"
#include "models/result.hpp"

namespace doorbell::analytic {

/// One row of the matrix, named as the simulator's utilisations are: "server/PCIe downstream".
struct ResourceRow {
  std::string name;
  double servers = 0;  ///< Over all machines of the group, and only those that the scenario can keep busy.
  model::Limit limit = model::Limit::cpu;
  bool is_station = true;  ///< Work queues for it; false for a limit on what is in flight (PCIe read tags).
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

/// CPU time to see that a relayed operation is done, and to handle that; the CQE of one that nobody answers is in its
/// path.
[[nodiscard]] Time return_time(const ProgramFlow& from, const PostFlow& post);

/// The path that the work requests of a post take between these two programs when a call has `batch` of them.
[[nodiscard]] model::VerbPath path_of(const Flow& flow, const ProgramFlow& from, const PostFlow& post, int batch);

/// WQEs that one DMA read brings when the send queue is full of calls of `batch` WQEs.
[[nodiscard]] int wqes_per_fetch(const model::NicParameters& nic, int batch, int depth);

/// How many operations may hold a lock at a time, at most: as many as there are distinct locks that the words of a
/// region fall on, which the low `address_bits` bits of an address choose (Kalia et al. 2016, section 5.4), or fewer
/// where everybody wants the same. Without a region, one word is shared by all.
[[nodiscard]] double lock_servers(const std::optional<model::Region>& region, int address_bits);

/// Mean time of an atomic increment of a line that `threads` cores of one die modify in turn: with more than one, the
/// previous owner is equally likely any of the others.
[[nodiscard]] Time shared_line_time(const model::SharedLineParameters& line, int threads);

}  // namespace doorbell::analytic
