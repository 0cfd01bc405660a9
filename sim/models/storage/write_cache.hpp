// What a disk has taken to write and not written yet.
#pragma once

#include <boost/icl/interval_set.hpp>
#include <cstdint>

#include "core/quantity.hpp"

namespace doorbell::model {

/// Places on a disk whose new data are in its memory only. Neighbours grow together, and what is written again before
/// it is on the medium is written there once.
class WriteCache {
 public:
  struct Extent {
    std::int64_t begin = 0;
    std::int64_t end = 0;
  };

  /// With a capacity of 0 a disk has none.
  explicit WriteCache(Bytes capacity) : capacity_{capacity} {}

  /// Whether the extent could be held with all others written.
  [[nodiscard]] bool can_hold(Extent extent) const { return extent.end - extent.begin <= capacity_.count; }
  [[nodiscard]] bool has_room_for(Extent extent) const;
  [[nodiscard]] bool holds(Extent extent) const;
  /// Nothing waits to be written; the heads may still write.
  [[nodiscard]] bool empty() const { return dirty_.empty(); }
  /// Between write_next() and write_done().
  [[nodiscard]] bool is_writing() const { return written_ > Bytes{0}; }
  /// That wait to be written or that the heads write.
  [[nodiscard]] Bytes held() const { return waiting_ + written_; }

  /// Takes an extent for which there is room.
  void take(Extent extent);
  /// The extent has been written on the medium directly.
  void forget(Extent extent);
  /// What the heads write next, at most `most` of it: from the first place at or behind `heads`, or from the very first
  /// one (in ascending order and round again). It takes up room until write_done().
  [[nodiscard]] Extent write_next(std::int64_t heads, Bytes most);
  void write_done() { written_ = Bytes{0}; }

 private:
  [[nodiscard]] Bytes waiting_in(Extent extent) const;

  Bytes capacity_;
  boost::icl::interval_set<std::int64_t> dirty_;
  Bytes waiting_;
  Bytes written_;
};

}  // namespace doorbell::model
