// Requests of all threads on their way to a NIC: what is adjacent becomes one work request.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <vector>

#include "core/quantity.hpp"

namespace doorbell::model {

/// A request to remote memory: whole pages at a place of the device.
struct BlockRequest {
  std::int64_t offset = 0;  ///< Bytes from the beginning of the device.
  Bytes size;
  bool write = false;
  int thread = 0;        ///< Who asked.
  Time issued{0};        ///< When.
  int pending = 0;       ///< Work requests, on all replicas, that are still under way.
  int peer = 0;          ///< The machine that holds the data, or its first replica.
  void* note = nullptr;  ///< For who asked.
};

/// Requests that go to the NIC as one WQE.
struct WorkRequest {
  std::int64_t offset = 0;
  Bytes size;
  std::vector<BlockRequest*> requests;
};

/// Load-aware batching (Bae et al. 2021, section 5.1): whoever adds a request also takes what has gathered, so that
/// requests are merged only when they come faster than they are sent.
class MergeQueue {
 public:
  void push(BlockRequest& request) { requests_.push_back(&request); }
  [[nodiscard]] bool empty() const { return requests_.empty(); }
  [[nodiscard]] const BlockRequest& front() const { return *requests_.front(); }

  /// Takes up to `most_wqes` WQEs and `most_bytes` for the peer of the oldest request, in order. With `merge`, a
  /// request that begins where one of these WQEs ends is added to it, up to `largest`. Takes one request at least.
  [[nodiscard]] std::vector<WorkRequest> take(int most_wqes, Bytes most_bytes, bool merge, Bytes largest) {
    std::vector<WorkRequest> taken;
    Bytes bytes{0};
    while (!requests_.empty()) {
      BlockRequest& next = *requests_.front();
      if (!taken.empty() && next.peer != taken.front().requests.front()->peer) break;
      if (!taken.empty() && bytes + next.size > most_bytes) break;
      const auto adjacent = std::find_if(taken.begin(), taken.end(), [&](const WorkRequest& work) {
        return merge && work.offset + work.size.count == next.offset && work.size + next.size <= largest;
      });
      if (adjacent == taken.end() && static_cast<int>(taken.size()) == most_wqes) break;
      WorkRequest& work =
          adjacent != taken.end() ? *adjacent : taken.emplace_back(WorkRequest{next.offset, Bytes{0}, {}});
      work.size = work.size + next.size;
      work.requests.push_back(&next);
      bytes = bytes + next.size;
      requests_.pop_front();
    }
    return taken;
  }

 private:
  std::deque<BlockRequest*> requests_;
};

}  // namespace doorbell::model
