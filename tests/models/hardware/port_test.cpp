#include "models/hardware/port.hpp"

#include <gtest/gtest.h>

#include "models/connect_ib.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

const PortParameters port = connect_ib().port;
constexpr std::int64_t base = 8 + 12 + 4 + 2 + 4;  // LRH, BTH, ICRC, VCRC and the fixture's framing

Bytes bytes(std::int64_t payload, const PacketHeaders& headers = {}) {
  return message_bytes(port, Bytes{payload}, headers);
}

TEST(Port, APacketHasRoutingTransportAndChecksums) { EXPECT_EQ(bytes(0), Bytes{base}); }

TEST(Port, PayloadsArePaddedToWords) {
  EXPECT_EQ(bytes(1), bytes(4));
  EXPECT_EQ(bytes(4), Bytes{base + 4});
  EXPECT_EQ(bytes(5), bytes(8));
}

TEST(Port, ExtensionHeadersAddTheirSizes) {
  EXPECT_EQ(bytes(8, {.datagram = true}) - bytes(8), 8_B);
  EXPECT_EQ(bytes(8, {.remote_address = true}) - bytes(8), 16_B);
  EXPECT_EQ(bytes(8, {.acknowledge = true}) - bytes(8), 4_B);
  EXPECT_EQ(bytes(8, {.immediate = true}) - bytes(8), 4_B);
  EXPECT_EQ(bytes(8, {.atomic = true}) - bytes(8), 28_B);
  EXPECT_EQ(bytes(8, {.acknowledge = true, .atomic_acknowledge = true}) - bytes(8), 12_B);
  EXPECT_EQ(bytes(8, {.datagram = true, .immediate = true}) - bytes(8), 12_B);
}

TEST(Port, LongMessagesAreSplitAtTheMtu) {
  EXPECT_EQ(message_packets(0_B, port.mtu), 1);
  EXPECT_EQ(message_packets(4096_B, port.mtu), 1);
  EXPECT_EQ(message_packets(4097_B, port.mtu), 2);
  // Only the first packet has the extension header.
  EXPECT_EQ(bytes(8192, {.remote_address = true}), Bytes{2 * base + 8192 + 16});
  // Of a response the first and the last one have an AETH.
  EXPECT_EQ(bytes(4096, {.acknowledge = true}), Bytes{base + 4096 + 4});
  EXPECT_EQ(bytes(8192, {.acknowledge = true}), Bytes{2 * base + 8192 + 8});
  EXPECT_EQ(bytes(3 * 4096, {.acknowledge = true}), Bytes{3 * base + 3 * 4096 + 8});
}

TEST(Port, MorePayloadIsNeverFewerBytes) {
  for (std::int64_t payload = 0; payload < 10'000; ++payload) EXPECT_LE(bytes(payload), bytes(payload + 1)) << payload;
}

}  // namespace
}  // namespace doorbell::model
