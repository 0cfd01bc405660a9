// A small cluster in round numbers for the tests of its parts.
#pragma once

#include "models/run.hpp"
#include "models/shared_files/shared_files.hpp"
#include "models/storage_machine.hpp"

namespace doorbell::model {

/// Four disks of 100 MB/s that seek in 10 ms, a bus of 400 MB/s, a bridge of 200 MB/s, links of 300 MB/s, copies of 500
/// MB/s, and no times but those of data and heads. One machine reads a file of 1 GiB from the disks into the NIC.
inline SharedFilesScenario small_cluster() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  SharedFilesScenario shared;
  shared.server = small_storage_server().server;
  StorageServer& server = shared.server;
  server.cpu.copy = 500_MBps;
  server.bus = {.pci = 400_MBps, .bridge = 200_MBps, .memory = 4000_MBps};
  server.raid.queue = 16;
  server.raid.mechanics = {Bytes{100'000'000'000}, 1ms, 8ms, 4ms, 8};
  server.nic.link = 300_MBps;
  shared.node.bus = {.pci = 4000_MBps, .bridge = 4000_MBps, .memory = 1000_MBps};
  shared.node.link = 300_MBps;
  shared.node.cores = 2;
  shared.node.copy = 250_MBps;
  shared.node.cache_of_core = 512_KiB;
  shared.mount.direct = true;
  shared.disks.scheduler = IoScheduler::noop;
  shared.files.size = Bytes{1LL << 30};
  shared.stream = StreamLoad{.record = 256_KiB};
  shared.warmup = 200ms;
  shared.duration = 2s;
  return shared;
}

inline RunResult run_of(const SharedFilesScenario& shared) {
  Scenario scenario;
  scenario.instead = shared;
  return run(scenario);
}
inline double megabytes_per_second(const SharedFilesScenario& shared) {
  return run_of(shared).bandwidth.bytes_per_second / 1e6;
}

}  // namespace doorbell::model
