// InfiniBand ports: data rate per direction and what a packet adds to its payload.
#pragma once

#include <cstddef>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// InfiniBand Architecture Specification volume 1, chapters 5 and 9 (header sizes).
struct PortParameters {
  int ports = 0;
  Bandwidth bandwidth;
  Bytes mtu;
  Bytes framing;
  Bytes receive_buffer;
};
template <class V> void describe(V& v, PortParameters& s) {
  v.field("ports", s.ports, {.doc = "Ports of the NIC.", .min = 1, .max = 16});
  v.field("bandwidth", s.bandwidth, {.doc = "One port in one direction, after encoding.", .min = 1e6, .max = 1e12});
  v.field(
      "mtu", s.mtu,
      {.doc = "Largest payload of a packet; between two machines, the smaller one counts.", .min = 256, .max = 65536});
  v.field("framing", s.framing,
          {.doc = "Start and end delimiters, and block alignment, of a packet.", .min = 0, .max = 64});
  v.field("receive_buffer", s.receive_buffer,
          {.doc = "Buffer behind a receiving port; its credits keep the fabric lossless.", .min = 256, .max = 1e9});
}

/// The port of a NIC that has `ports` to which port `number` of another NIC leads: the one of the same number, and from
/// a NIC with more ports several to one.
[[nodiscard]] constexpr std::size_t facing_port(std::size_t number, std::size_t ports) {
  // A division on every message would show: the remainder is taken only where the two sides differ in ports.
  return number < ports ? number : number % ports;
}

/// The headers a packet carries, as flags to add up.
struct PacketHeaders {
  bool datagram = false;            ///< DETH, 8 B.
  bool remote_address = false;      ///< RETH, 16 B.
  bool acknowledge = false;         ///< AETH, 4 B.
  bool immediate = false;           ///< ImmDt, 4 B.
  bool atomic = false;              ///< AtomicETH, 28 B.
  bool atomic_acknowledge = false;  ///< AtomicAckETH, 8 B.
};

/// Bytes on the wire of a message of `payload` bytes, split at the MTU: LRH 8, BTH 12, ICRC 4 and VCRC 2 B and framing
/// in every packet, the extension headers in the first, the AETH in the last one, too, and payloads padded to 4 B.
[[nodiscard]] Bytes message_bytes(const PortParameters& port, Bytes payload, const PacketHeaders& headers);
[[nodiscard]] std::int64_t message_packets(Bytes payload, Bytes mtu);

}  // namespace doorbell::model
