#include "models/pcie/pcie_link.hpp"

#include <gtest/gtest.h>

#include "models/connect_ib.hpp"

namespace doorbell::model {
namespace {

using namespace doorbell::literals;

const PcieParameters link = connect_ib().pcie;

TEST(PcieLink, AWriteIsOneHeaderAndItsPayload) {
  const TlpTrain train = write_tlps(link, 64_B);
  EXPECT_EQ(train.kind, TlpKind::memory_write);
  EXPECT_EQ(train.tlps, 1);
  EXPECT_EQ(train.payload, 64_B);
  EXPECT_EQ(train.wire, 90_B);
  EXPECT_EQ(write_tlps(link, 8_B).wire, 34_B);  // a doorbell, Appendix A
}

TEST(PcieLink, WritesAreSplitAtTheMaximumPayload) {
  EXPECT_EQ(write_tlps(link, 256_B).tlps, 1);
  EXPECT_EQ(write_tlps(link, 257_B).tlps, 2);
  EXPECT_EQ(write_tlps(link, 257_B).wire, Bytes{257 + 2 * 26});
  EXPECT_EQ(write_tlps(link, 4096_B).tlps, 16);
}

TEST(PcieLink, AWriteAcrossABoundaryTakesOneMore) {
  EXPECT_EQ(write_tlps(link, 4_B, 252).tlps, 1);
  EXPECT_EQ(write_tlps(link, 4_B, 254).tlps, 2);
  EXPECT_EQ(write_tlps(link, 256_B, 128).tlps, 2);
}

TEST(PcieLink, AnEmptyWriteStillTakesATlp) { EXPECT_EQ(write_tlps(link, 0_B).wire, 26_B); }

TEST(PcieLink, ReadRequestsCarryNothingAndAreSplitAtTheMaximumReadRequest) {
  const TlpTrain one = read_request_tlps(link, 512_B);
  EXPECT_EQ(one.kind, TlpKind::memory_read);
  EXPECT_EQ(one.tlps, 1);
  EXPECT_EQ(one.payload, 0_B);
  EXPECT_EQ(one.wire, 26_B);
  EXPECT_EQ(read_request_tlps(link, 513_B).wire, 52_B);
  EXPECT_EQ(read_request_tlps(link, 4_B, 510).tlps, 2);
}

TEST(PcieLink, CompletionsAreSplitAtTheReadCompletionBoundary) {
  EXPECT_EQ(completion_tlps(link, 128_B).kind, TlpKind::completion);
  EXPECT_EQ(completion_tlps(link, 1_B).wire, 23_B);
  EXPECT_EQ(completion_tlps(link, 128_B).wire, 150_B);
  EXPECT_EQ(completion_tlps(link, 129_B).wire, 173_B);
  EXPECT_EQ(completion_tlps(link, 512_B).wire, 600_B);
}

TEST(PcieLink, CombinedCompletionsFillTlpsButNeverAnswerTwoRequests) {
  PcieParameters combining = link;
  combining.combined_completions = 256_B;
  EXPECT_EQ(completion_tlps(combining, 256_B).tlps, 2) << "not more than that";
  EXPECT_EQ(completion_tlps(combining, 1024_B).tlps, 4) << "of the largest payload";
  combining.max_read_request = 128_B;
  EXPECT_EQ(completion_tlps(combining, 1024_B).tlps, 8);
  combining.max_read_request = 512_B;
  combining.combined_completions = 600_B;
  EXPECT_EQ(completion_tlps(combining, 1024_B).tlps, 8) << "no request is that large";
}

TEST(PcieLink, CompletionsDependOnAlignment) {
  EXPECT_EQ(completion_tlps(link, 128_B, 0).tlps, 1);
  EXPECT_EQ(completion_tlps(link, 128_B, 64).tlps, 2);
  EXPECT_EQ(completion_tlps(link, 4_B, 124).tlps, 1);
  EXPECT_EQ(completion_tlps(link, 4_B, 126).tlps, 2);
  EXPECT_EQ(completion_tlps(link, 2_B, 127).tlps, 2);
}

TEST(PcieLink, LongTransfersDoNotOverflow) {
  const Bytes gigabyte{std::int64_t{1} << 30};
  EXPECT_EQ(completion_tlps(link, gigabyte).tlps, std::int64_t{1} << 23);
  EXPECT_EQ(write_tlps(link, gigabyte).wire, Bytes{(std::int64_t{1} << 30) + 26 * (std::int64_t{1} << 22)});
}

TEST(PcieLink, TheLinkIsSixteenLanes) { EXPECT_DOUBLE_EQ(link_bandwidth(link).bytes_per_second, 15.7536e9); }

TEST(PcieLink, LimitsOfSection521) {
  EXPECT_NEAR(mmio_line_limit(link, 64_B).millions(), 175.04, 0.005);
  EXPECT_NEAR(dma_read_limit(link).bytes_per_second * 1e-6, 13443.07, 0.005);
  // Two lines, 128 B per WQE: 87.5 M/s by MMIO, 105 M/s by DMA.
  EXPECT_NEAR(mmio_line_limit(link, 64_B).millions() / 2, 87.52, 0.005);
  EXPECT_NEAR(dma_read_limit(link).bytes_per_second / 128 * 1e-6, 105.02, 0.005);
}

TEST(PcieLink, LinkLayerPacketsTakeLessThanFivePercentOfFullTlps) {
  EXPECT_NEAR(dllp_bytes_per_tlp(link), 16 / 4.5, 1e-12);
  EXPECT_LT(dllp_bytes_per_tlp(link) / static_cast<double>(write_tlps(link, 64_B).wire.count), 0.05);
  EXPECT_LT(dllp_bytes_per_tlp(link) / static_cast<double>(completion_tlps(link, 128_B).wire.count), 0.05);
  EXPECT_GT(dllp_bytes_per_tlp(link), 0);
}

TEST(PcieLink, DllpsAmongSmallCompletionsAreSentForSoManyBytes) {
  PcieParameters slow = link;
  slow.dllp = 8_B;
  slow.tlps_per_ack = slow.tlps_per_credit_update = 1;
  const auto beside = [&](const TlpTrain& train) {
    return to_seconds(occupancy(slow, train)) * link_bandwidth(slow).bytes_per_second -
           static_cast<double>(train.wire.count);
  };
  const TlpTrain small{TlpKind::completion, 4, 256_B, 320_B};
  const TlpTrain large{TlpKind::completion, 1, 256_B, 276_B};
  EXPECT_NEAR(beside(small), 4 * 16, 0.1);
  slow.dllp_interval = 256_B;
  EXPECT_NEAR(beside(small), 320.0 / 256 * 16, 0.1);
  EXPECT_NEAR(beside(large), 16, 0.1) << "never more than for each TLP";
  EXPECT_NEAR(beside({TlpKind::memory_write, 4, 256_B, 352_B}), 4 * 16, 0.1) << "the device sends these";
}

TEST(PcieLink, OccupancyCountsLinkLayerPackets) {
  const TlpTrain line = write_tlps(link, 64_B);
  EXPECT_EQ(occupancy(link, line), from_seconds((90 + 16 / 4.5) / 15.7536e9));
  PcieParameters silent = link;
  silent.dllp = 0_B;
  EXPECT_EQ(occupancy(silent, line), from_seconds(90 / 15.7536e9));
}

struct Split {
  TlpTrain (*tlps)(const PcieParameters&, Bytes, std::int64_t);
};

class EveryTrain : public testing::TestWithParam<Split> {};

TEST_P(EveryTrain, MoreBytesAreNeverCheaper) {
  for (const std::int64_t address : {0, 1, 63, 100, 255}) {
    Bytes before{0};
    for (std::int64_t size = 1; size <= 2048; ++size) {
      const Bytes wire = GetParam().tlps(link, Bytes{size}, address).wire;
      EXPECT_GE(wire, before) << size << " B at " << address;
      before = wire;
    }
  }
}

TEST_P(EveryTrain, WireIsPayloadAndHeaders) {
  for (std::int64_t size = 1; size <= 2048; ++size) {
    const TlpTrain train = GetParam().tlps(link, Bytes{size}, 4);
    const Bytes header = train.kind == TlpKind::completion ? link.completion_header : link.request_header;
    EXPECT_EQ(train.payload, train.kind == TlpKind::memory_read ? 0_B : Bytes{size});
    EXPECT_EQ(train.wire, train.payload + header * train.tlps);
  }
}

TEST_P(EveryTrain, AlignmentCostsAtMostOneTlp) {
  for (std::int64_t address = 0; address < 512; ++address) {
    const std::int64_t extra = GetParam().tlps(link, 640_B, address).tlps - GetParam().tlps(link, 640_B, 0).tlps;
    EXPECT_GE(extra, 0) << address;
    EXPECT_LE(extra, 1) << address;
  }
}

INSTANTIATE_TEST_SUITE_P(PcieLink, EveryTrain,
                         testing::Values(Split{write_tlps}, Split{read_request_tlps}, Split{completion_tlps}));

}  // namespace
}  // namespace doorbell::model
