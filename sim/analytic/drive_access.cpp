#include "analytic/drive_access.hpp"

#include <algorithm>

namespace doorbell::analytic {
namespace {

using namespace model;

/// Of reads and writes, of which there are `share`.
Seconds mean(double share, Seconds read, Seconds write) { return read * (1 - share) + write * share; }
Seconds seconds(Time time) { return Seconds{to_seconds(time)}; }

/// Without queueing.
Time read_time(const DmaReadCost& cost, Time latency) {
  return first_request(cost) + cost.latency + cost.completion + latency * 2;
}

}  // namespace

DriveDemand drive_demand(const DriveGroup& drives, const RootComplexParameters& root_complex, const AccessStep& step,
                         double write_share, int together) {
  const NvmeDriveParameters& drive = drives.hardware;
  const FlashParameters& flash = drive.flash;
  const DriveCommandCost read = command_cost(drive, root_complex, step.size, false);
  const DriveCommandCost write = command_cost(drive, root_complex, step.size, true);
  const DmaReadCost fetch = commands_read(drive, root_complex, together);
  const double programmed = static_cast<double>(step.size.count) * step.write_amplification;
  const auto pages = static_cast<double>(ceil_div(step.size, flash.page));
  const double rate = flash.channels.bytes_per_second;

  DriveDemand demand;
  demand.controller = seconds(drive.command);
  const Seconds programs = seconds(flash.program) * (programmed / static_cast<double>(flash.page.count));
  demand.programs = programs * write_share;
  demand.flash = mean(write_share, seconds(flash.read) * pages, programs);
  demand.channels = mean(write_share, Seconds{static_cast<double>(step.size.count) / rate}, Seconds{programmed / rate});
  const Seconds announced = seconds(drive_doorbell(drive) + fetch.completion) / together;
  demand.downstream = announced + mean(write_share, Seconds{0}, seconds(write.from_host->completion));
  demand.upstream = seconds(fetch.request) / together + seconds(read.completion.service) +
                    mean(write_share, seconds(read.to_host->service), seconds(write.from_host->request));
  return demand;
}

std::vector<RowDemand> drive_demands(const ProgramFlow& program, const AccessStep& step) {
  const DriveGroup& drives = *program.machine->drives;
  const int together = std::max(1, static_cast<int>(program.items));
  const DriveDemand demand = drive_demand(drives, program.hardware.root_complex, step, program.write_share, together);
  const FlashParameters& flash = drives.hardware.flash;
  const double count = static_cast<double>(program.machine->count) * drives.count;
  std::vector<RowDemand> rows;
  const auto add = [&](const char* part, Limit limit, double servers, Seconds seconds, bool is_station = true) {
    rows.push_back({{program.program->machine + "/drives: " + part, servers, limit, is_station}, seconds});
  };
  add("controllers", Limit::drive, count, demand.controller);
  add("flash", Limit::drive, count * flash.units, demand.flash);
  // A page stays in the buffer at least until it has been programmed.
  const auto pages = std::max<std::int64_t>(1, flash.write_buffer.count / flash.page.count);
  add("write buffers", Limit::in_flight, count * static_cast<double>(pages), demand.programs, false);
  add("flash channels", Limit::drive, count, demand.channels);
  add("PCIe downstream", Limit::dma_bandwidth, count, demand.downstream);
  add("PCIe upstream", Limit::dma_bandwidth, count, demand.upstream);
  return rows;
}

Time unloaded_command(const DriveGroup& drives, const RootComplexParameters& root_complex, const AccessStep& step,
                      double write_share) {
  const NvmeDriveParameters& drive = drives.hardware;
  const Time link = drive.pcie.latency;
  const DriveCommandCost read = command_cost(drive, root_complex, step.size, false);
  const DriveCommandCost write = command_cost(drive, root_complex, step.size, true);
  const Time begun = drive_doorbell(drive) + link + read_time(commands_read(drive, root_complex, 1), link) +
                     drive.command + drive.latency;
  const Time of_read = drive.flash.read + transfer_time(step.size, drive.flash.channels) + read.to_host->service;
  const Time of_write = read_time(*write.from_host, link);
  const Time ended = read.completion.service + link + root_complex.write_latency;
  return begun + from_seconds(mean(write_share, seconds(of_read), seconds(of_write)).count()) + ended;
}

}  // namespace doorbell::analytic
