// Threads that keep a number of block requests in flight.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/process.hpp"
#include "core/random.hpp"
#include "core/signal.hpp"
#include "models/common/load.hpp"
#include "models/remote_loads/remote_memory.hpp"
#include "models/remote_memory/device_part.hpp"

namespace doorbell::model {

/// Each thread works in a part of the device of its own.
inline constexpr std::int64_t part_of_block_thread = std::int64_t{256} << 20;

/// As FIO with an asynchronous engine: a thread issues requests until its depth is reached, then takes what has
/// finished, and sleeps when nothing has.
class BlockLoadGenerator final : public Load, public BlockClient {
 public:
  BlockLoadGenerator(core::Calendar& calendar, HostCpu& cpu, DevicePart device, const HostSoftware& software,
                     const BlockLoad& load, std::uint64_t seed);

  void start() override;
  core::Task<> finished(BlockRequest& request) override;

 private:
  struct Worker {
    explicit Worker(core::Calendar& calendar) : arrival{calendar} {}
    int number = 0;
    int hardware_thread = 0;
    std::vector<BlockRequest> requests;
    std::vector<BlockRequest*> free;
    std::vector<BlockRequest*> done;
    std::int64_t next = 0;
    bool asleep = false;
    core::Signal arrival;
  };

  core::Process run(Worker& worker);
  core::Process begin(Worker& worker);
  void prepare(Worker& worker, BlockRequest& request);

  core::Calendar& calendar_;
  HostCpu& cpu_;
  DevicePart device_;
  const BlockLoad& load_;
  const HostSoftware& software_;
  core::RandomStream random_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace doorbell::model
