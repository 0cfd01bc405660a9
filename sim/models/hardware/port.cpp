#include "models/hardware/port.hpp"

#include <algorithm>

namespace doorbell::model {

std::int64_t message_packets(Bytes payload, Bytes mtu) { return std::max<std::int64_t>(1, ceil_div(payload, mtu)); }

Bytes message_bytes(const PortParameters& port, Bytes payload, const PacketHeaders& headers) {
  constexpr Bytes base{8 + 12 + 4 + 2};
  const Bytes padded{(payload.count + 3) / 4 * 4};
  const std::int64_t packets = message_packets(payload, port.mtu);
  // The first packet and the last of a response carry an AETH, those between them do not.
  const std::int64_t acknowledging = headers.acknowledge ? std::min<std::int64_t>(2, packets) : 0;
  const Bytes extension{(headers.datagram ? 8 : 0) + (headers.remote_address ? 16 : 0) + 4 * acknowledging +
                        (headers.immediate ? 4 : 0) + (headers.atomic ? 28 : 0) + (headers.atomic_acknowledge ? 8 : 0)};
  return (base + port.framing) * packets + padded + extension;
}

}  // namespace doorbell::model
