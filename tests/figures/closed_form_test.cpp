// The worked numbers of Kalia et al. 2016, Appendix A and section 5.2.1.
#include "figures/closed_form.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "figures/fake_engine.hpp"

namespace doorbell::figures {
namespace {

class ClosedFormOfPcie3 : public testing::Test {
 protected:
  [[nodiscard]] double value(std::string_view quantity, std::int64_t size = 0, int batch = 1) const {
    return closed_form(quantity, hardware_, Bytes{size}, batch).value;
  }
  model::HardwareProfile hardware_ = fake_engine().profile("");
};

TEST_F(ClosedFormOfPcie3, TenWqesOf65BytesTake1800ByMmioAnd1534ByDoorbell) {
  EXPECT_DOUBLE_EQ(value("mmio_write_bytes", 65, 10), 1800);
  EXPECT_DOUBLE_EQ(value("doorbell_batch_bytes", 65, 10), 1534);
}

TEST_F(ClosedFormOfPcie3, SixteenLanesCarry175MillionLinesAnd13443MegabytesOfReads) {
  EXPECT_NEAR(value("mmio_line_rate"), 175.04, 0.01);
  EXPECT_NEAR(value("dma_read_bandwidth"), 13443, 1);
}

TEST_F(ClosedFormOfPcie3, ReadsPayACompletionHeaderPerBoundary) {
  EXPECT_DOUBLE_EQ(value("dma_read_bytes", 128), 150);
  EXPECT_DOUBLE_EQ(value("dma_read_bytes", 129), 173);
}

TEST_F(ClosedFormOfPcie3, MmioPaysForWholeLines) {
  EXPECT_DOUBLE_EQ(value("mmio_write_bytes", 64), 90);
  EXPECT_DOUBLE_EQ(value("mmio_write_bytes", 65), 180);
}

TEST_F(ClosedFormOfPcie3, SendsFallWhenTheWqeGrowsByALine) {
  EXPECT_NEAR(value("ud_send_dma_limit", 60), 105.0, 0.05);
  EXPECT_NEAR(value("ud_send_dma_limit", 61), 70.0, 0.05);
  EXPECT_NEAR(value("ud_send_mmio_limit", 60), 87.5, 0.05);
}

TEST_F(ClosedFormOfPcie3, ResponsesToReadsCarry30BytesOfHeaders) {
  hardware_.port.ports = 2;
  hardware_.port.bandwidth = {6.8e9};
  EXPECT_NEAR(value("infiniband_read_limit", 64), 13600 / 94.0, 1e-6);
  EXPECT_NEAR(value("infiniband_read_limit", 256), 13600 / 286.0, 1e-6);
}

TEST_F(ClosedFormOfPcie3, KnowsMetricAndUnit) {
  const FormValue value = closed_form("dma_read_bandwidth", hardware_, Bytes{0}, 1);
  EXPECT_EQ(value.metric, "bandwidth");
  EXPECT_EQ(value.unit, "MB/s");
}

TEST_F(ClosedFormOfPcie3, RefusesUnknownNames) {
  EXPECT_THROW(static_cast<void>(value("speed")), std::invalid_argument);
}

TEST_F(ClosedFormOfPcie3, EvaluatesEveryNameItLists) {
  for (const std::string_view name : closed_form_names()) EXPECT_GT(value(name, 64), 0) << name;
}

}  // namespace
}  // namespace doorbell::figures
