// The drives of a machine. Plain data, as scenario.hpp.
#pragma once

#include "models/common/describe.hpp"
#include "models/storage/nvme_drive.hpp"

namespace doorbell::model {

/// The NVMe drives of one machine.
struct DriveGroup {
  NvmeDriveParameters hardware;
  int count = 1;
};
template <class V> void describe(V& v, DriveGroup& s) {
  v.field("hardware", s.hardware, {.doc = "Profile of the drives: the path of its file, or the profile itself."});
  v.optional("count", s.count, {.doc = "Drives of each machine.", .min = 1, .max = 256});
}

}  // namespace doorbell::model
