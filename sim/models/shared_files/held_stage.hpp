// What requests of shared files hold workers, buffers and places for.
#pragma once

#include "models/common/held_time.hpp"
#include "models/storage/held_transfer.hpp"

namespace doorbell::model {

/// The resources of the network follow these.
enum HeldStage : HeldTime::Stage {
  for_scheduler,  // it keeps the array idle
  for_disks,
  for_commands,
  for_messages,
  for_latency,
  for_server_cpu,
  for_node_cpu,
  for_locks,
  for_resources
};

}  // namespace doorbell::model
