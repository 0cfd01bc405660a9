// A small storage server in round numbers for the tests of its parts.
#pragma once

#include <cstdint>

#include "models/run.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

/// Round numbers: a disk array of 4, a bus of 400 MB/s, a link of 200 MB/s, and no times but those of the data.
inline StorageScenario small_storage_server() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  StorageScenario scenario;
  StorageServer& hardware = scenario.server;
  hardware.cpu = {.request = 0us, .copy = 1000_MBps, .tcp = 500_MBps};
  hardware.bus = {.pci = 400_MBps, .bridge = 300_MBps, .memory = 1000_MBps};
  hardware.raid = {.disks = 4,
                   .chunk = 64_KiB,
                   .media = 100_MBps,
                   .interface = 100_MBps,
                   .controller = 4000_MBps,
                   .read_ahead = 1024_KiB,
                   .command = 0us,
                   .fetch_from_memory = 150_MBps,
                   .fetch_from_bus = 120_MBps,
                   .queue = 1,
                   .mechanics = {}};
  hardware.fast_device = {.command = 0us, .segment = 256_KiB};
  hardware.nic = {
      .link = 200_MBps, .sram = 1024_KiB, .packet = 4_KiB, .message = 0us, .read_target = 25_MBps, .latency = 0us};
  hardware.bus_memory = 350_MBps;
  scenario.request = 256_KiB;
  scenario.warmup = 20ms;
  scenario.duration = 500ms;
  return scenario;
}

inline RunResult run_of(const StorageScenario& storage, std::uint64_t seed = 1) {
  Scenario scenario;
  scenario.seed = seed;
  scenario.instead = storage;
  return run(scenario);
}
inline double to_megabytes(Bytes bytes) { return static_cast<double>(bytes.count) / 1e6; }
inline double bandwidth_of(const StorageScenario& storage) { return run_of(storage).bandwidth.bytes_per_second / 1e6; }

}  // namespace doorbell::model
