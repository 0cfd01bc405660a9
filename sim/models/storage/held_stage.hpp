// What requests of a storage server hold buffers, workers and places for.
#pragma once

#include "models/common/held_time.hpp"
#include "models/storage/held_transfer.hpp"

namespace doorbell::model {

/// Not every server has all of these. The resources of the network follow them.
enum HeldStage : HeldTime::Stage {
  for_scheduler,  // it keeps the array idle
  for_disks,
  for_commands,
  for_messages,
  for_latency,
  for_server_cpu,
  for_node_cpu,
  for_registration,
  for_locks,
  for_resources
};

}  // namespace doorbell::model
