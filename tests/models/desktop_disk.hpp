// A disk with round numbers, for tests.
#pragma once

#include "models/storage/local_disk_parameters.hpp"

namespace doorbell::model {

inline LocalDiskParameters desktop_disk() {
  using namespace std::chrono_literals;
  using namespace doorbell::literals;
  return {.media = 100_MBps,
          .read_ahead = 1024_KiB,
          .command = 100us,
          .largest_request = 512_KiB,
          .mechanics = {Bytes{1'000'000'000'000}, 1ms, 8ms, 8ms, 16}};
}

}  // namespace doorbell::model
