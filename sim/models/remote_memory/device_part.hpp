// The part of a device that one of its users has.
#pragma once

#include <utility>
#include <vector>

#include "core/quantity.hpp"
#include "core/task.hpp"
#include "models/remote_memory/remote_device.hpp"

namespace doorbell::model {

/// Places are counted from the part's beginning.
class DevicePart {
 public:
  DevicePart(RemoteDevice& device, Bytes begin) : device_{&device}, begin_{begin} {}

  /// As RemoteDevice::submit; `client` is told when they are finished.
  core::Task<> submit(BlockClient& client, std::vector<BlockRequest*> requests, Submitter by) {
    for (BlockRequest* request : requests) {
      request->offset += begin_.count;
      request->client = &client;
    }
    return device_->submit(std::move(requests), by);
  }

 private:
  RemoteDevice* device_;
  Bytes begin_;
};

}  // namespace doorbell::model
