#include "analytic/drive_access.hpp"

#include <gtest/gtest.h>

#include "analytic/analysis.hpp"
#include "models/nvme_host.hpp"
#include "models/run.hpp"
#include "scenario/load.hpp"

namespace doorbell::analytic {
namespace {

using namespace doorbell::literals;
using model::AccessStep;
using model::DriveGroup;

AccessStep access(Bytes size) {
  AccessStep step;
  step.size = size;
  return step;
}

const DriveGroup drives{model::round_drive(), 1};

TEST(DriveAccess, TakesAsLongAsASimulatedCommandAlone) {
  for (const bool write : {false, true}) {
    const AccessStep step = access(4_KiB);
    const double write_share = write ? 1 : 0;
    core::Calendar calendar;
    model::NvmeDrive drive{calendar, drives.hardware, model::round_root_complex(), core::Priority{0}};
    const auto cost = model::command_cost(drives.hardware, model::round_root_complex(), step.size, write);
    model::NvmeHost host;
    std::uint64_t tag = 0;
    drive.add({.client = &host,
               .tag = &tag,
               .cost = &cost,
               .size = step.size,
               .place = 0,
               .programmed = write ? step.size : Bytes{0}});
    drive.ring();
    calendar.run_until(std::chrono::milliseconds{1});
    EXPECT_EQ(unloaded_command(drives, model::round_root_complex(), step, write_share), host.done.at(0).visible)
        << write;
  }
}

TEST(DriveAccess, CountsPagesOfFlashAndWhatIsProgrammed) {
  const auto demand = [](const AccessStep& step, double write_share) {
    return drive_demand(drives, model::round_root_complex(), step, write_share, 1).flash.count();
  };
  EXPECT_NEAR(demand(access(4_KiB), 0), 50e-6, 1e-12);
  EXPECT_NEAR(demand(access(64_KiB), 0), 200e-6, 1e-12);
  EXPECT_NEAR(demand(access(4_KiB), 1), 125e-6, 1e-12);
  EXPECT_NEAR(demand(access(4_KiB), 0.5), 87.5e-6, 1e-12);
  AccessStep amplified = access(4_KiB);
  amplified.write_amplification = 4;
  EXPECT_NEAR(demand(amplified, 1), 500e-6, 1e-12);
}

TEST(DriveAccess, ASmallBufferBoundsWrites) {
  const std::string file = std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/nvme_target.json";
  const std::string flash = "machines.target.drives.hardware.flash.";
  const model::Scenario scenario =
      scenario::load(file, {.sets = {"sweep=[]", "programs.server.loop.2.access.operation=write", "measure.warmup=5 ms",
                                     flash + "write_buffer=256 KiB"},
                            .seed = {}})
          .front()
          .scenario;
  const Analysis analysis = analyze(scenario);
  EXPECT_EQ(analysis.bottleneck, "target/drives: write buffers");
  // Sixteen pages of four requests in each of eight drives, for 600 us.
  EXPECT_NEAR(analysis.throughput.per_second, 16 * 4 * 8 / 600e-6, 1);
  const model::RunResult run = model::run(scenario);
  EXPECT_EQ(run.bottleneck.resource, analysis.bottleneck);
  const double simulated = run.throughput.per_second;
  EXPECT_LE(simulated, analysis.throughput.per_second * 1.01);
  EXPECT_GE(simulated, analysis.throughput.per_second * 0.9);
}

TEST(DriveAccess, CommandsReadTogetherCostTheLinkLess) {
  const AccessStep step = access(4_KiB);
  const DriveDemand alone = drive_demand(drives, model::round_root_complex(), step, 0, 1);
  const DriveDemand together = drive_demand(drives, model::round_root_complex(), step, 0, 32);
  EXPECT_LT(together.downstream, alone.downstream);
  EXPECT_LT(together.upstream, alone.upstream);
}

TEST(DriveAccess, NoSimulationBeatsTheBound) {
  // The bound counts full lists, and a list holds what is done for one client: few clients with much in flight.
  const auto points = scenario::load(std::string{DOORBELL_SOURCE_DIR} + "/scenarios/today/nvme_target.json",
                                     {.sets = {"programs.client.threads=1", "programs.client.loop.0.post.window=512",
                                               "programs.server.queue_pairs.answers.depth=1024"},
                                      .seed = {}});
  ASSERT_EQ(points.size(), 8U);
  for (const std::size_t i : {0U, 1U, 5U, 6U}) {  // cores, drives, cores and drives, the port
    const model::Scenario& scenario = points[i].scenario;
    const Analysis analysis = analyze(scenario);
    const model::RunResult result = model::run(scenario);
    EXPECT_EQ(result.bottleneck.resource, analysis.bottleneck) << i;
    EXPECT_LE(result.throughput.millions(), analysis.throughput.millions() * 1.01) << i;
    EXPECT_GE(result.throughput.millions(), analysis.throughput.millions() * 0.95) << i;
  }
}

}  // namespace
}  // namespace doorbell::analytic
