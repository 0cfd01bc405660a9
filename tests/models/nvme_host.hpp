// A drive with round numbers, and a host that waits for it.
#pragma once

#include <vector>

#include "models/dma_device.hpp"
#include "models/storage/nvme_drive.hpp"

namespace doorbell::model {

inline NvmeDriveParameters round_drive() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  return {.pcie = dma_device().hardware.pcie,
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
class NvmeHost final : public CommandClient {
 public:
  struct Done {
    std::uint64_t tag = 0;
    Time visible{0};
  };
  void command_done(void* tag, Time visible) override { done.push_back({*static_cast<std::uint64_t*>(tag), visible}); }

  std::vector<Done> done;
};

}  // namespace doorbell::model
