// What limits streams of transfers, as a run has shown.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "models/common/result.hpp"
#include "models/fabric/fluid_network.hpp"

namespace doorbell::model {

/// What a measured stream has done.
struct StreamWork {
  std::string window;  ///< What its requests in flight are called; equal streams have the same.
  std::vector<FluidNetwork::Resource> crossed;  ///< By each request; more than once, if it crosses more than once.
  std::vector<double> waited;  ///< Seconds for which each of these left its data the least: all requests together.
  std::vector<double> saved;   ///< Of these, what twice as much of it would save.
  double held = 0;             ///< Seconds of all requests in flight together.
  /// Of which the data have passed each of these: those of a later stage come later, and may not have come at all.
  std::vector<double> requests;
  double size = 0;  ///< Of a request, in bytes.

  [[nodiscard]] double completed() const { return requests.empty() ? 0 : requests.back(); }
};

/// What most of the measured requests wait for: a resource that is full, or a window of requests in flight where all
/// that these cross has room. What only few of the requests cross does not limit, however busy it is: with more of it,
/// no more than these few would be faster. Of several that are saturated, the one limits that the streams fill
/// themselves; if there is none, the one that left their data the least for longest: what others fill gives them a
/// larger share than they can use. Where nothing is saturated, it is the window, or what its requests wait for most if
/// more of them would find that taken.
[[nodiscard]] Bottleneck transfer_bottleneck(const std::vector<FluidNetwork::Load>& loads,
                                             const std::vector<StreamWork>& measured);

/// Says how many of equal resources are idle, where these limit, because a stream uses one of them.
void tell_idle(const std::vector<FluidNetwork::Load>& loads, const std::set<FluidNetwork::Resource>& used,
               Bottleneck& bottleneck);

}  // namespace doorbell::model
