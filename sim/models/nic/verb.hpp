// Verbs, the transports that carry them, and how their work requests reach the NIC.
#pragma once

#include <array>
#include <string_view>

#include "models/common/describe.hpp"

namespace doorbell::model {

enum class Transport { rc, uc, ud };
enum class Verb { send, write, read, fetch_add, compare_swap };
/// Whether the request brings the payload.
[[nodiscard]] constexpr bool carries_payload(Verb verb) { return verb == Verb::send || verb == Verb::write; }
[[nodiscard]] constexpr bool is_atomic(Verb verb) { return verb == Verb::fetch_add || verb == Verb::compare_swap; }
/// How WQEs reach the NIC (Kalia et al. 2016, section 3.1): the CPU writes them through MMIO (BlueFlame), or rings a
/// doorbell and the NIC reads them by DMA. `automatic` is what the drivers do: MMIO for a batch of one, a doorbell for
/// more.
enum class PostMethod { mmio, doorbell, automatic };

template <> struct EnumNames<Transport> { static constexpr std::array<std::string_view, 3> values{"RC", "UC", "UD"}; };
template <> struct EnumNames<Verb> {
  static constexpr std::array<std::string_view, 5> values{"SEND", "WRITE", "READ", "FETCH_ADD", "COMPARE_SWAP"};
};
template <> struct EnumNames<PostMethod> {
  static constexpr std::array<std::string_view, 3> values{"mmio", "doorbell", "automatic"};
};

}  // namespace doorbell::model
