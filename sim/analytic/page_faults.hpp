// How often pages are missing under a memory limit, without replaying a single touch.
#pragma once

#include "models/remote_memory/remote_memory.hpp"

namespace doorbell::analytic {

/// Per touch of a page.
struct PageTraffic {
  double faults = 0;
  double pages_read = 0;
  double pages_written = 0;  ///< Of those that make room, the modified ones.
};

/// Least-recently-used replacement. For pages chosen at random Che's approximation (Che, Tung and Wang, "Hierarchical
/// Web caching systems", IEEE JSAC 20(7), 2002): a page stays while it is touched within a time that is the same for
/// all. Read-ahead is left out there: which neighbours it brings, and what they displace, depends on the past. Threads
/// that walk through their parts miss every page, and find those that were read ahead.
[[nodiscard]] PageTraffic page_traffic(const model::PagingLoad& load);

}  // namespace doorbell::analytic
