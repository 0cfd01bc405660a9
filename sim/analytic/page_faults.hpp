// How often pages are missing under a memory limit, without replaying a single touch.
#pragma once

#include "models/remote_loads/remote_memory.hpp"

namespace doorbell::analytic {

/// Per operation of an application.
struct PageTraffic {
  double faults = 0;
  double pages_read = 0;
  double pages_written = 0;  ///< Of those that make room, the modified ones.
};

/// For pages touched at random, after the idea of Che's approximation (Che, Tung and Wang, "Hierarchical Web caching
/// systems", IEEE JSAC 20(7), 2002) for two lists: a page stays in each for a time that is the same for all, and comes
/// back to the active one if it is touched while inactive. Read-ahead is left out there: which neighbours it brings,
/// and what they displace, depends on the past: the pages read are as few as they can be. Threads that walk through
/// their parts miss every page, and find those that were read ahead.
[[nodiscard]] PageTraffic page_traffic(const model::PagingLoad& load);
[[nodiscard]] PageTraffic page_traffic(const model::RecordLoad& load);

}  // namespace doorbell::analytic
