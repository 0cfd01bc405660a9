// DRAM that is refreshed now and then, and cannot be read meanwhile: for memory that is a latency, without channels.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/quantity.hpp"
#include "core/random.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// JEDEC JESD79-4 (DDR4).
struct RefreshParameters {
  int ranks = 1;
  Time interval{0};
  Time time{0};
};
template <class V> void describe(V& v, RefreshParameters& s) {
  v.field("ranks", s.ranks,
          {.doc = "Ranks, between which lines alternate, and each of which is refreshed by itself.",
           .min = 1,
           .max = 1024});
  v.field("interval", s.interval, {.doc = "From one refresh of a rank to the next.", .max = 1e-3, .symbol = "tREFI"});
  v.field("time", s.time, {.doc = "Time of a refresh.", .max = 1e-5, .symbol = "tRFC"});
}

/// One refresh of each rank in each interval, which is longer. When, is random: a controller may put refreshes off
/// until their rank is idle (JESD79-4, REFRESH command), and accesses at equal distances would meet all of them or
/// none.
class Refresh {
 public:
  Refresh(const RefreshParameters& parameters, std::uint64_t seed)
      : parameters_{parameters},
        random_{seed, "DRAM refresh"},
        ranks_(static_cast<std::size_t>(parameters.ranks), {-parameters.interval, -parameters.time}) {}

  /// How long a `line` (an address divided by 64) that is needed at `when` waits for its rank. Times must not go back
  /// further than to the present interval.
  [[nodiscard]] Time wait(std::int64_t line, Time when) {
    Rank& rank = ranks_[static_cast<std::size_t>(line) % ranks_.size()];
    if (const auto intervals = (when - rank.interval) / parameters_.interval; intervals > 0) {
      rank.interval += parameters_.interval * intervals;
      rank.refresh = rank.interval + random_.uniform(Time{0}, parameters_.interval - parameters_.time);
    }
    const Time since = when - rank.refresh;
    return since >= Time{0} && since < parameters_.time ? parameters_.time - since : Time{0};
  }

 private:
  struct Rank {
    Time interval{0};  ///< When the present one began.
    Time refresh{0};   ///< When it is refreshed in this interval.
  };
  RefreshParameters parameters_;
  core::RandomStream random_;
  std::vector<Rank> ranks_;
};

/// What a line waits on average if it is needed at any time.
inline Time mean_wait(const RefreshParameters& refresh) {
  return from_seconds(to_seconds(refresh.time) * to_seconds(refresh.time) / to_seconds(refresh.interval) / 2);
}

/// What it waits at least on average if each is needed `cycle` after the one before came. Where refreshes are longer
/// than cycles, one line waits for each refresh, half a cycle less than that takes, and all others come between them:
/// that is less than by chance. With several ranks it is nearer to chance.
inline Time least_mean_wait(const RefreshParameters& refresh, Time cycle) {
  const Time by_chance = mean_wait(refresh);
  if (cycle >= refresh.time) return by_chance;
  const Time each = refresh.time - cycle / 2;
  return std::min(by_chance, from_seconds(to_seconds(cycle) * to_seconds(each) / to_seconds(refresh.interval - each)));
}

}  // namespace doorbell::model
