// Requests of all threads on their way to a NIC: what is adjacent becomes one work request.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/quantity.hpp"

namespace doorbell::model {

class BlockClient;

/// A request to remote memory: whole pages at a place of the device.
struct BlockRequest {
  std::int64_t offset = 0;  ///< Bytes from the beginning of the device.
  Bytes size;
  bool write = false;
  int thread = 0;                 ///< Hardware thread on which it was asked for.
  Time issued{0};                 ///< When.
  Time queued{0};                 ///< When it came into the merge queue.
  int pending = 0;                ///< Work requests, on all replicas, that are still under way.
  int peer = 0;                   ///< The machine that holds the data, or its first replica.
  void* note = nullptr;           ///< For who asked.
  BlockClient* client = nullptr;  ///< Who that is.
};

/// Requests that go to the NIC as one WQE.
struct WorkRequest {
  std::int64_t offset = 0;
  Bytes size;
  std::vector<BlockRequest*> requests;
};

/// How far a batch may grow.
struct BatchLimits {
  int wqes = 1;
  Bytes bytes;
  bool merge = false;  ///< Adjacent requests become one WQE ...
  Bytes largest;       ///< ... of this size at most.
};

/// Load-aware batching (Bae et al. 2021, section 5.1): whoever adds a request also takes what has gathered, one after
/// another until nothing is left, so that requests are merged only when they come faster than they are sent.
class MergeQueue {
 public:
  void push(BlockRequest& request) { requests_.push_back(&request); }
  [[nodiscard]] bool empty() const { return requests_.empty(); }
  [[nodiscard]] const BlockRequest& front() const { return *requests_.front(); }

  /// Moves the oldest request into `batch`, into the WQE that it adjoins or a new one. False, and nothing is moved, if
  /// there is none, if it goes to another peer, or if the batch would grow beyond its limits; an empty batch takes any.
  [[nodiscard]] bool take(std::vector<WorkRequest>& batch, const BatchLimits& limits) {
    if (requests_.empty()) return false;
    BlockRequest& next = *requests_.front();
    auto place = batch.end();
    if (!batch.empty()) {
      if (next.peer != batch.front().requests.front()->peer) return false;
      Bytes bytes = next.size;
      for (const WorkRequest& work : batch) bytes = bytes + work.size;
      if (bytes > limits.bytes) return false;
      place = std::find_if(batch.begin(), batch.end(), [&](const WorkRequest& work) {
        return limits.merge && work.offset + work.size.count == next.offset && work.size + next.size <= limits.largest;
      });
      if (place == batch.end() && static_cast<int>(batch.size()) == limits.wqes) return false;
    }
    if (place == batch.end()) place = batch.insert(place, WorkRequest{next.offset, Bytes{0}, {}});
    place->size = place->size + next.size;
    place->requests.push_back(&next);
    requests_.pop_front();
    return true;
  }

 private:
  std::deque<BlockRequest*> requests_;
};

}  // namespace doorbell::model
