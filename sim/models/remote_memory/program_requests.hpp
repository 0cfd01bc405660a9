// The way of programs to the device of their machine.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/calendar.hpp"
#include "core/latency_histogram.hpp"
#include "core/task.hpp"
#include "models/remote_memory/device_part.hpp"
#include "models/remote_memory/host_software.hpp"
#include "models/storage/command_client.hpp"

namespace doorbell::model {

/// Asynchronous block I/O: one call takes all requests at hand through the block layer, and the handlers of completions
/// leave what is done where threads that poll find it.
class ProgramRequests final : public BlockClient {
 public:
  ProgramRequests(core::Calendar& calendar, DevicePart device, const BlockLayerParameters& block)
      : calendar_{calendar}, device_{device}, block_{block} {}

  struct Request {
    CommandClient* client = nullptr;
    void* tag = nullptr;  ///< For the client.
    std::int64_t offset = 0;
    Bytes size;
    bool write = false;
  };
  /// As a thread on that hardware thread.
  core::Task<> submit(std::vector<Request> requests, int thread, Submitter by);

  core::Task<> finished(BlockRequest& request) override;

  /// From the call until a request is done.
  [[nodiscard]] const core::LatencyHistogram& latency() const { return latency_; }
  void measure() { latency_.reset(); }

 private:
  struct Pending {
    BlockRequest request;
    CommandClient* client = nullptr;
    void* tag = nullptr;
  };
  [[nodiscard]] Pending& take(const Request& request, int thread);

  core::Calendar& calendar_;
  DevicePart device_;
  const BlockLayerParameters& block_;
  std::deque<Pending> places_;  // a deque, because the device points into it
  std::vector<Pending*> free_;
  core::LatencyHistogram latency_;
};

}  // namespace doorbell::model
