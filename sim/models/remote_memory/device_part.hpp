// The part of a device that one of its users has.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/quantity.hpp"
#include "core/task.hpp"
#include "models/remote_memory/remote_device.hpp"

namespace doorbell::model {

/// What has been asked of the machines behind a device: a write goes to each that holds its block.
struct DeviceUse {
  std::uint64_t requests = 0;
  Bytes bytes{0};
  Time handling{0};  ///< By completion handlers.
};

/// Places are counted from the part's beginning.
class DevicePart {
 public:
  /// `use`: counts what is asked from here on, if anybody wants to know.
  DevicePart(RemoteDevice& device, Bytes begin, DeviceUse* use = nullptr)
      : device_{&device}, begin_{begin}, use_{use} {}

  /// As RemoteDevice::submit; `client` is told when they are finished.
  core::Task<> submit(BlockClient& client, std::vector<BlockRequest*> requests, Submitter by) {
    for (BlockRequest* request : requests) {
      request->offset += begin_.count;
      request->client = &client;
      if (use_ == nullptr) continue;
      const int machines = device_->machines_for(request->write, request->offset);
      use_->requests += static_cast<std::uint64_t>(machines);
      use_->bytes += request->size * machines;
      use_->handling += device_->handling(request->write, request->size) * machines;
    }
    return device_->submit(std::move(requests), by);
  }

 private:
  RemoteDevice* device_;
  Bytes begin_;
  DeviceUse* use_;
};

}  // namespace doorbell::model
