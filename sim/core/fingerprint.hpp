// A number for a text, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

namespace doorbell::core {

/// FNV-1a of 64 bits (Fowler, Noll and Vo; IETF draft-eastlake-fnv). Tells texts apart; keeps no secret.
[[nodiscard]] constexpr std::uint64_t fingerprint(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char character : text) hash = (hash ^ static_cast<unsigned char>(character)) * 0x100000001b3;
  return hash;
}

}  // namespace doorbell::core
