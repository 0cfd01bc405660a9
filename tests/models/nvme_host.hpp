// A drive with round numbers, and a host that waits for it.
#pragma once

#include <vector>

#include "models/nvme_drive.hpp"

namespace doorbell::model {

inline NvmeDriveParameters round_drive() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  return {.pcie = {.lanes = 4,
                   .lane_bandwidth = {2e9},
                   .request_header = 24_B,
                   .completion_header = 20_B,
                   .read_completion_boundary = 64_B,
                   .max_payload = 256_B,
                   .max_read_request = 512_B,
                   .dllp = 8_B,
                   .tlps_per_ack = 1e9,
                   .tlps_per_credit_update = 1e9,
                   .posted_header_credits = 128,
                   .mmio_credits = 64,
                   .nonposted_header_credits = 128,
                   .read_tags = 64,
                   .latency = 100ns},
          .command = 1us,
          .latency = 3us,
          .flash = {.units = 64,
                    .page = 16_KiB,
                    .read = 50us,
                    .program = 500us,
                    .channels = {4.096e9},
                    .write_buffer = 1024_KiB}};
}

inline RootComplexParameters round_root_complex() {
  using namespace std::chrono_literals;
  RootComplexParameters root_complex;
  root_complex.read_latency = 200ns;
  root_complex.write_latency = 150ns;
  return root_complex;
}

/// Notes when commands are done.
class NvmeHost final : public DriveClient {
 public:
  struct Done {
    std::uint64_t tag = 0;
    Time visible{0};
  };
  void command_done(void* tag, Time visible) override { done.push_back({*static_cast<std::uint64_t*>(tag), visible}); }

  std::vector<Done> done;
};

}  // namespace doorbell::model
