// A process on a file system in user space.
#pragma once

#include <cstdint>
#include <string>

#include "core/process.hpp"
#include "core/random.hpp"
#include "core/signal.hpp"
#include "models/common/load.hpp"
#include "models/remote_loads/remote_memory.hpp"
#include "models/remote_memory/device_part.hpp"

namespace doorbell::model {

/// As IOzone on FUSE: one record at a time, which the kernel passes on to the file system's process in requests of
/// limited size, one after the other.
class FileLoadGenerator final : public Load, public BlockClient {
 public:
  FileLoadGenerator(core::Calendar& calendar, HostCpu& cpu, DevicePart device, const HostSoftware& software,
                    const FileLoad& load, Bytes stripe, std::uint64_t seed);

  void start() override;
  core::Task<> finished(BlockRequest& request) override;
  [[nodiscard]] std::string parts_of_time() const override;
  void measure(Time now) override;

 private:
  core::Process run();
  core::Task<> transfer(std::int64_t offset, Bytes size, bool write);

  core::Calendar& calendar_;
  HostCpu& cpu_;
  DevicePart device_;
  const FileLoad& load_;
  const HostSoftware& software_;
  Bytes stripe_;
  core::RandomStream random_;
  core::Signal arrival_;
  int pending_ = 0;
  int hardware_thread_ = 0;  // on which it finds itself
  struct Spent {
    Time on_calls{0};     // and on the copies of requests
    Time on_requests{0};  // to the device
    Time on_waiting{0};
    Time on_switches{0};  // back to the process
  };
  Spent spent_;
};

}  // namespace doorbell::model
