#include "models/nic/verb_path.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "models/nic/path_builder.hpp"

namespace doorbell::model {
namespace {

constexpr Bytes data_pointer{16};  // a scatter entry, when the payload is not inline
constexpr Bytes atomic_word{8};

void post(PathBuilder& path, const Operation& operation, const HardwareProfile& requester) {
  const CpuParameters& cpu = requester.cpu;
  const MmioParameters& mmio = requester.mmio;
  const Bytes slot = wqe_bytes(requester.nic, operation);
  if (operation.reach_data > Time{0})
    path.core(Phase::post, Side::requester, Per::operation, operation.reach_data, "copy or register payload");
  path.core(Phase::post, Side::requester, Per::operation, cpu.wqe_cost, "prepare WQE");
  const bool whole = operation.method == PostMethod::mmio;
  if (whole || operation.last_by_mmio) {
    const Per per = whole ? Per::operation : Per::call;
    for (int line = 0; line < static_cast<int>(ceil_div(slot, mmio.line)); ++line) {
      path.core(Phase::post, Side::requester, per, mmio.line_cost, "fill write-combining buffer");
      path.mmio_write(Phase::post, per, mmio.line, whole ? "WQE by MMIO" : "last WQE by MMIO");
    }
    path.core(Phase::post, Side::requester, per, mmio.fence_cost, "flush write-combining buffers");
    if (whole) return;
  } else {
    path.core(Phase::post, Side::requester, Per::call, mmio.line_cost + mmio.fence_cost, "ring doorbell");
    path.mmio_write(Phase::post, Per::call, mmio.doorbell, "doorbell");
  }
  const int wqes = operation.batch - (operation.last_by_mmio ? 1 : 0);
  path.dma_read(Phase::fetch, Side::requester, Per::call, wqe_place(requester.nic, operation) * wqes, "fetch WQEs");
}

/// A WQE that the NIC no longer has (Kalia et al. 2016, Fig. 13a). Whole units are read.
void read_wqe_again(PathBuilder& path, Phase phase, const Operation& operation, const NicParameters& nic,
                    std::string_view label) {
  const Bytes place = wqe_place(nic, operation);
  path.dma_read(phase, Side::requester, Per::operation, nic.wqe_fetch_unit * ceil_div(place, nic.wqe_fetch_unit),
                label);
  // Those of SENDs and WRITEs are read like what the NIC reads ahead.
  if (!carries_payload(operation.verb) && nic.tx_displaced > Time{0})
    path.nic(phase, Side::requester, Resource::nic_transmit, Per::operation, nic.tx_displaced, label);
}

/// The RECV that a message takes is read together with others.
void prefetch_recvs(PathBuilder& path, const NicParameters& nic) {
  path.dma_read(Phase::deliver, Side::responder, Per::prefetch, nic.recv_wqe * nic.recv_prefetch, "prefetch RECVs");
}

void answer_send(PathBuilder& path, const Operation& operation, const HardwareProfile& responder) {
  const NicParameters& nic = responder.nic;
  const bool separate = operation.payload > Bytes{0} && !operation.inline_receive;
  path.nic(Phase::deliver, Side::responder, Resource::nic_receive, Per::operation,
           nic.rx_message + nic.rx_recv + nic.rx_dma * (separate ? 2 : 1) +
               (operation.inline_receive ? nic.rx_inline : Time{0}) + transfer_time(operation.payload, nic.data_path),
           "receive");
  prefetch_recvs(path, nic);
  if (separate) path.payload(operation, {});
  const Bytes within = operation.inline_receive ? operation.payload : Bytes{0};
  path.dma_write(Phase::deliver, Side::responder, Per::operation, nic.cqe + within, "RECV CQE");
}

void answer_write(PathBuilder& path, const Operation& operation, const HardwareProfile& responder) {
  const NicParameters& nic = responder.nic;
  const bool empty = operation.payload == Bytes{0};
  const Time notify = operation.immediate ? nic.rx_recv + nic.rx_dma : Time{0};
  path.nic(Phase::deliver, Side::responder, Resource::nic_receive, Per::operation,
           nic.rx_message + (empty ? Time{0} : nic.rx_dma) + notify + transfer_time(operation.payload, nic.data_path),
           "receive");
  // Immediate data take a RECV, whose memory is not used (InfiniBand Architecture Specification, volume 1, RDMA WRITE
  // with immediate data).
  if (operation.immediate) prefetch_recvs(path, nic);
  if (!empty) path.payload(operation, operation.remote_objects);
  if (operation.immediate) path.dma_write(Phase::deliver, Side::responder, Per::operation, nic.cqe, "RECV CQE");
}

void answer_read(PathBuilder& path, const Operation& operation, const HardwareProfile& responder) {
  const NicParameters& nic = responder.nic;
  const bool reads = reaches_memory(operation.verb, operation.payload);
  path.nic(Phase::deliver, Side::responder, Resource::nic_receive, Per::operation,
           nic.rx_message + (reads ? nic.rx_dma : Time{0}), "receive");
  if (!reads) return;
  path.dma_read(Phase::execute, Side::responder, Per::operation, operation.payload, "read payload", operation.in_dram,
                operation.remote_objects);
}

Time turn_of_wqe(const NicParameters& nic, const Operation& operation) {
  return nic.tx_message + nic.tx_line * (ceil_div(wqe_bytes(nic, operation), nic.wqe_slot) - 1);
}

/// The pipeline takes a second turn to ask for a long response.
Time time_to_request(const NicParameters& nic, const Operation& read) {
  const bool is_long = nic.long_read > Bytes{0} && read.payload > nic.long_read;
  return (turn_of_wqe(nic, read) + nic.tx_read_request) * (is_long ? 2 : 1);
}

/// The pipeline takes one turn for each packet of a response.
Time time_to_respond(const NicParameters& nic, Bytes payload, Bytes packet) {
  return nic.tx_response * message_packets(payload, packet) + transfer_time(payload, nic.data_path);
}

void answer_atomic(PathBuilder& path, const Operation& operation, const HardwareProfile& responder) {
  const NicParameters& nic = responder.nic;
  path.nic(Phase::deliver, Side::responder, Resource::nic_receive, Per::operation,
           nic.rx_message + nic.rx_dma + responder.atomics.processing, "receive and compute");
  const PcieParameters& link = responder.pcie;
  path.dma_read(Phase::execute, Side::responder, Per::operation, atomic_word, "read word", operation.in_dram);
  path.dma_write(Phase::execute, Side::responder, Per::operation, atomic_word, "write word");
  const Time held =
      occupancy(link, read_request_tlps(link, atomic_word)) + link.latency * 2 +
      (operation.in_dram ? responder.root_complex.read_latency_dram : responder.root_complex.read_latency) +
      occupancy(link, completion_tlps(link, atomic_word));
  path.nic(Phase::execute, Side::responder, Resource::atomic_lock, Per::operation, held, "hold lock");
}

void check_verb(const Operation& operation) {
  const bool reliable = operation.transport == Transport::rc;
  if (operation.verb == Verb::write && operation.transport == Transport::ud)
    throw std::invalid_argument("WRITE needs RC or UC");
  if (!carries_payload(operation.verb) && !reliable) throw std::invalid_argument("READ and atomics need RC");
  if (operation.method == PostMethod::mmio && operation.batch != 1) {
    throw std::invalid_argument("a batch cannot be posted by MMIO");
  }
}

void request(PathBuilder& path, const Operation& operation, const NicParameters& nic) {
  const Bytes payload = operation.payload;
  const bool carries = carries_payload(operation.verb);
  if (operation.method == PostMethod::doorbell) {
    path.nic(Phase::process, Side::requester, Resource::processing_unit, Per::call, nic.pu_doorbell, "take doorbell");
  }
  // What a processing unit has fetched itself it keeps until it sends the request.
  if (operation.displaced && operation.method == PostMethod::mmio)
    read_wqe_again(path, Phase::process, operation, nic, "read WQE again, for the request");
  path.nic(Phase::process, Side::requester, Resource::processing_unit, Per::operation, nic.pu_wqe, "process WQE");
  if (carries && !operation.inlined && payload > Bytes{0}) {
    path.dma_read(Phase::process, Side::requester, Per::operation, payload, "read payload");
  }
  const Time transmit = operation.verb == Verb::read
                            ? time_to_request(nic, operation)
                            : turn_of_wqe(nic, operation) + (carries ? transfer_time(payload, nic.data_path) : Time{0});
  path.nic(Phase::transmit, Side::requester, Resource::nic_transmit, Per::operation, transmit, "transmit");
  path.packet(Phase::transmit, Side::requester, carries ? payload : Bytes{0},
              {.datagram = operation.transport == Transport::ud,
               .remote_address = operation.verb == Verb::write || operation.verb == Verb::read,
               .immediate = operation.immediate,
               .atomic = is_atomic(operation.verb)},
              "request");
}

/// The pipeline finds what a response or an ACK belongs to while it starts its first DMA.
Time first_dma(const NicParameters& nic) { return std::max(nic.rx_dma, nic.rx_lookup); }

/// What brings no data starts no DMA but that of a CQE.
void receive_ack(PathBuilder& path, const NicParameters& nic, std::string_view label) {
  path.nic(Phase::complete, Side::requester, Resource::nic_receive, Per::operation, nic.rx_message, label);
  path.nic(Phase::complete, Side::requester, Resource::nic_receive, Per::signal, first_dma(nic), "start CQE");
}

void acknowledge(PathBuilder& path, const HardwareProfile& requester, const HardwareProfile& responder) {
  const NicParameters& nic = requester.nic;
  path.nic(Phase::reply, Side::responder, Resource::nic_transmit, Per::operation, responder.nic.tx_message,
           "acknowledge");
  path.packet(Phase::reply, Side::responder, Bytes{0}, {.acknowledge = true}, "ACK");
  receive_ack(path, nic, "receive ACK");
}

void respond(PathBuilder& path, const Operation& operation, Bytes packet, const HardwareProfile& requester,
             const HardwareProfile& responder) {
  const NicParameters& nic = requester.nic;
  const Bytes beyond_ack = operation.verb == Verb::read ? operation.payload : Bytes{0};
  path.nic(Phase::reply, Side::responder, Resource::nic_transmit, Per::operation,
           time_to_respond(responder.nic, beyond_ack, packet), "respond");
  path.packet(Phase::reply, Side::responder, beyond_ack,
              {.acknowledge = true, .atomic_acknowledge = is_atomic(operation.verb)}, "response");
  if (!reaches_memory(operation.verb, operation.payload)) return receive_ack(path, nic, "receive empty response");
  path.nic(Phase::complete, Side::requester, Resource::nic_receive, Per::operation,
           nic.rx_message + first_dma(nic) + transfer_time(beyond_ack, nic.data_path), "receive response");
  path.nic(Phase::complete, Side::requester, Resource::nic_receive, Per::signal,
           std::max(Time{0}, nic.rx_dma * 2 - first_dma(nic)), "start CQE");
  if (operation.displaced) read_wqe_again(path, Phase::complete, operation, nic, "read WQE again, for the response");
  path.dma_write(Phase::complete, Side::requester, Per::operation,
                 operation.verb == Verb::read ? operation.payload : atomic_word, "payload");
}

}  // namespace

std::string_view name_of(Resource resource) {
  static constexpr std::array<std::string_view, resource_count> names{"cores",
                                                                      "PCIe downstream",
                                                                      "PCIe upstream",
                                                                      "root complex",
                                                                      "NIC processing units",
                                                                      "NIC transmit pipeline",
                                                                      "NIC receive pipeline",
                                                                      "atomic locks",
                                                                      "port transmit",
                                                                      "port receive"};
  return names[static_cast<std::size_t>(resource)];
}

double VerbPath::per_operation(Per per) const {
  switch (per) {
    case Per::call: return 1.0 / operation.batch;
    case Per::operation: return 1;
    case Per::signal: return 1.0 / operation.signal_every;
    case Per::prefetch: return 1.0 / prefetch;
  }
  return 1;
}

Time VerbPath::demand(Side side, Resource resource) const {
  double picoseconds = 0;
  for (const PathStep& step : steps) {
    if (step.side == side && step.resource == resource) {
      picoseconds += static_cast<double>(step.service.count()) * per_operation(step.per);
    }
  }
  return Time{std::llround(picoseconds)};
}

Time VerbPath::service(Phase phase, Side side, Resource resource, Per per) const {
  Time total{0};
  for (const PathStep& step : steps) {
    if (step.phase == phase && step.side == side && step.resource == resource && step.per == per) total += step.service;
  }
  return total;
}

Bytes wqe_bytes(const NicParameters& nic, const Operation& operation) {
  Bytes size = operation.transport == Transport::ud ? nic.ud_wqe_header : nic.connected_wqe_header;
  const bool carries = carries_payload(operation.verb);
  // A header-only UD SEND fits its 68 B header into one slot: the immediate replaces the data segment (Kalia et al.
  // 2016, Fig. 5).
  if (operation.verb == Verb::send && operation.payload == Bytes{0}) return nic.wqe_slot;
  size += carries && operation.inlined ? operation.payload : (carries ? data_pointer : Bytes{0});
  return nic.wqe_slot * ceil_div(size, nic.wqe_slot);
}

Bytes wqe_place(const NicParameters& nic, const Operation& operation) {
  return std::max(nic.wqe_stride, wqe_bytes(nic, operation));
}

PcieParameters within_packets(PcieParameters pcie, Bytes packet) {
  pcie.max_payload = std::min(pcie.max_payload, packet);
  pcie.max_read_request = std::min(pcie.max_read_request, packet);
  return pcie;
}

int parts_of(const VerbPath& path) { return static_cast<int>(message_packets(path.operation.payload, path.packet)); }

bool moves_payload(const Operation& operation, const PathStep& step) {
  if (step.per != Per::operation || step.resource == Resource::core) return false;
  if (operation.verb == Verb::read) {
    return step.phase == Phase::execute || step.phase == Phase::reply || step.phase == Phase::complete;
  }
  if (!carries_payload(operation.verb)) return false;
  if (step.phase == Phase::process) return step.resource != Resource::processing_unit;
  if (step.phase == Phase::deliver) return step.resource == Resource::nic_receive || step.is_payload;
  return step.phase == Phase::transmit;
}

VerbPath make_path(const Operation& operation, const HardwareProfile& requester, const HardwareProfile& responder) {
  check_verb(operation);
  VerbPath result{.operation = operation,
                  .packet = std::min(requester.port.mtu, responder.port.mtu),
                  .prefetch = static_cast<double>(responder.nic.recv_prefetch),
                  .steps = {}};
  PathBuilder path{result, requester, responder};

  post(path, operation, requester);
  request(path, operation, requester.nic);
  switch (operation.verb) {
    case Verb::send: answer_send(path, operation, responder); break;
    case Verb::write: answer_write(path, operation, responder); break;
    case Verb::read: answer_read(path, operation, responder); break;
    case Verb::fetch_add:
    case Verb::compare_swap: answer_atomic(path, operation, responder); break;
  }
  if (!carries_payload(operation.verb)) {
    respond(path, operation, result.packet, requester, responder);
  } else if (operation.transport == Transport::rc) {
    acknowledge(path, requester, responder);
  }
  path.dma_write(Phase::complete, Side::requester, Per::signal, requester.nic.cqe, "CQE");
  path.core(Phase::complete, Side::requester, Per::signal, requester.cpu.poll_cqe, "poll completion");
  if (operation.take_data > Time{0})
    path.core(Phase::complete, Side::requester, Per::operation, operation.take_data, "copy payload");
  return result;
}

}  // namespace doorbell::model
