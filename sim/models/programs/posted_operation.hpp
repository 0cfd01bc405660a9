// What a post step asks of the NIC: the operation whose path then says what it costs.
#pragma once

#include <optional>

#include "models/hardware/hardware_profile.hpp"
#include "models/nic/verb_path.hpp"
#include "models/programs/program.hpp"
#include "models/remote_memory/host_software.hpp"

namespace doorbell::model {

/// Who receives an operation.
struct Receiver {
  const HardwareProfile& hardware;
  const Program& program;
};

/// The operation that `step` posts on a machine of profile `requester` when it has `batch` WQEs at hand (opportunistic
/// batches differ from call to call). Which WQEs are written by MMIO is up to the driver, as in rdma_bench's libmlx5.
[[nodiscard]] Operation operation_of(const PostStep& step, const QueuePairs& queue_pairs, int batch,
                                     const HardwareProfile& requester, const Receiver& receiver);

/// The same with what a core of a machine with this software does for the payload of `step`. Throws
/// std::invalid_argument when that needs software, and there is none.
[[nodiscard]] Operation with_data_access(Operation operation, const PostStep& step,
                                         const std::optional<HostSoftware>& software);

/// The same where `poster`, whose threads have so many queue pairs for it, posts `step` to `receiver` in whole windows
/// that complete by themselves: only the last WQE of each queue pair is signaled, if `signal_every` allows. What it
/// says is a mean, and no less than that.
[[nodiscard]] Operation in_whole_windows(Operation operation, const PostStep& step, const Program& poster,
                                         const Program& receiver, int queue_pairs);

}  // namespace doorbell::model
