// The last-level cache as devices use it: what they read is looked up there, what they write is allocated in few of its
// ways (DDIO).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/memory/cache_line.hpp"

namespace doorbell::model {

/// Intel, "Data Direct I/O Technology Overview", 2012; Farshin et al., USENIX ATC 2020.
struct LastLevelCacheParameters {
  Bytes size;
  Bytes device_share;
};
template <class V> void describe(V& v, LastLevelCacheParameters& s) {
  v.field("size", s.size, {.doc = "The whole cache, of one socket.", .min = 64, .max = 1e12});
  v.field("device_share", s.device_share,
          {.doc = "Of that, the ways in which lines are allocated that devices write; 0 B: they write to memory.",
           .min = 0,
           .max = 1e12});
}

/// Who has written the data last, as far as the cache knows.
enum class Warmth { cold, host, device };
template <> struct EnumNames<Warmth> {
  static constexpr std::array<std::string_view, 3> values{"cold", "host", "device"};
};

/// Lines of one region. A device's reads leave the cache as it is. Its writes change lines that are there in place, and
/// displace the oldest line in its share for others; such lines are dirty.
class LastLevelCache {
 public:
  static constexpr Bytes line{cache_line};

  /// The region has been written once, from its beginning to its end, by whom `warmth` says. `writes` to come: the
  /// device's share is as it is after many of them.
  LastLevelCache(const LastLevelCacheParameters& parameters, Bytes region, Warmth warmth, bool writes);

  [[nodiscard]] bool holds(std::int64_t number) const { return held_[static_cast<std::size_t>(number)] != 0; }
  /// The device writes a line. Returns the line that goes to memory: another one, or, without a share, itself.
  std::optional<std::int64_t> write(std::int64_t number);

 private:
  void allocate(std::int64_t number);

  std::vector<std::uint8_t> held_;   // by line
  std::vector<std::int64_t> share_;  // lines in the device's share, as a ring
  std::size_t used_ = 0;
  std::size_t oldest_ = 0;
};

}  // namespace doorbell::model
