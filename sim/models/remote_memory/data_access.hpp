// Letting the NIC reach the data of a request: copied into a registered region, or mapped where they lie.
#pragma once

#include "core/quantity.hpp"
#include "models/remote_memory/host_software.hpp"
#include "models/remote_memory/registration.hpp"

namespace doorbell::model {

/// What preMR and dynMR cost a core (Bae et al. 2021, section 5.1).
class DataAccess {
 public:
  DataAccess(const DataPlacement& placement, const MemoryParameters& memory) : placement_{placement}, memory_{memory} {}

  /// CPU time before a WQE of this size is posted. What is read is copied when it has come.
  [[nodiscard]] Time before(Bytes size, bool write) const;
  /// CPU time when a READ has come.
  [[nodiscard]] Time after_read(Bytes size) const { return copies(size) ? copy_time(size) : Time{0}; }

 private:
  [[nodiscard]] bool copies(Bytes size) const;
  [[nodiscard]] Time copy_time(Bytes size) const { return transfer_time(size, memory_.copy); }
  [[nodiscard]] Time mapping_time(Bytes size) const;

  DataPlacement placement_;
  MemoryParameters memory_;
};

}  // namespace doorbell::model
