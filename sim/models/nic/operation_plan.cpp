#include "models/nic/operation_plan.hpp"

#include <algorithm>
#include <numeric>

namespace doorbell::model {
namespace {

bool is_upstream(const PathStep& step, TlpKind kind) {
  return step.resource == Resource::pcie_upstream && step.tlps && step.tlps->kind == kind;
}

WriteCost write_cost(const PathStep& step) {
  return {.service = step.service, .tlps = static_cast<int>(step.tlps->tlps), .cache_lines = step.cache_lines};
}

/// The DMA read of a phase: its request goes up, its completions come down.
std::optional<DmaReadCost> read_cost(const VerbPath& path, Phase phase, Side side, Per per) {
  std::optional<DmaReadCost> cost;
  for (const PathStep& step : path.steps) {
    if (step.phase != phase || step.side != side || step.per != per) continue;
    if (step.resource == Resource::root_complex && cost) cost->latency = step.latency;
    if (!step.tlps) continue;
    if (is_upstream(step, TlpKind::memory_read)) {
      cost = DmaReadCost{.request = step.service,
                         .latency = Time{0},
                         .completion = Time{0},
                         .tags = static_cast<int>(step.tlps->tlps),
                         .cache_lines = step.cache_lines};
    } else if (step.tlps->kind == TlpKind::completion && cost) {
      cost->completion = step.service;
    }
  }
  return cost;
}

std::vector<WriteCost> write_costs(const VerbPath& path, Phase phase, Side side, Per per) {
  std::vector<WriteCost> costs;
  for (const PathStep& step : path.steps) {
    if (step.phase == phase && step.side == side && step.per == per && is_upstream(step, TlpKind::memory_write)) {
      costs.push_back(write_cost(step));
    }
  }
  return costs;
}

std::optional<WriteCost> only_write(const VerbPath& path, Phase phase, Side side, Per per) {
  const std::vector<WriteCost> costs = write_costs(path, phase, side, per);
  return costs.empty() ? std::nullopt : std::optional{costs.front()};
}

PacketCost packet_cost(const VerbPath& path, Phase sent, Phase received, Side from) {
  const Side to = from == Side::requester ? Side::responder : Side::requester;
  PacketCost cost{.transmit = path.service(sent, from, Resource::nic_transmit, Per::operation),
                  .port_transmit = path.service(sent, from, Resource::port_transmit, Per::operation),
                  .port_receive = path.service(sent, to, Resource::port_receive, Per::operation),
                  .receive = path.service(received, to, Resource::nic_receive, Per::operation),
                  .network = Bytes{0}};
  for (const PathStep& step : path.steps) {
    if (step.phase == sent && step.resource == Resource::port_transmit) cost.network = step.network;
  }
  return cost;
}

template <class Cost> void keep_if_different(std::vector<Cost>& costs) {
  if (std::ranges::count(costs, costs.front()) == std::ssize(costs)) costs.clear();
}

/// What objects cost that PCI Express cuts differently.
void cost_places(OperationPlan& plan, const PcieParameters& pcie, Bytes packet) {
  const Placement& objects = plan.operation.remote_objects;
  const std::vector<std::int64_t> begins = distinct_begins(pcie, objects);
  if (begins.size() == 1) return;
  plan.place_unit = placement_unit(pcie).count;
  plan.place_step = std::gcd(objects.stride.count, plan.place_unit);
  const PcieParameters link = within_packets(pcie, packet);
  for (std::int64_t begin = objects.offset.count % plan.place_step; begin < plan.place_unit; begin += plan.place_step) {
    if (plan.remote_read) {
      plan.remote_reads.push_back(dma_read_cost(link, plan.remote_read->latency, plan.operation.payload, begin));
    } else {
      plan.remote_payloads.push_back(dma_write_cost(link, plan.operation.payload, begin));
    }
  }
  if (!plan.remote_reads.empty()) keep_if_different(plan.remote_reads);
  if (!plan.remote_payloads.empty()) keep_if_different(plan.remote_payloads);
}

/// How a message of several packets is cut: into full ones, and a last one of what is left.
struct Cut {
  std::int64_t full = 0;
  std::int64_t whole = 0;
  int before_last = 0;

  /// Gives a full packet its share of `cost`, and leaves that of the last one.
  [[nodiscard]] Time take(Time& cost) const {
    const Time share = cost * full / whole;
    cost -= share * before_last;
    return share;
  }
  template <class Cost> [[nodiscard]] Cost take(Cost& cost) const {
    const Cost share = share_of(cost, full, whole);
    take_out(cost, share, before_last);
    return share;
  }
  [[nodiscard]] PacketCost take(PacketCost& cost) const {
    const Bytes network{cost.network.count * full / whole};
    cost.network = Bytes{cost.network.count - network.count * before_last};
    return {.transmit = take(cost.transmit),
            .port_transmit = take(cost.port_transmit),
            .port_receive = take(cost.port_receive),
            .receive = take(cost.receive),
            .network = network};
  }
};

/// Takes the costs of full packets out of those of the whole message, which keeps the last one's.
OperationPlan cut_off(OperationPlan& plan, Bytes size) {
  const Cut cut{size.count, plan.operation.payload.count, plan.parts - 1};
  OperationPlan packet = plan;
  if (plan.operation.verb == Verb::read) {
    if (plan.remote_read) packet.remote_read = cut.take(*plan.remote_read);
    for (std::size_t i = 0; i < plan.remote_reads.size(); ++i) packet.remote_reads[i] = cut.take(plan.remote_reads[i]);
    if (plan.returned_payload) packet.returned_payload = cut.take(*plan.returned_payload);
    packet.reply = cut.take(plan.reply);
  } else {
    if (plan.gather) packet.gather = cut.take(*plan.gather);
    packet.deliver.items[0] = cut.take(plan.deliver.items[0]);
    for (std::size_t i = 0; i < plan.remote_payloads.size(); ++i)
      packet.remote_payloads[i] = cut.take(plan.remote_payloads[i]);
    packet.request = cut.take(plan.request);
  }
  return packet;
}

}  // namespace

OperationPlan make_plan(const Operation& operation, const HardwareProfile& requester,
                        const HardwareProfile& responder) {
  const VerbPath path = make_path(operation, requester, responder);
  OperationPlan plan;
  plan.operation = operation;
  plan.core_per_call = path.service(Phase::post, Side::requester, Resource::core, Per::call);
  plan.core_per_wqe = path.service(Phase::post, Side::requester, Resource::core, Per::operation);
  for (const PathStep& step : path.steps) {
    if (step.phase == Phase::post && step.resource == Resource::pcie_downstream)
      plan.mmio_writes.push_back(step.service);
  }
  plan.by_doorbell = operation.method == PostMethod::doorbell;
  plan.last_by_mmio = operation.last_by_mmio;
  plan.wqe_place = wqe_place(requester.nic, operation);
  plan.pu_per_call = path.service(Phase::process, Side::requester, Resource::processing_unit, Per::call);
  plan.pu_per_wqe = path.service(Phase::process, Side::requester, Resource::processing_unit, Per::operation);
  plan.gather = read_cost(path, Phase::process, Side::requester, Per::operation);
  plan.request = packet_cost(path, Phase::transmit, Phase::deliver, Side::requester);
  for (const WriteCost& write : write_costs(path, Phase::deliver, Side::responder, Per::operation)) {
    plan.deliver.items[static_cast<std::size_t>(plan.deliver.count++)] = write;
  }
  plan.recv_prefetch = read_cost(path, Phase::deliver, Side::responder, Per::prefetch);
  plan.remote_read = read_cost(path, Phase::execute, Side::responder, Per::operation);
  if (operation.payload > Bytes{0}) cost_places(plan, responder.pcie, path.packet);
  plan.remote_write = only_write(path, Phase::execute, Side::responder, Per::operation);
  plan.acknowledged = operation.transport == Transport::rc;
  plan.reply = packet_cost(path, Phase::reply, Phase::complete, Side::responder);
  plan.returned_payload = only_write(path, Phase::complete, Side::requester, Per::operation);
  plan.cqe = *only_write(path, Phase::complete, Side::requester, Per::signal);
  plan.reply_cqe = path.service(Phase::complete, Side::requester, Resource::nic_receive, Per::signal);
  plan.take_data = path.service(Phase::complete, Side::requester, Resource::core, Per::operation);
  plan.parts = parts_of(path);
  if (plan.parts > 1) plan.part = std::make_shared<const OperationPlan>(cut_off(plan, path.packet));
  return plan;
}

}  // namespace doorbell::model
