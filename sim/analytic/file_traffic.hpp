// What the loads of shared files move on average: through page caches, over the network and from the disks.
#pragma once

#include <limits>

#include "core/quantity.hpp"
#include "models/shared_files/shared_files.hpp"

namespace doorbell::analytic {

/// Per operation of the load: a call (stream), a file (web), a tile or a request of a trace. Bytes and counts are
/// averages, and never more than a run needs: of what may be found in a cache or a disk's buffer everything is found.
struct FileTraffic {
  double bytes = 0;           ///< That the load asked for.
  double calls = 0;           ///< Read and write calls; none for a trace, which goes to the device.
  double copied = 0;          ///< Between caller and page cache.
  double read = 0;            ///< Bytes of block reads ...
  double written = 0;         ///< ... and block writes, over the network.
  double read_requests = 0;   ///< At least so many.
  double write_requests = 0;  ///< Likewise.
  double disk_read = 0;       ///< Out of the disks' buffers.
  double disk_written = 0;
  double media_read = 0;     ///< Under the heads.
  double media_written = 0;  ///< Likewise: what write caches do not keep.
  bool into_caches = false;  ///< Some of it stays there that would not if they were full when measuring begins.
  double seeks = 0;          ///< Of all disks.
  double disk_buffers = 0;   ///< What these hold, behind and ahead of what has been read.
  Bytes call;                ///< Longest call, or request of a trace.
  Bytes request;             ///< Longest block request.
  double processes = 0;      ///< Each with one call at a time; 0 where requests come when they come.
  Time arrival{0};           ///< Of the last of these, divided by their number.
};

/// How far all machines have come: bytes of their operations before and while measuring.
struct Progress {
  double before = 0;
  double measured = std::numeric_limits<double>::infinity();  ///< For what goes on for ever.
};

/// What has not been read before is missed once, as far as that falls into the measurement.
///
/// Caches replace the page that has not been used for the longest time: a stream finds all of its files or nothing,
/// files at random are found as often as they fit (Che's approximation, with equal popularity). The server's cache
/// holds other files than the machine's, as far as there are others.
[[nodiscard]] FileTraffic file_traffic(const model::SharedFilesScenario& scenario, const Progress& progress);

}  // namespace doorbell::analytic
