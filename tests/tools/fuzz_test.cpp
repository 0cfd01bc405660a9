// Good output with random damage: whatever the text, an import ends with a set that can be read or with one complaint.
#include <gtest/gtest.h>

#include "figures/definition.hpp"
#include "figures/scratch.hpp"
#include "scenario/damage.hpp"
#include "tools/fio_output.hpp"
#include "tools/fio_set.hpp"
#include "tools/pciebench_output.hpp"
#include "tools/pciebench_set.hpp"
#include "tools/perftest_output.hpp"
#include "tools/perftest_set.hpp"

namespace doorbell::tools {
namespace {

using scenario::testing::Damage;

const std::string shipped = std::string{DOORBELL_SOURCE_DIR} + "/scenarios";

/// Returns whether the set was written. `measure` is given the damaged file and the folder of the set.
template <class Measure> bool survives(const std::string& text, const Measure& measure) {
  const figures::Scratch scratch;
  const std::filesystem::path folder = scratch.path() / "set";
  try {
    const Measurements measurements = measure(scratch.write("out.txt", text), folder);
    const MeasuredSet set = write_measured_set(measurements, folder, figures::Use::fit);
    static_cast<void>(figures::read_figure(set.figure));
    return true;
  } catch (const OutputError& error) {
    EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos);
  } catch (const figures::DefinitionError& error) {
    EXPECT_EQ(std::string{error.what()}.find('\n'), std::string::npos);
  }
  return false;
}

template <class Measure> void fuzz(const std::string& good, const Measure& measure) {
  ASSERT_TRUE(survives(good, measure));
  int written = 0;
  const int runs = scenario::testing::runs() / 10;
  for (int i = 0; i < runs; ++i) {
    const std::string text = Damage{static_cast<std::uint32_t>(i)}.done_to(good);
    SCOPED_TRACE(i);
    written += survives(text, measure) ? 1 : 0;
  }
  EXPECT_GT(written, runs / 20) << "damage should not only be refused";
}

TEST(Fuzz, OutputOfPerftest) {
  const std::string cib = shipped + "/hardware/cib.json";
  fuzz(heading("RDMA_Write BW") + rates + "64 1000 0 335.69 5.5\n4096 1000 0 5859.38 1.5\n" + heading("Send Latency") +
           latencies + "8 1000 1 9 1.5 2 0 3 4\n",
       [&](const auto& file, const auto& folder) { return measured_by_perftest({file}, cib, cib, folder); });
}

TEST(Fuzz, JsonOfPerftest) {
  const std::string cib = shipped + "/hardware/cib.json";
  for (const std::string& good : {json_rates, json_latencies}) {
    fuzz(good, [&](const auto& file, const auto& folder) { return measured_by_perftest({file}, cib, cib, folder); });
  }
}

TEST(Fuzz, OutputOfFio) {
  const std::string device = shipped + "/rdmabox/fig01.json";
  fuzz(fio_output({fio_job({{"bs", "4k"}, {"iodepth", "4"}, {"ioengine", "libaio"}}, 1e9, 0),
                   fio_job({{"bs", "64k"}, {"rw", "randwrite"}, {"numjobs", "1"}}, 0, 2e9)}),
       [&](const auto& file, const auto& folder) { return measured_by_fio({file}, device, folder); });
}

TEST(Fuzz, TablesOfPcieBench) {
  const std::string base = shipped + "/pciebench/bandwidth.json";
  fuzz(bandwidth_heading + bandwidth_row("BW_DMA_RD Rand HWarm 0 0 8192 64", 22) +
           bandwidth_row("BW_DMA_WR Seq Cold 0 0 1572864.0 256", 30) + latency_heading +
           latency_row("LAT_CMD_WRRD Rand DWarm 8 0 4096 64", 88, 1170),
       [&](const auto& file, const auto& folder) { return measured_by_pciebench({file}, base, folder); });
}

}  // namespace
}  // namespace doorbell::tools
