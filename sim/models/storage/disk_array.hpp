// RAID level 0 as a sequential stream sees it: which disk holds what, and when its heads have passed it.
#pragma once

#include <cstdint>
#include <vector>

#include "core/quantity.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

/// What one disk contributes to a request: pieces of at most a chunk, in ascending order.
struct Stripe {
  int disk = 0;
  struct Piece {
    Bytes offset;  ///< Within the request.
    Bytes size;
  };
  std::vector<Piece> pieces;
  [[nodiscard]] Bytes size() const;
};

class DiskArray {
 public:
  explicit DiskArray(const DiskArrayParameters& parameters);

  /// The next `size` bytes of the array, by disk; disks without a part of it do not appear.
  [[nodiscard]] std::vector<Stripe> next(Bytes size);
  /// The first instant at or after `now` when a disk has `size` more bytes of the stream under its heads or in its
  /// buffer. A disk reads ahead while it is not asked, as far as its buffer goes.
  [[nodiscard]] Time media_ready(int disk, Bytes size, Time now);

 private:
  const DiskArrayParameters* parameters_;
  Time ahead_;  // how long reading the buffer full takes
  std::int64_t position_ = 0;
  std::vector<Time> read_until_;  // when each disk has read what was asked so far
};

}  // namespace doorbell::model
