// A machine with a Connect-IB NIC on PCIe 3.0 x16, for tests that work numbers out by hand. What the paper states has
// the paper's value; the rest is round, so that sums are easy, and is not the calibrated profile of scenarios/hardware.
#pragma once

#include "models/hardware/hardware_profile.hpp"

namespace doorbell::model {

inline HardwareProfile connect_ib() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  HardwareProfile profile;
  profile.cpu = {.cores = 14,
                 .threads_per_core = 1,
                 .smt_gain = 1,
                 .turbo = {{2e9}},
                 .wqe_cost = 20ns,
                 .poll_cqe = 20ns,
                 .poll_empty = 10ns,
                 .recv_cost = 10ns};
  profile.shared_line = {.local = 10ns, .transfer = 40ns, .cross_ring = 20ns, .ring_cores = 8};
  profile.mmio = {.line = 64_B,
                  .buffers = 10,
                  .line_cost = 10ns,
                  .fence_cost = 20ns,
                  .doorbell = 8_B,
                  .blueflame = 256_B,
                  .last_of_list = false};
  profile.root_complex = {.read_latency = 100ns,
                          .read_latency_dram = 200ns,
                          .write_latency = 50ns,
                          .completion_queue = 2_KiB,
                          .cache = 32_KiB * 1024};
  profile.pcie = {.lanes = 16,
                  .lane_bandwidth = 984.6_MBps,
                  .request_header = 26_B,
                  .completion_header = 22_B,
                  .read_completion_boundary = 128_B,
                  .max_payload = 256_B,
                  .max_read_request = 512_B,
                  .dllp = 8_B,
                  .tlps_per_ack = 4.5,
                  .tlps_per_credit_update = 4.5,
                  .posted_header_credits = 64,
                  .mmio_credits = 64,
                  .nonposted_header_credits = 64,
                  .read_tags = 64,
                  .latency = 150ns};
  profile.nic = {.processing_units = 16,
                 .pu_wqe = 75ns,
                 .pu_doorbell = 5ns,
                 .tx_message = 6ns,
                 .tx_line = 0ns,
                 .tx_read_request = 5ns,
                 .long_read = 0_B,
                 .tx_response = 6ns,
                 .rx_message = 4ns,
                 .rx_recv = 0ns,
                 .rx_dma = 4ns,
                 .data_path = 1000000_MBps,
                 .wqe_slot = 64_B,
                 .wqe_stride = 64_B,
                 .ud_wqe_header = 68_B,
                 .connected_wqe_header = 36_B,
                 .max_fetch = 64,
                 .wqe_fetch_unit = 64_B,
                 .mmio_wqes = 4096,
                 .wqe_read_ahead = 1_KiB,
                 .wqe_cache = 1024,
                 .qp_contexts = 4096,
                 .qp_context = 256_B,
                 .translations = 4096,
                 .state_fetches = 16,
                 .read_states = 1 << 20,
                 .read_state_fetches = 16,
                 .tx_queue = 16,
                 .max_outstanding_reads = 16,
                 .wqe_cache_place = 64_B,
                 .recv_wqe = 16_B,
                 .recv_prefetch = 8,
                 .recv_ahead = 512,
                 .cqe = 64_B,
                 .inline_receive = 0_B,
                 .rx_inline = 0ns,
                 .latency = 100ns,
                 .read_response_latency = 40ns};
  profile.atomics = {.address_bits = 12, .engines = 16, .queue = 64, .processing = 11ns};
  profile.port = {.ports = 2, .bandwidth = 6800_MBps, .mtu = 4096_B, .framing = 4_B, .receive_buffer = 64_KiB};
  return profile;
}

}  // namespace doorbell::model
