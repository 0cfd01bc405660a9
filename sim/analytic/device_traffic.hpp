// What a load asks of a remote-memory device for each of its operations, and how that becomes work requests.
#pragma once

#include "core/quantity.hpp"
#include "models/remote_loads/remote_memory.hpp"

namespace doorbell::analytic {

/// Requests of one direction.
struct Requests {
  double requests = 0;       ///< Per operation of the load.
  Bytes size{0};             ///< Of one, on average.
  double merged = 1;         ///< That become one WQE.
  double replicas = 1;       ///< Machines that each WQE goes to, on average over all blocks.
  double remote = 1;         ///< Share that goes to any machine.
  double to_disk = 0;        ///< Share that goes to the disk of the host.
  double posted_by_one = 1;  ///< WQEs of one posting call.

  /// Per operation of the load, to all replicas.
  [[nodiscard]] double wqes() const { return requests / merged * replicas; }
  [[nodiscard]] double calls() const { return wqes() / posted_by_one; }
  [[nodiscard]] Bytes wqe_size() const { return size * static_cast<std::int64_t>(merged); }
};

struct DeviceTraffic {
  Requests reads;
  Requests writes;
  double faults = 0;  ///< Per operation, of a load that pages.

  [[nodiscard]] double requests() const { return reads.requests + writes.requests; }
  [[nodiscard]] double wqes() const { return reads.wqes() + writes.wqes(); }
  [[nodiscard]] double calls() const { return reads.calls() + writes.calls(); }
};

/// Merging and chaining are as complete as the load's order and what it has in flight allow; an operation is what the
/// simulator counts as one: a block request, an operation of the application, a record.
[[nodiscard]] DeviceTraffic device_traffic(const model::RemoteMemoryScenario& scenario);

}  // namespace doorbell::analytic
