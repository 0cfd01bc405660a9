#include "models/dma/dma_simulation.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "models/common/bottleneck.hpp"
#include "models/common/measured_rate.hpp"
#include "models/memory/cache_line.hpp"

namespace doorbell::model {
namespace {

constexpr core::Priority device{1};
constexpr core::Priority link{2};
constexpr core::Priority host{3};

DmaBuffer buffer_of(const DmaScenario& scenario) {
  return {.size = scenario.window,
          .warmth = scenario.cached,
          .remote = scenario.remote,
          .written = scenario.work != DmaWork::read,
          .page = scenario.iommu_page};
}

}  // namespace

DmaCostTable dma_costs(const DmaScenario& scenario) {
  return {engine_of(scenario), scenario.hardware.pcie, scenario.size, scenario.offset};
}

DmaEngineParameters engine_of(const DmaScenario& scenario) {
  return scenario.commands ? DmaEngineParameters{} : scenario.hardware.dma_engine;
}

DmaSimulation::DmaSimulation(const DmaScenario& scenario, std::uint64_t seed)
    : scenario_{scenario},
      memory_{calendar_, scenario.hardware.memory, scenario.hardware.iommu, buffer_of(scenario), seed, host},
      link_{calendar_, scenario.hardware.pcie, RootComplexParameters{}, link},
      engine_{calendar_,
              engine_of(scenario),
              dma_costs(scenario),
              link_,
              device,
              [](void* self, std::uint64_t number) { static_cast<DmaSimulation*>(self)->end(number); },
              this},
      random_{seed, "DMA addresses"},
      loops_(static_cast<std::size_t>(scenario.in_flight)) {
  if (units_of(scenario) < scenario.streams) {
    throw std::invalid_argument("the window has no room for one request of each stream");
  }
  link_.attach(memory_);
  if (!scenario.cores) return;
  if (memory_.dram() == nullptr || !scenario.hardware.core) {
    throw std::invalid_argument("cores need a profile with memory channels and a core");
  }
  cores_.emplace(calendar_, *scenario.hardware.core, *scenario.cores, *memory_.dram(),
                 ceil_div(scenario.window, LastLevelCache::line), seed, host);
}

std::int64_t DmaSimulation::next_address() {
  const std::int64_t units = units_of(scenario_);
  std::int64_t unit = 0;
  if (scenario_.pattern == AddressPattern::random) {
    unit = static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(units)));
  } else {
    // Each stream goes through a part of the window of its own.
    const std::int64_t part = units / scenario_.streams;
    unit = next_unit_ % scenario_.streams * part + next_unit_ / scenario_.streams;
    next_unit_ = (next_unit_ + 1) % (part * scenario_.streams);
  }
  return unit * unit_of(scenario_).count + scenario_.offset.count;
}

void DmaSimulation::begin(std::uint64_t number) {
  Loop& loop = loops_[number];
  loop.began = calendar_.now();
  loop.address = next_address();
  switch (scenario_.work) {
    case DmaWork::read: loop.writes = false; break;
    case DmaWork::write:
    case DmaWork::write_then_read: loop.writes = true; break;
    case DmaWork::alternating: loop.writes = !loop.writes; break;
  }
  submit(number);
}

void DmaSimulation::submit(std::uint64_t number) {
  const Loop& loop = loops_[number];
  if (loop.writes) {
    engine_.write(number, loop.address);
  } else {
    engine_.read(number, loop.address);
  }
}

void DmaSimulation::end(std::uint64_t number) {
  Loop& loop = loops_[number];
  ++(loop.writes ? writes_ : reads_);
  if (scenario_.work == DmaWork::write_then_read && loop.writes) {
    loop.writes = false;
    submit(number);
    return;
  }
  latency_.add(calendar_.now() - loop.began);
  begin(number);
}

RunResult DmaSimulation::run(const Tracing* trace) {
  for (std::uint64_t number = 0; number < loops_.size(); ++number) {
    // Half of those that alternate begin with a write.
    loops_[number].writes = number % 2 == 1;
    begin(number);
  }
  if (cores_) cores_->begin();
  calendar_.run_until(scenario_.warmup);
  const Time until = scenario_.warmup + scenario_.duration;
  link_.measure(calendar_.now(), until);
  memory_.measure(calendar_.now());
  engine_.measure(calendar_.now(), until);
  if (trace != nullptr) link_.trace(trace->begin(calendar_.now(), scenario_.duration), "host");
  if (cores_) cores_->measure();
  latency_ = {};
  reads_ = 0;
  writes_ = 0;
  RunResult result;
  measure_rate(calendar_, scenario_.duration, few_slices, result, [this] { return latency_.count(); });
  result.latency = summary_of(latency_);
  result.operations = reads_ + writes_;
  report(result);
  if (result.operations == 0 && !loops_.empty())
    result.warnings.emplace_back("no request was completed while measuring");
  // Little's law holds in a steady state, where as many begin as end.
  const double in_flight = result.throughput.per_second * to_seconds(result.latency.mean);
  const auto loops = static_cast<double>(loops_.size());
  if (result.operations > 0 && std::abs(in_flight - loops) > loops / 10)
    result.warnings.emplace_back("rate and latency are not those of a steady state: simulate longer");
  return result;
}

void DmaSimulation::report(RunResult& result) {
  const Time now = calendar_.now();
  const double seconds = to_seconds(result.simulated);
  const auto bytes = static_cast<double>(scenario_.size.count);
  // Each way: what goes up and what comes down do not add up to anything that could be full.
  result.bandwidth = {static_cast<double>(std::max(reads_, writes_)) * bytes / seconds};
  const auto counter = [&](const char* name, std::uint64_t count) {
    result.counters.push_back({name, count, {static_cast<double>(count) / seconds}});
  };
  counter("host/PCIeRdCur", link_.lines_read());
  counter("host/PCIeItoM", link_.lines_written());
  counter("host/lines from DRAM", memory_.lines_from_dram());
  counter("host/lines evicted", memory_.evictions());
  std::vector<Utilisation>& busy = result.utilisations;
  busy = {{"PCIe downstream", link_.downstream().utilisation(now), Limit::dma_bandwidth},
          {"PCIe upstream", link_.upstream().utilisation(now), Limit::dma_bandwidth},
          {"DMA engine, reads", engine_.reads().utilisation(now), Limit::device},
          {"DMA engine, completions", engine_.completions().utilisation(now), Limit::device},
          {"DMA engine, parts of words", engine_.partial_words().utilisation(now), Limit::device},
          {"DMA engine, writes", engine_.writes().utilisation(now), Limit::device}};
  report_memory(result);
  if (const auto& iommu = memory_.iommu()) {
    busy.push_back({"IOMMU page walks", iommu->walking(), Limit::page_walks});
    counter("host/IO-TLB misses", iommu->misses());
  }
  sort_busiest_first(busy);
  // Each request is followed by the next.
  result.bottleneck =
      find_bottleneck(busy, {{"read tags", link_.tagless(), Limit::read_tags},
                             {"non-posted credits", link_.creditless(), Limit::credits},
                             {"posted credits", link_.by_posted_credits(result.simulated), Limit::credits},
                             {"requests in flight", 1, Limit::in_flight}});
}

void DmaSimulation::report_memory(RunResult& result) {
  Dram* dram = memory_.dram();
  if (dram == nullptr) return;
  const Time now = calendar_.now();
  const double seconds = to_seconds(result.simulated);
  const auto level = [&](const char* name, double mean) { result.levels.push_back({name, mean}); };
  const Bytes moved = cache_line * static_cast<std::int64_t>(dram->lines_read() + dram->lines_written());
  const auto opened = static_cast<double>(dram->rows_opened());
  Utilisation& channels =
      result.utilisations.emplace_back(Utilisation{"memory channels", dram->working(now), Limit::bus_bandwidth});
  channels.elastic = dram->behind(now) < saturated;
  level("memory (GBps)", static_cast<double>(moved.count) / seconds / 1e9);
  level("memory channels full of writes (%)", dram->full(now) * 100);
  // As performance counters tell it, which count the rows that are opened for reads beside these.
  if (dram->lines_read() > 0) {
    level("reads that open a row (%)",
          static_cast<double>(dram->rows_opened_to_read()) / static_cast<double>(dram->lines_read()) * 100);
  }
  result.counters.push_back({"host/rows opened", dram->rows_opened(), {opened / seconds}});
  if (!cores_) return;
  const Bytes used = cache_line * static_cast<std::int64_t>(cores_->lines_read() + cores_->lines_written());
  level("cores (GBps)", static_cast<double>(used.count) / seconds / 1e9);
  level("line of a core (ns)", to_nanoseconds(cores_->latency().mean()));
}

}  // namespace doorbell::model
