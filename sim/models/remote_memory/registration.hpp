// How the NIC reaches data: copied into a registered region, or registered where they lie.
#pragma once

#include <array>
#include <string_view>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// How the NIC reaches the data. `copy`: through a region registered beforehand (preMR). `map`: in place (dynMR).
/// `threshold`: whichever is cheaper for the size. `in_place`: it lies in such a region from the beginning.
enum class Registration { copy, map, threshold, in_place };
/// Where the memory is mapped: physical addresses in the kernel, virtual ones in user space.
enum class AddressSpace { kernel, user };

template <> struct EnumNames<Registration> {
  static constexpr std::array<std::string_view, 4> values{"copy", "map", "threshold", "in_place"};
};
template <> struct EnumNames<AddressSpace> {
  static constexpr std::array<std::string_view, 2> values{"kernel", "user"};
};

struct DataPlacement {
  Registration registration = Registration::copy;
  Bytes copy_up_to{0};
  AddressSpace space = AddressSpace::user;
};
/// Of any structure with these members.
template <class V, class S> void describe_placement(V& v, S& s) {
  v.optional("registration", s.registration,
             {.doc = "copy (preMR), map (dynMR), threshold (the cheaper one) or in_place (no cost)."});
  v.optional("copy_up_to", s.copy_up_to,
             {.doc = "map: data up to this size are copied all the same, as Accelio's max_inline_xio_data does.",
              .min = 0,
              .max = 1 << 26});
  v.optional("space", s.space, {.doc = "Where this runs, which decides what mapping memory costs."});
}
template <class V> void describe(V& v, DataPlacement& s) { describe_placement(v, s); }

}  // namespace doorbell::model
