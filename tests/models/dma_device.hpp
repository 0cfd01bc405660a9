// A host and a device with round numbers.
#pragma once

#include "models/dma/dma_scenario.hpp"

namespace doorbell::model {

inline DmaScenario dma_device() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  DmaScenario scenario;
  scenario.hardware.pcie = {.lanes = 8,
                            .lane_bandwidth = {1e9},
                            .request_header = 24_B,
                            .completion_header = 20_B,
                            .read_completion_boundary = 64_B,
                            .max_payload = 256_B,
                            .max_read_request = 512_B,
                            .dllp = 8_B,
                            .tlps_per_ack = 1e9,
                            .tlps_per_credit_update = 1e9,
                            .posted_header_credits = 64,
                            .mmio_credits = 16,
                            .nonposted_header_credits = 128,
                            .read_tags = 32,
                            .latency = 100ns};
  scenario.hardware.memory = {.cache = {.size = Bytes{1 << 20}, .device_share = Bytes{1 << 17}},
                              .read_latency = 200ns,
                              .dram = 80ns,
                              .remote = 60ns,
                              .write_latency = 150ns,
                              .eviction = 70ns};
  scenario.hardware.iommu = {.entries = 64, .walk = 300ns, .walkers = 6};
  scenario.hardware.dma_engine = {.read_interval = 5ns,
                                  .write_interval = 20ns,
                                  .start = 10ns,
                                  .load = 30ns,
                                  .store = 40ns,
                                  .signal = 15ns,
                                  .memory = {8e9}};
  scenario.size = 64_B;
  scenario.window = 8_KiB;
  scenario.in_flight = 1;
  scenario.warmup = 20us;
  scenario.duration = 200us;
  return scenario;
}

/// Memory of one channel that holds four writes.
inline DramParameters one_channel() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  return {.channels = 1,
          .banks = 8,
          .row = 1_KiB,
          .line = 3ns,
          .row_open = 25ns,
          .row_close = 15ns,
          .turnaround = 10ns,
          .window = 16,
          .write_queue = 4,
          .drain_at = 3,
          .drain_to = 1};
}

inline CoreMemoryParameters streaming_core() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  return {.line_fill_buffers = 10, .latency = 60ns, .cache = 64_KiB, .write_backs = 16};
}

}  // namespace doorbell::model
