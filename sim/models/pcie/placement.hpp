// Where objects lie in host memory, as far as PCI Express cuts differently what moves them.
#pragma once

#include <cstdint>
#include <vector>

#include "models/pcie/pcie_link.hpp"

namespace doorbell::model {

/// Objects at equal distances.
struct Placement {
  Bytes offset{0};           ///< Where the first one begins.
  Bytes stride{0};           ///< From there to the next one.
  std::int64_t objects = 1;  ///< At least one.
};

/// Addresses that differ by this are cut alike: into cache lines, and at C_rc, MPS and MRRS, all of them powers of two.
[[nodiscard]] Bytes placement_unit(const PcieParameters& pcie);
/// Where objects begin within that unit: each place once, in the order of the objects. (A mean over these is that over
/// objects where their number is a multiple of the places, or much larger.)
[[nodiscard]] std::vector<std::int64_t> distinct_begins(const PcieParameters& pcie, const Placement& placement);

}  // namespace doorbell::model
