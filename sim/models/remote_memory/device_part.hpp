// The part of a device that one of its users has.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/task.hpp"
#include "models/remote_memory/remote_device.hpp"

namespace doorbell::model {

/// Places are counted from the part's beginning.
class DevicePart {
 public:
  DevicePart(RemoteDevice& device, std::int64_t begin) : device_{&device}, begin_{begin} {}

  /// As RemoteDevice::submit; `client` is told when they are finished.
  core::Task<> submit(BlockClient& client, std::vector<BlockRequest*> requests, Submitter by) {
    for (BlockRequest* request : requests) {
      request->offset += begin_;
      request->client = &client;
    }
    return device_->submit(std::move(requests), by);
  }

 private:
  RemoteDevice* device_;
  std::int64_t begin_;
};

}  // namespace doorbell::model
