// Asymptotic bounds: how often something can happen when one resource has to take part each time.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/result.hpp"

namespace doorbell::analytic {

/// Demands are averages, finer than the picosecond of a Time.
using Seconds = std::chrono::duration<double>;

/// No more than `servers` / `demand` requests per second.
struct Bound {
  std::string resource;  ///< "server/PCIe downstream"; "client/window of client" for what is in flight.
  Time demand{0};        ///< Per measured request, to the nearest picosecond; for windows, the unloaded cycle.
  double servers = 1;    ///< For windows, the operations that can be in flight.
  Rate limit;            ///< Of the measured program's requests.
  std::optional<model::Limit> kind;  ///< None when only latency and the number in flight limit.
};

struct Bounds {
  std::vector<Bound> bounds;  ///< Tightest first.
  Rate throughput;            ///< The tightest bound; 0 when nothing bounds.
  Bandwidth bandwidth;        ///< What that moves; 0 where operations count, not bytes.
  bool sizes_differ = false;  ///< Of streams: `bandwidth` is the most they move, if not with most operations.
  std::string bottleneck;
  std::string next;          ///< What limits when that does not; empty when there is none.
  double gap = 1;            ///< How many times more the next would allow.
  Time unloaded_latency{0};  ///< Of an operation alone in the system.
  /// Steps of a program of which operations go on, whose shares are assumed (see Flow): a run may pass the bound.
  std::vector<std::string> assumed_shares;
  /// Programs that start work for one another or for the same third one; empty for a single one. The bound holds
  /// whatever each of them gets.
  std::vector<std::string> sharing;
  std::optional<Rate> shared;  ///< As `throughput`, if each of them gets as much as it keeps under way, or as arrives.
  /// What may make a run slower and is in no bound, in words.
  std::vector<std::string> left_out;

  /// Notes that each request takes `demand` of one of `servers`; what takes no time does not bound.
  void add(std::string resource, Seconds demand, double servers, std::optional<model::Limit> kind);
  /// Puts the bounds in order and fills in throughput, bottleneck, next and gap.
  void settle();
};

}  // namespace doorbell::analytic
