#include "analytic/device_access.hpp"

#include <algorithm>
#include <utility>

#include "analytic/page_faults.hpp"
#include "analytic/remote_operation.hpp"
#include "analytic/window_bound.hpp"
#include "models/memory/page.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

RemoteMemoryScenario on_device(const ProgramFlow& program, const Fabric& fabric) {
  RemoteMemoryScenario load;
  load.hardware = program.machine->hardware;
  load.software = program.machine->software.value();
  load.fabric = fabric;
  load.access = program.machine->remote_device.value().access;
  return load;
}

/// What a pass takes is queued together.
RemoteMemoryScenario as_load(const ProgramFlow& program, const AccessStep& step, const Fabric& fabric) {
  RemoteMemoryScenario load = on_device(program, fabric);
  load.block = BlockLoad{.threads = std::max(1, static_cast<int>(program.program->threads * program.items)),
                         .depth = 1,
                         .size = step.size,
                         .read_share = 1 - program.write_share,
                         .order = step.order};
  return load;
}

RemoteMemoryScenario as_load(const ProgramFlow& program, const TouchStep& /*step*/, const Fabric& fabric) {
  RemoteMemoryScenario load = on_device(program, fabric);
  const ProgramMemory& memory = program.program->memory.value();
  Application application;
  static_cast<MemoryLimit&>(application) = memory;
  application.threads = program.program->threads;
  if (memory.pages) load.paging = PagingLoad{application, *memory.pages};
  // How often it misses a page depends on which of its threads get ahead.
  if (load.paging && walkers_that_fit(memory, *memory.pages, application.threads) > 0) load.paging->resident = 1;
  if (memory.records) load.records = RecordLoad{application, *memory.records};
  return load;
}

}  // namespace

DeviceAccess::DeviceAccess(const ProgramFlow& program, RemoteMemoryScenario load)
    : program_{program}, load_{std::move(load)}, software_{load_} {}
DeviceAccess::DeviceAccess(const ProgramFlow& program, const AccessStep& step, const Fabric& fabric)
    : DeviceAccess{program, as_load(program, step, fabric)} {}
DeviceAccess::DeviceAccess(const ProgramFlow& program, const TouchStep& step, const Fabric& fabric)
    : DeviceAccess{program, as_load(program, step, fabric)} {}

Seconds DeviceAccess::by_thread() const {
  const bool posts = load_.access.window == Bytes{0};
  const Seconds passing = Seconds{load_.software.lock.transfer} * (software_.queues() ? traffic().requests() : 0);
  return software_.of_load() + passing + (posts ? software_.posting() : Seconds{0});
}

Seconds DeviceAccess::waiting(const HardwareProfile& peer) const {
  if (traffic().faults <= 0) return Seconds{0};
  // Whatever is done for it elsewhere: its thread has no core to give, and waits.
  const bool awake = load_.access.completion.mode != CompletionMode::event;
  const Latency request = RemoteRequest{load_, software_, awake, peer}.at_device(false);
  const Seconds elsewhere = request.software - software_.entering(false, traffic().reads.size);
  return (request.hardware + elsewhere + Seconds{load_.software.driver.wakeup}) * traffic().faults;
}

std::vector<RowDemand> DeviceAccess::demands(int programs, const HardwareProfile& peer) const {
  const RemoteAccess& access = load_.access;
  const CpuParameters& cpu = load_.hardware.cpu;
  const std::string at = program_.program->machine + "/";
  const int all = software_.hardware_threads();
  const int left = std::max(1, all - programs);
  const Seconds handling = software_.handling();
  std::vector<RowDemand> rows;
  const auto add = [&](const char* part, Limit limit, double servers, Seconds seconds, bool is_station = true) {
    rows.push_back({{at + part, servers * program_.machine->count, limit, is_station}, seconds});
  };
  add("completion handlers", Limit::completion_handler, std::min(left, software_.handlers()),
      handling * clock_stretch(cpu, std::min(all, programs + 1)));
  add("CPU", Limit::cpu, left, (handling + software_.handling_disk()) * clock_stretch(cpu, all));
  add("locks of queue pairs", Limit::cpu, access.peers * access.queue_pairs, software_.locked());
  if (software_.queues()) {
    const double most = std::max(traffic().reads.requests, traffic().writes.requests);
    add("merge queue", Limit::cpu, 1, Seconds{load_.software.lock.transfer} * (2 * most));
  }
  if (uses_disk(access)) add("disk", Limit::disk_heads, 1, disk_service(load_, traffic()));
  if (access.window > Bytes{0} && load_.block) {
    const double pages = static_cast<double>(load_.block->size.count) / page_size;
    const InWindow window = in_window_of_programs(load_, software_, peer);
    add("window", Limit::in_flight, window.requests * pages, (window.each.software + window.each.hardware) * pages,
        false);
  }
  return rows;
}

Time DeviceAccess::unloaded(const HardwareProfile& peer) const {
  const Latency latency = operation_alone(software_, RemoteRequest{load_, software_, false, peer, DiskUse::alone});
  const Seconds taking{load_.block ? load_.software.block.reap : Time{0}};
  return from_seconds(((taking + latency.software) * program_.stretch + latency.hardware).count());
}

}  // namespace doorbell::analytic
