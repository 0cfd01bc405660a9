#include "analytic/demand.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "analytic/demand_rows.hpp"
#include "analytic/lock_load.hpp"
#include "analytic/ports.hpp"
#include "analytic/reached.hpp"
#include "analytic/service_times.hpp"
#include "analytic/storage_demand.hpp"
#include "analytic/timeline.hpp"
#include "models/common/resource_name.hpp"
#include "models/nic/state_fetch.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

std::string_view word(Verb verb) { return EnumNames<Verb>::values.at(static_cast<std::size_t>(verb)); }

struct ResourceKind {
  std::string_view name;
  Limit limit;
};

/// As the simulator's utilisations are named; cores and locks are no plain sums over machines and have their own rows.
ResourceKind kind_of(Resource resource) {
  switch (resource) {
    case Resource::pcie_downstream: return {part::pcie_downstream, Limit::dma_bandwidth};
    case Resource::pcie_upstream: return {"PCIe upstream", Limit::dma_bandwidth};
    case Resource::processing_unit: return {"NIC processing units", Limit::nic_unit};
    case Resource::nic_transmit: return {"NIC transmit pipeline", Limit::nic};
    case Resource::nic_receive: return {"NIC receive pipeline", Limit::nic};
    case Resource::atomic_lock: return {"atomic locks", Limit::pcie_round_trip};
    case Resource::port_transmit: return {"ports transmit", Limit::network_bandwidth};
    case Resource::port_receive: return {"ports receive", Limit::network_bandwidth};
    case Resource::core:
    case Resource::root_complex: break;
  }
  return {"cores", Limit::cpu};
}

class Builder {
 public:
  explicit Builder(const Flow& flow) : flow_{flow} {
    for (const ProgramFlow& program : flow.programs()) {
      for (const PostFlow& post : program.posts) add_post(program, post);
      if (program.passes > 0) add_passes(program);
    }
    name_downstream();
    for (const auto& [row, load] : port_loads_) {
      rows_[row].servers = load.servers();
      rows_[row].together = load.ports();
    }
    for (const auto& [row, load] : lock_loads_) {
      const double machines = std::exchange(rows_[row].servers, 0);
      rows_[row].servers = machines * load.servers();
      rows_[row].together = machines * load.locks();
    }
  }

  DemandMatrix take() { return rows_.take(); }

 private:
  void begin_class(const ProgramFlow& program, const std::string& name, double visits, int batch) {
    rows_.begin_class({program.name + ": " + name, flow_.index_of(program.name), visits, batch, std::nullopt});
  }

  void add_post(const ProgramFlow& from, const PostFlow& post) {
    const ProgramFlow& to = flow_.programs()[post.to];
    begin_class(from, fmt::format("{} to {}", word(post.step->verb), to.name), post.work_requests, post.batch);
    const VerbPath path = path_of(flow_, from, post, post.batch);
    const int posting = machines_at_work(flow_, from);
    const int asked = machines_reached(flow_, from, post);
    PortsInUse leaving = ports_of_post(flow_, from, post);
    leaving.resize(static_cast<std::size_t>(posting));
    PortsInUse reached = ports_of_arrival(flow_, from, post, leaving);
    reached.resize(static_cast<std::size_t>(asked));
    if (!post.by_device) add_cores(from, to_seconds(path.demand(Side::requester, Resource::core)));
    if (post.step->relay) add_cores(from, to_seconds(return_time(flow_, from, post)));
    add_transmit_queue(path, from);
    for (const Side side : {Side::requester, Side::responder}) {
      const ProgramFlow& here = side == Side::requester ? from : to;
      const int machines = side == Side::requester ? posting : asked;
      for (int i = 0; i < resource_count; ++i) {
        const auto resource = static_cast<Resource>(i);
        const Time fetching = path.service(Phase::fetch, side, resource, Per::call);
        const double demand = to_seconds(path.demand(side, resource)) - to_seconds(fetching) / path.operation.batch;
        if (resource == Resource::core || demand <= 1e-15) continue;
        const std::size_t used = row_of(resource, here);
        rows_.add(used, servers_of(resource, here, machines), demand);
        if (resource == Resource::port_transmit || resource == Resource::port_receive)
          port_loads_[used].add(side == Side::requester ? leaving : reached, demand * post.work_requests);
        if (resource == Resource::atomic_lock)
          lock_loads_.try_emplace(used, here.hardware.atomics.address_bits)
              .first->second.add(post.step->region, demand * post.work_requests);
      }
      add_tags(path, side, here, machines, [](const PathStep& step) { return step.phase != Phase::fetch; });
      add_receive_buffers(path, side, here, machines);
    }
    add_fetch(path, from, post);
    add_translations(to, asked, post);
    add_atomics_in_pipelines(path, to, asked);
    for (const PathStep& step : path.steps) {
      if (step.phase == Phase::post && step.resource == Resource::pcie_downstream) {
        mmio_[from.program->machine] += to_seconds(step.service) * path.per_operation(step.per) * post.work_requests;
        add_mmio_credit(step, path.per_operation(step.per), from);
      }
    }
    rows_.newest_class().path = path;
  }

  /// A NIC without engines for atomics takes in and sends nothing else while it executes one.
  void add_atomics_in_pipelines(const VerbPath& path, const ProgramFlow& to, int asked) {
    const Time held = path.demand(Side::responder, Resource::atomic_lock);
    if (held == Time{0} || to.hardware.atomics.engines > 0) return;
    const Time response = path.demand(Side::responder, Resource::nic_transmit);
    rows_.add(row_of(Resource::nic_receive, to), asked, to_seconds(held));
    rows_.add(row_of(Resource::nic_transmit, to), asked, to_seconds(std::max(Time{0}, held - response)));
  }

  std::size_t row_of(Resource resource, const ProgramFlow& here) {
    const ResourceKind kind = kind_of(resource);
    return rows_.row(here.program->machine + "/" + std::string{kind.name}, kind.limit);
  }

  /// The processing unit does nothing else while it fetches.
  void add_fetch(const VerbPath& call, const ProgramFlow& from, const PostFlow& post) {
    if (call.operation.method != PostMethod::doorbell) return;
    const int posting = machines_at_work(flow_, from);
    const int wqes = wqes_per_fetch(from.hardware.nic, post.batch, post.queue_pairs->depth);
    Operation together = call.operation;
    together.batch = wqes;
    const VerbPath path = make_path(together, from.hardware, flow_.programs()[post.to].hardware);
    // Lists whose last WQE is at hand are read at the same time, and yet one by one.
    const VerbPath& read = call.operation.last_by_mmio ? call : path;
    for (const Resource link : {Resource::pcie_upstream, Resource::pcie_downstream}) {
      double service = to_seconds(read.service(Phase::fetch, Side::requester, link, Per::call)) / read.operation.batch;
      if (call.operation.last_by_mmio && link == Resource::pcie_downstream) {
        // Lists of one are not read: they are cheaper where a WQE takes less room by MMIO than in memory.
        const Time written = call.service(Phase::post, Side::requester, link, Per::call);
        service = std::min(service, to_seconds(written) * (1 - 1.0 / call.operation.batch));
      }
      rows_.add(row_of(link, from), servers_of(link, from, posting), service);
    }
    const Time wait = read_round_trip(path, Phase::fetch, Side::requester);
    rows_.add(row_of(Resource::processing_unit, from), servers_of(Resource::processing_unit, from, posting),
              to_seconds(wait) / wqes);
    add_tags(path, Side::requester, from, posting, [](const PathStep& step) { return step.phase == Phase::fetch; });
  }

  void add_translations(const ProgramFlow& to, int asked, const PostFlow& post) {
    const double missing = translations_missing(flow_, to, post);
    if (missing == 0) return;
    const std::size_t fetches = rows_.row(to.program->machine + "/NIC state fetches", Limit::nic_memory);
    rows_.add(fetches, asked * to.hardware.nic.state_fetches, to_seconds(state_fetch_time(to.hardware)) * missing);
    rows_[fetches].queues = asked;
  }

  /// On so many machines of the group. A NIC whose queue pairs are few cannot use all of its processing units.
  [[nodiscard]] double servers_of(Resource resource, const ProgramFlow& here, double count) const {
    if (resource != Resource::processing_unit) return count;
    return count * std::min(here.hardware.nic.processing_units, queue_pairs_posting(here.program->machine));
  }

  [[nodiscard]] int queue_pairs_posting(const std::string& machine) const {
    int count = 0;
    for (const ProgramFlow& program : flow_.programs()) {
      if (program.program->machine != machine) continue;
      const double at_work = threads_at_work(flow_, program) / machines_at_work(flow_, program);
      const double share = std::min(1.0, at_work / program.program->threads);
      std::vector<const QueuePairs*> seen;
      for (const PostFlow& post : program.posts) {
        if (std::find(seen.begin(), seen.end(), post.queue_pairs) != seen.end()) continue;
        seen.push_back(post.queue_pairs);
        count += static_cast<int>(std::ceil(queue_pairs_of(program, *post.queue_pairs) * share));
      }
    }
    return count;
  }

  void add_cores(const ProgramFlow& program, double seconds) {
    const std::size_t cores = rows_.row(cores_of(program.program->machine, program.name), Limit::cpu);
    rows_.add(cores, threads_at_work(flow_, program), seconds);
    if (program.program->completion.shared_queues > 0) rows_[cores].queues = queues_at_work(flow_, program);
  }

  /// Little's law: a request holds its tag from its departure until its last completion, and its non-posted credit
  /// until the root complex has answered and the credit has come back.
  template <class Chosen>
  void add_tags(const VerbPath& path, Side side, const ProgramFlow& here, int machines, Chosen chosen) {
    const PcieParameters& pcie = here.hardware.pcie;
    double tags_held = 0;
    double credits_held = 0;
    for (std::size_t i = 0; i + 2 < path.steps.size(); ++i) {
      const PathStep& request = path.steps[i];
      const bool reads = request.tlps && request.tlps->kind == TlpKind::memory_read;
      if (request.side != side || !reads || !chosen(request)) continue;
      const int parts = moves_payload(path.operation, request) ? parts_of(path) : 1;
      // Each request holds its own, and where they are short they go one by one.
      const double requests = std::max<double>(parts, request.mean_tlps);
      const auto held = [&](std::size_t end) {
        double time = 0;
        for (std::size_t step = i; step < end; ++step)
          time += to_seconds(path.steps[step].service) + requests * to_seconds(path.steps[step].latency);
        return time * path.per_operation(request.per);
      };
      tags_held += held(i + 3);
      credits_held += held(i + 2) + requests * to_seconds(pcie.latency) * path.per_operation(request.per);
    }
    if (tags_held == 0) return;
    const auto bound = [&](const char* what, Limit limit, int most, double held) {
      rows_.add(rows_.row(here.program->machine + what, limit, false), machines * most, held);
    };
    bound("/PCIe read tags", Limit::read_tags, pcie.read_tags, tags_held);
    // A read holds them for less time than its tags.
    if (pcie.nonposted_header_credits < pcie.read_tags)
      bound("/PCIe non-posted credits", Limit::credits, pcie.nonposted_header_credits, credits_held);
  }

  /// Where the buffer holds what the wire brings in a round trip, the ports bound more.
  void add_receive_buffers(const VerbPath& path, Side side, const ProgramFlow& here, int machines) {
    const PortParameters& port = here.hardware.port;
    if (!receive_buffer_is_short(flow_, port)) return;
    const double round_trip = to_seconds(receive_buffer_round_trip(flow_));
    const auto buffer = static_cast<double>(port.receive_buffer.count);
    for (const PathStep& step : path.steps) {
      if (step.side != side || step.resource != Resource::port_receive || step.network <= Bytes{0}) continue;
      // What is larger than the buffer has all of it.
      const double bytes = std::min(buffer, static_cast<double>(step.network.count));
      const std::size_t used = rows_.row(here.program->machine + "/receive buffers", Limit::receive_buffer, false);
      const double unit = packets_.try_emplace(used, bytes).first->second;
      rows_.add(used, machines * port.ports * buffer / unit, round_trip * bytes / unit * path.per_operation(step.per));
    }
  }

  /// A payload holds a place from the time it is asked for until it is there; a processing unit that finds none waits
  /// with one more.
  void add_transmit_queue(const VerbPath& path, const ProgramFlow& from) {
    const Time gather = read_round_trip(path, Phase::process, Side::requester);
    if (gather == Time{0}) return;
    const int posting = machines_at_work(flow_, from);
    const double places = static_cast<double>(posting) * (from.hardware.nic.tx_queue - 1);
    rows_.add(rows_.row(from.program->machine + "/NIC transmit queue", Limit::in_flight, false),
              places + servers_of(Resource::processing_unit, from, posting), to_seconds(gather));
  }

  /// An MMIO write holds a credit until the device's update is back.
  void add_mmio_credit(const PathStep& write, double times, const ProgramFlow& from) {
    rows_.add(rows_.row(resource_name(from.program->machine, part::mmio_credits), Limit::mmio_bandwidth, false),
              machines_at_work(flow_, from) * from.hardware.pcie.mmio_credits,
              to_seconds(write.service + write.latency * 2) * times);
  }

  /// Software of a pass that finds `items` to handle; steps follow one another as a thread takes them.
  void add_passes(const ProgramFlow& program) {
    const CpuParameters& cpu = program.hardware.cpu;
    const double lock = to_seconds(queue_lock_time(program));
    begin_class(program, "pass", program.passes, 1);
    double busy = 0;
    double waiting = 0;  // for pages
    double items = 0;    // at hand: what the last step that collects or awaits has taken
    std::size_t awaits = 0;
    for (const Step& step : program.program->loop) {
      if (const auto* collect = std::get_if<CollectStep>(&step)) {
        items = program.items;
        busy += program.stretch * (to_seconds(collect->per_pass) + items * to_seconds(collect->per_item));
        if (collect->via == Channel::completion_queue)
          busy += add_queue(program, completion_queues_of, lock, items * to_seconds(cpu.poll_cqe));
      } else if (const auto* await = std::get_if<AwaitStep>(&step)) {
        items = program.awaited.empty() ? program.items : program.awaited[awaits++];
        busy += items *
                (program.stretch * to_seconds(await->per_item) + to_seconds(cpu.poll_cqe) * answers_polled(program));
      } else if (const auto* compute = std::get_if<ComputeStep>(&step)) {
        busy += program.stretch *
                (to_seconds(compute->per_pass) + items * to_seconds(flow_.mean_per_item(program, *compute)));
      } else if (const auto* replenish = std::get_if<ReplenishStep>(&step)) {
        const double recvs = items * taking_recvs(flow_, program);
        busy += program.stretch * (to_seconds(replenish->per_pass) + recvs * to_seconds(replenish->per_item)) +
                add_queue(program, receive_queues_of, lock, recvs * to_seconds(cpu.recv_cost));
      } else if (const auto* increment = std::get_if<IncrementStep>(&step)) {
        const double times = increment->per_item ? items : std::min(1.0, items);
        const Time once = shared_line_time(program.hardware.shared_line, sharers(program, increment->line), cpu.cores);
        busy += times * to_seconds(once);
        rows_.add(rows_.row(shared_line_of(program.program->machine, increment->line), Limit::shared_line),
                  machines_at_work(flow_, program), times * to_seconds(once));
      } else if (const std::optional<StorageDemand> asked = storage_demand(program, step, flow_.scenario())) {
        add_storage(*asked);
        busy += asked->requests * asked->busy.count();
        waiting += asked->requests * asked->waiting.count();
      }
    }
    if (waiting > 0) {
      rows_.add(rows_.row(threads_of(program.program->machine, program.name), Limit::in_flight, false),
                threads_at_work(flow_, program), busy + waiting);
    }
    if (busy > 0) add_cores(program, busy);
    // Threads whose work costs nothing may ask a device all the same.
    rows_.end_class();
  }

  /// Adds the lock of a queue that threads share. Returns the CPU time of getting at the queue and working with it.
  double add_queue(const ProgramFlow& program, std::string (*queues_of)(std::string_view, std::string_view),
                   double lock, double work) {
    if (lock > 0)
      rows_.add(rows_.row(queues_of(program.program->machine, program.name), Limit::shared_line),
                queues_at_work(flow_, program), lock + work);
    return lock + work;
  }

  void add_storage(const StorageDemand& asked) {
    for (const auto& [resource, seconds] : asked.rows) {
      if (seconds > Seconds{0})
        rows_.add(rows_.row(resource.name, resource.limit, resource.is_station), resource.servers,
                  asked.requests * seconds.count());
    }
  }

  /// Share of a program's answers that come with a CQE of their own; those of signaled work requests are in the path.
  [[nodiscard]] double answers_polled(const ProgramFlow& program) const {
    double all = 0;
    double polled = 0;
    for (const PostFlow& post : program.posts) {
      if (!starts_work(*post.step)) continue;
      all += post.work_requests;
      if (ends_by_answer_with_cqe(flow_, post)) polled += post.work_requests;
    }
    return all > 0 ? polled / all : 0;
  }

  [[nodiscard]] int sharers(const ProgramFlow& program, const std::string& line) const {
    int threads = 0;
    for (const ProgramFlow& other : flow_.programs()) {
      if (other.program->machine != program.program->machine) continue;
      if (!increments(*other.program, line)) continue;
      const double at_work = threads_at_work(flow_, other) / machines_at_work(flow_, other);
      threads += std::min(other.program->threads, static_cast<int>(std::ceil(at_work)));
    }
    return threads;
  }

  /// What the downstream link carries most decides what it means that it is full.
  void name_downstream() {
    for (const auto& [machine, by_mmio] : mmio_) {
      const std::size_t row = rows_.find(resource_name(machine, part::pcie_downstream));
      if (row < rows_.size() && by_mmio > rows_.total(row) / 2) rows_[row].limit = Limit::mmio_bandwidth;
    }
  }

  const Flow& flow_;
  DemandRows rows_;
  std::map<std::string, double> mmio_;
  std::map<std::size_t, PortLoad> port_loads_;  // by row
  std::map<std::size_t, LockLoad> lock_loads_;  // likewise
  std::map<std::size_t, double> packets_;       // sizes in which receive buffers are counted, by row
};

}  // namespace

Eigen::VectorXd DemandMatrix::totals() const {
  Eigen::VectorXd visits(static_cast<Eigen::Index>(classes.size()));
  for (std::size_t c = 0; c < classes.size(); ++c) visits(static_cast<Eigen::Index>(c)) = classes[c].visits;
  return seconds * visits;
}

DemandMatrix demand_matrix(const Flow& flow) { return Builder{flow}.take(); }

}  // namespace doorbell::analytic
