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
/// and what they displace, depends on the past: the pages read are as few as they can be, and so are the faults of
/// records of several pages, which may come together. Threads that walk through their parts miss every page, and find
/// those that were read ahead, unless they are among walkers_that_fit().
[[nodiscard]] PageTraffic page_traffic(const model::PagingLoad& load);
[[nodiscard]] PageTraffic page_traffic(const model::RecordLoad& load);

/// Threads that walk through their parts and may find all of these resident, the last one some of it; 0 unless one
/// whole part fits. Who gets ahead keeps what it has, as the pages of slower threads are older when they are evicted,
/// and then waits for none. A page that is found has kept its frame for as long as its thread takes to come round: the
/// shares of touches that threads find there, times the pages of their parts, sum up to the frames at most.
[[nodiscard]] double walkers_that_fit(const model::MemoryLimit& limit, const model::PageChoice& choice, int threads);

}  // namespace doorbell::analytic
