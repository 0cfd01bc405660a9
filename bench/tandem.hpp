// The pipeline of tandem_doorbell.cpp, variant "callback", for engines that only schedule: when who comes leaves.
#pragma once

#include "hold.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace bench {

constexpr std::size_t stations = 8;

struct Line {
  Increments services;
  std::uint64_t left;
  std::array<std::int64_t, stations> busy_until{};

  /// From a station that is come to at `now`.
  std::int64_t departure(std::size_t station, std::int64_t now) {
    return busy_until[station] = std::max(now, busy_until[station]) + services.next();
  }
};

}  // namespace bench
