#include "models/storage/storage_server.hpp"

#include <algorithm>

#include "models/common/bottleneck.hpp"
#include "models/common/measured_rate.hpp"
#include "models/storage/held_transfer.hpp"
#include "models/storage/segment_order.hpp"
#include "models/storage/storage_routes.hpp"

namespace doorbell::model {
namespace {

constexpr Time compute_unit = std::chrono::microseconds{100};
constexpr Bytes marker_distance{65536};

}  // namespace

StorageServerSimulation::StorageServerSimulation(const StorageScenario& scenario, std::uint64_t seed)
    : scenario_{scenario},
      random_{seed, "server"},
      network_{calendar_, core::Priority{1}},
      cpu_{calendar_, 1},
      device_{calendar_, 1},
      nic_{calendar_, 1},
      sram_{calendar_, scenario.server.nic.sram.count},
      array_{scenario_.server.raid} {
  add_routes();
}

void StorageServerSimulation::add_routes() {
  const StorageRoutes routes = storage_routes(scenario_);
  for (const auto& [name, bandwidth, limit] : routes.resources) network_.add_resource(name, bandwidth, limit);
  for (const StorageRoutes::Route& route : routes.from_disks) from_disks_.push_back(network_.add_route(route));
  from_device_ = network_.add_route(routes.from_device);
  to_device_ = network_.add_route(routes.to_device);
  send_ = network_.add_route(routes.send);
  receive_ = network_.add_route(routes.send);
  if (scenario_.path == DataPath::tcp) copies_ = network_.add_route(routes.copies);
  memory_ = network_.add_route(routes.memory);
  memory_alone_ = routes.rate(routes.memory);
}

core::Process StorageServerSimulation::client() {
  for (;;) {
    const Time began = calendar_.now();
    if (is_remote(scenario_.path)) co_await core::delay(calendar_, scenario_.server.nic.latency);
    co_await serve();
    if (is_remote(scenario_.path)) co_await core::delay(calendar_, scenario_.server.nic.latency);
    if (is_remote(scenario_.path)) held_.latency += scenario_.server.nic.latency * 2;
    latency_.add(calendar_.now() - began);
    ++requests_;
  }
}

core::Task<> StorageServerSimulation::serve() {
  const bool buffered_in_nic = in_sram(scenario_.path);
  const Time asked = calendar_.now();
  if (buffered_in_nic) co_await sram_.acquire(scenario_.request.count);
  held_.sram_waits += calendar_.now() - asked;
  if (scenario_.operation == BlockOperation::read) {
    co_await read_and_send();
  } else {
    co_await receive_and_write();
  }
  if (buffered_in_nic) sram_.release(scenario_.request.count);
}

core::Task<> StorageServerSimulation::use_cpu(Time mean) {
  const Time time = varied(mean);
  const Time asked = calendar_.now();
  co_await cpu_.acquire();
  held_.cpu_waits += calendar_.now() - asked;
  co_await core::delay(calendar_, time);
  held_.cpu.add(for_server_cpu, time);
  cpu_.release();
}

core::Task<> StorageServerSimulation::read_and_send() {
  co_await use_cpu(scenario_.server.cpu.request);
  Arrival arrival{calendar_, calendar_.now()};
  if (scenario_.synchronized != SynchronizedSend::none && is_remote(scenario_.path)) {
    co_await send_while_arriving(arrival);
  } else {
    co_await read_medium(arrival);
    co_await send_what_was_read();
  }
  ++states_.requests;
  states_.reading += arrival.complete - arrival.began;
  states_.sending += calendar_.now() - arrival.complete;
}

core::Task<> StorageServerSimulation::send_what_was_read() {
  if (scenario_.path == DataPath::tcp) co_await pass_through_tcp();
  if (is_remote(scenario_.path)) co_await message(send_, scenario_.request);
}

/// Out of the buffer, into socket buffers, and through the protocol: every byte passes the CPU three times. It is busy
/// as long as a copy lasts, which may have to share the buses to memory.
core::Task<> StorageServerSimulation::pass_through_tcp() {
  const Time protocol = varied(transfer_time(scenario_.request, scenario_.server.cpu.tcp));
  const Time asked = calendar_.now();
  co_await cpu_.acquire();
  const Time began = calendar_.now();
  held_.cpu_waits += began - asked;
  const Bytes moved = scenario_.request * StorageRoutes::moved_by_copies;
  const FluidNetwork::Narrowest narrowest = co_await network_.transfer(copies_, moved);
  add_transfer(held_.cpu, for_resources, narrowest, calendar_.now() - began);
  co_await core::delay(calendar_, protocol);
  held_.cpu.add(for_server_cpu, protocol);
  cpu_.release();
}

core::Task<> StorageServerSimulation::message(Route route, Bytes size) {
  const Time asked = calendar_.now();
  co_await nic_.acquire();
  const Time began = calendar_.now();
  held_.nic_waits += began - asked;
  co_await core::delay(calendar_, varied(scenario_.server.nic.message));
  const Time flows = calendar_.now();
  held_.nic.add(for_messages, flows - began);
  const FluidNetwork::Narrowest narrowest = co_await network_.transfer(route, size);
  add_transfer(held_.nic, for_resources, narrowest, calendar_.now() - flows);
  nic_.release();
}

core::Task<> StorageServerSimulation::read_medium(Arrival& arrival) {
  const Time asked = calendar_.now();
  co_await device_.acquire();
  const Time has = calendar_.now();
  arrival.waited = has - asked;
  if (scenario_.medium == Medium::raid) {
    co_await core::delay(calendar_, varied(scenario_.server.raid.command));
    arrival.held.add(for_commands, calendar_.now() - has);
    co_await read_disks(arrival);
  } else {
    co_await read_segments(arrival);
  }
  held_.device_waits += arrival.waited;
  held_.device.add(arrival.held);
  arrival.complete = calendar_.now();
  device_.release();
}

Bytes StorageServerSimulation::grain(Bytes size) const {
  // Packet by packet only where somebody watches the data arrive.
  return scenario_.synchronized == SynchronizedSend::none ? size : std::min(size, scenario_.server.nic.packet);
}

/// `step` more bytes of a part have come, evenly since then.
void StorageServerSimulation::advance(Arrival& arrival, std::size_t part, Bytes step, Time since) {
  Arrival::Part& filled = arrival.parts[part];
  const std::int64_t from = filled.offset.count + filled.arrived.count;
  filled.arrived += step;
  for (std::int64_t i = from / marker_distance.count; (i + 1) * marker_distance.count <= from + step.count; ++i) {
    const auto marker = static_cast<std::size_t>(i);
    if (states_.markers.size() <= marker) states_.markers.resize(marker + 1);
    const double share = static_cast<double>((i + 1) * marker_distance.count - from) / static_cast<double>(step.count);
    const Time now = since + from_seconds(to_seconds(calendar_.now() - since) * share);
    states_.markers[marker].arrived += now - arrival.began;
    ++states_.markers[marker].seen;
  }
}

core::Task<> StorageServerSimulation::read_disks(Arrival& arrival) {
  struct Stream {
    std::size_t part;  // the one that it fills now
    std::size_t end;
  };
  std::vector<Stream> streams;
  Time ready{0};
  for (const Stripe& stripe : array_.next(scenario_.request)) {
    ready = std::max(ready, array_.media_ready(stripe.disk, stripe.size(), calendar_.now()));
    streams.push_back({arrival.parts.size(), arrival.parts.size() + stripe.pieces.size()});
    for (const Stripe::Piece& piece : stripe.pieces) arrival.parts.push_back({piece.offset, piece.size, {}, {}});
  }
  const Time asked = calendar_.now();
  const HeldTime before = arrival.held;
  // All disks that still have data move the same amount in turn, as long as they all have it.
  while (!streams.empty()) {
    Bytes step = scenario_.request;
    for (const Stream& stream : streams) {
      const Arrival::Part& part = arrival.parts[stream.part];
      step = std::min(step, grain(part.size - part.arrived));
    }
    const Time began = calendar_.now();
    const Bytes together = step * static_cast<std::int64_t>(streams.size());
    const FluidNetwork::Narrowest narrowest = co_await network_.transfer(from_disks_[streams.size()], together);
    add_transfer(arrival.held, for_resources, narrowest, calendar_.now() - began);
    for (Stream& stream : streams) {
      advance(arrival, stream.part, step, began);
      if (arrival.parts[stream.part].arrived == arrival.parts[stream.part].size) ++stream.part;
    }
    std::erase_if(streams, [](const Stream& stream) { return stream.part == stream.end; });
    arrival.progress.notify_all();
  }
  if (ready > calendar_.now()) {
    co_await core::until(calendar_, ready);
    arrival.held = before;
    arrival.held.add(for_disks, ready - asked);
  }
}

core::Task<> StorageServerSimulation::read_segments(Arrival& arrival) {
  const Bytes segment = scenario_.server.fast_device.segment;
  const auto segments = static_cast<std::size_t>(ceil_div(scenario_.request, segment));
  for (std::size_t i = 0; i < segments; ++i) {
    const Bytes offset = segment * static_cast<std::int64_t>(i);
    arrival.parts.push_back({offset, std::min(segment, scenario_.request - offset), {}, {}});
  }
  for (const std::size_t i : segment_order(scenario_.scheduler, segments)) {
    if (scenario_.medium == Medium::fast_device) {
      const Time commanded = calendar_.now();
      co_await core::delay(calendar_, varied(scenario_.server.fast_device.command));
      arrival.held.add(for_commands, calendar_.now() - commanded);
    }
    while (arrival.parts[i].arrived < arrival.parts[i].size) {
      const Bytes step = grain(arrival.parts[i].size - arrival.parts[i].arrived);
      const Time began = calendar_.now();
      const FluidNetwork::Narrowest narrowest = co_await network_.transfer(from_device_, step);
      add_transfer(arrival.held, for_resources, narrowest, calendar_.now() - began);
      advance(arrival, i, step, began);
      arrival.progress.notify_all();
    }
  }
}

core::Task<> StorageServerSimulation::receive_and_write() {
  if (is_remote(scenario_.path)) co_await message(receive_, scenario_.request);
  co_await use_cpu(scenario_.server.cpu.request);
  co_await write_medium();
}

core::Task<> StorageServerSimulation::write_medium() {
  const Time asked = calendar_.now();
  co_await device_.acquire();
  const Time has = calendar_.now();
  held_.device_waits += has - asked;
  if (scenario_.medium == Medium::fast_device) {
    co_await core::delay(calendar_, varied(scenario_.server.fast_device.commands(scenario_.request)));
  }
  const Time flows = calendar_.now();
  held_.device.add(for_commands, flows - has);
  const FluidNetwork::Narrowest narrowest = co_await network_.transfer(to_device_, scenario_.request);
  add_transfer(held_.device, for_resources, narrowest, calendar_.now() - flows);
  device_.release();
}

core::Process StorageServerSimulation::compute() {
  const double share = scenario_.compute->memory_share;
  const Time waiting = from_seconds(to_seconds(compute_unit) * share);
  const Bytes bytes{std::llround(to_seconds(waiting) * memory_alone_.bytes_per_second)};
  for (;;) {
    co_await core::delay(calendar_, compute_unit - waiting);
    co_await network_.transfer(memory_, bytes);
    ++work_;
  }
}

void StorageServerSimulation::report_states(RunResult& result) const {
  if (states_.requests == 0) return;
  const auto mean = [](Time sum, std::uint64_t count) { return to_seconds(sum) * 1e6 / static_cast<double>(count); };
  result.levels.push_back({"server/reading (us)", mean(states_.reading, states_.requests)});
  result.levels.push_back({"server/sending (us)", mean(states_.sending, states_.requests)});
  for (std::size_t i = 0; i < states_.markers.size(); ++i) {
    const States::Marker& marker = states_.markers[i];
    if (marker.seen == 0) continue;
    const std::int64_t end = marker_distance.count * static_cast<std::int64_t>(i + 1) / 1024;
    result.levels.push_back({.name = "server/DMA of KB " + std::to_string(end) + " (us)",
                             .value = mean(marker.arrived, marker.seen),
                             .position = static_cast<double>(end)});
  }
}

RunResult StorageServerSimulation::run(const Tracing* trace) {
  for (int i = 0; i < scenario_.outstanding; ++i) core::start(calendar_, client());
  if (scenario_.compute) core::start(calendar_, compute());
  calendar_.run_until(scenario_.warmup);

  network_.measure();
  if (trace != nullptr) network_.trace(trace->begin(calendar_.now(), scenario_.duration));
  for (core::TokenPool* pool : {&cpu_, &device_, &nic_, &sram_}) pool->reset_statistics();
  latency_ = {};
  states_ = {};
  held_ = {};
  requests_ = 0;
  work_ = 0;
  RunResult result;
  measure_rate(calendar_, scenario_.duration, few_slices, result, [this] { return requests_; });
  result.bandwidth = {result.throughput.per_second * static_cast<double>(scenario_.request.count)};
  result.latency = summary_of(latency_);
  const std::vector<FluidNetwork::Load> loads = network_.loads();
  result.utilisations.push_back({"server/CPU", cpu_.in_use().mean(calendar_.now()), Limit::cpu});
  result.utilisations.back().remark = copies_remark(held_stages(result.bandwidth, loads));
  for (const FluidNetwork::Load& load : loads) {
    result.utilisations.push_back({load.name, load.busy, load.limit});
  }
  sort_busiest_first(result.utilisations);
  result.bottleneck = find_bottleneck(result.utilisations, holders(result.bandwidth, loads));
  if (scenario_.compute) {
    result.counters.push_back(
        {"server/compute work", work_, Rate{static_cast<double>(work_) / to_seconds(result.simulated)}});
  }
  report_states(result);
  result.operations = requests_;
  if (requests_ == 0) result.warnings.emplace_back("no request was completed while measuring");
  return result;
}

}  // namespace doorbell::model
