// How a load chooses the next of the places it uses.
#pragma once

#include <array>
#include <string_view>

#include "models/common/describe.hpp"

namespace doorbell::model {

enum class AddressPattern { sequential, random };
template <> struct EnumNames<AddressPattern> {
  static constexpr std::array<std::string_view, 2> values{"sequential", "random"};
};

}  // namespace doorbell::model
