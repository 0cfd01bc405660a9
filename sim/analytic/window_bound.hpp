// What the window of a device on remote memory lets be in flight.
#pragma once

#include "analytic/remote_request.hpp"

namespace doorbell::analytic {

/// Block requests in flight together, and from when they are taken until they leave the window, at the least: no more
/// than requests / each per second.
struct InWindow {
  double requests = 1;
  Latency each;
};

/// Whoever finds the window open takes a batch. Without merging batches fill the window and no more. With it each may
/// be as long as the longest WQE, however little of the window was left, but no more of them are under way than the
/// window has room for requests, and a batch is the work of one thread and of one completion queue. For a load of
/// block requests that has `most` at a time, and all cores to itself.
[[nodiscard]] InWindow in_window(const model::RemoteMemoryScenario& scenario, const RemoteMemorySoftware& software,
                                 double most);
/// The same for programs that share the cores, with any number of requests to peers with this hardware.
[[nodiscard]] InWindow in_window_of_programs(const model::RemoteMemoryScenario& scenario,
                                             const RemoteMemorySoftware& software, const model::HardwareProfile& peer);

}  // namespace doorbell::analytic
