// The worked numbers of Kalia et al. 2016, Appendix A and section 5.2.1, for PCIe 3.0 x16.
#include "analytic/pcie_arithmetic.hpp"

#include <gtest/gtest.h>

#include "models/connect_ib.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using model::PostMethod;

const model::HardwareProfile machine = model::connect_ib();

TEST(PcieArithmetic, ReadsPayACompletionHeaderPerBoundary) {
  const Bytes boundary = machine.pcie.read_completion_boundary;
  const Bytes header = machine.pcie.completion_header;
  EXPECT_EQ(dma_read_bytes(machine, boundary), boundary + header);
  EXPECT_EQ(dma_read_bytes(machine, boundary + 1_B), boundary + 1_B + 2 * header);
}

TEST(PcieArithmetic, MmioPaysForWholeLines) {
  const Bytes line = machine.mmio.line + machine.pcie.request_header;
  EXPECT_EQ(mmio_write_bytes(machine, 1_B), line);
  EXPECT_EQ(mmio_write_bytes(machine, 64_B), line);
  EXPECT_EQ(mmio_write_bytes(machine, 65_B), 2 * line);
}

TEST(PcieArithmetic, ADoorbellPaysFromSomeWqesOn) {
  const auto bytes = [](PostMethod method, std::int64_t wqes) {
    return cpu_to_device_bytes(machine, method, 65_B, wqes);
  };
  EXPECT_EQ(bytes(PostMethod::automatic, 1), bytes(PostMethod::mmio, 1));
  EXPECT_EQ(bytes(PostMethod::automatic, 10), bytes(PostMethod::doorbell, 10));
  EXPECT_LT(bytes(PostMethod::doorbell, 10), bytes(PostMethod::mmio, 10));
  EXPECT_EQ(bytes(PostMethod::mmio, 10), 10 * bytes(PostMethod::mmio, 1));
}

TEST(PcieArithmetic, LimitsFallWhenTheWqeGrowsByALine) {
  EXPECT_DOUBLE_EQ(mmio_post_limit(machine, 64_B).per_second, 2 * mmio_post_limit(machine, 65_B).per_second);
  EXPECT_DOUBLE_EQ(dma_fetch_limit(machine, 128_B).per_second, 1.5 * dma_fetch_limit(machine, 192_B).per_second);
  EXPECT_GT(dma_fetch_limit(machine, 128_B).per_second, mmio_post_limit(machine, 128_B).per_second);
}

}  // namespace
}  // namespace doorbell::analytic
