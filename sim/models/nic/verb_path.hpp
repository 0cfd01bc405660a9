// What one RDMA operation costs: the steps it takes, stated once. The simulator executes them with queueing, the closed
// form adds them up, `doorbell path` draws them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "models/hardware/hardware_profile.hpp"
#include "models/nic/verb.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/pcie/placement.hpp"

namespace doorbell::model {

/// One kind of work request as a program posts it.
struct Operation {
  Transport transport = Transport::ud;
  Verb verb = Verb::send;
  Bytes payload{0};
  bool immediate = false;
  bool inlined = true;
  PostMethod method = PostMethod::doorbell;  ///< Resolved: `mmio` or `doorbell`.
  bool last_by_mmio = false;                 ///< By doorbell: the last WQE of a call stands for it, written by MMIO.
  int batch = 1;                             ///< WQEs of one posting call.
  int signal_every = 1;
  bool inline_receive = false;    ///< SEND: the payload comes with the CQE.
  bool in_dram = false;           ///< The remote data does not fit the responder's last-level cache.
  Placement remote_objects = {};  ///< Of a READ or WRITE.
  /// What it costs when the NIC has displaced its WQE each time that it needs it: for a drawing; a run finds out
  /// itself.
  bool displaced = false;
  Time reach_data{0};  ///< CPU time to let the NIC reach the payload, before its WQE is prepared.
  Time take_data{0};   ///< CPU time for data that a READ has brought.
};

/// Whether the NIC can lose the operation's WQE while it still needs that: before it sends the request, if a core has
/// written the WQE by MMIO, and before the response of a READ or an atomic comes.
[[nodiscard]] inline bool can_be_displaced(const Operation& operation) {
  return operation.method == PostMethod::mmio || !carries_payload(operation.verb);
}

/// Whether an operation leaves a CQE where it arrives.
[[nodiscard]] inline bool leaves_recv_cqe(const Operation& operation) {
  return operation.verb == Verb::send || (operation.verb == Verb::write && operation.immediate);
}

/// Whether an operation reaches memory that its requester names: READs and WRITEs of 0 B do not, whatever their address
/// and key say (InfiniBand Architecture Specification, volume 1, C9-88).
[[nodiscard]] constexpr bool reaches_memory(Verb verb, Bytes payload) {
  return is_atomic(verb) || (verb != Verb::send && payload > Bytes{0});
}

enum class Side { requester, responder };

/// What a step occupies. Links and ports are separate resources per direction.
enum class Resource {
  core,
  pcie_downstream,
  pcie_upstream,
  root_complex,
  processing_unit,
  nic_transmit,
  nic_receive,
  atomic_lock,
  port_transmit,
  port_receive,
};
inline constexpr int resource_count = 10;
[[nodiscard]] std::string_view name_of(Resource resource);

/// Where in the life of an operation a step belongs, in order.
enum class Phase { post, fetch, process, transmit, deliver, execute, reply, complete };

/// How often a step happens.
enum class Per { call, operation, signal, prefetch };

struct PathStep {
  Phase phase = Phase::post;
  Side side = Side::requester;
  Resource resource = Resource::core;
  Per per = Per::operation;
  Time service{0};                              ///< Occupancy of the resource each time.
  Time latency{0};                              ///< Delay that follows and occupies nothing.
  std::optional<TlpTrain> tlps = std::nullopt;  ///< For PCIe steps.
  double mean_tlps = 0;                         ///< Of those, over all objects.
  Bytes network{0};                             ///< For port steps: bytes on the wire.
  int cache_lines = 0;      ///< Host cache lines that a DMA touches: what PCIeRdCur and PCIeItoM count.
  bool is_payload = false;  ///< A DMA write of what a message has brought, and nothing else.
  std::string_view label;   ///< For people.
};

struct VerbPath {
  Operation operation;
  Bytes packet;         ///< Largest payload of a packet between these machines: the path's MTU.
  double prefetch = 1;  ///< RECV WQEs per prefetch.
  std::vector<PathStep> steps;

  /// How many times per operation a step of this kind happens on average.
  [[nodiscard]] double per_operation(Per per) const;
  /// Total service per operation that one resource owes, from the steps of every phase.
  [[nodiscard]] Time demand(Side side, Resource resource) const;
  /// Sum of the services of the steps that match, each counted once.
  [[nodiscard]] Time service(Phase phase, Side side, Resource resource, Per per) const;
};

/// Size of a send WQE in its slot (Kalia et al. 2016, Table 1 and section 5.1): header, inline payload or pointer,
/// padded.
[[nodiscard]] Bytes wqe_bytes(const NicParameters& nic, const Operation& operation);
/// What it takes in the send queue: the driver lays WQEs out at fixed distances.
[[nodiscard]] Bytes wqe_place(const NicParameters& nic, const Operation& operation);

/// The link as payload that travels in packets uses it: the NIC reads and writes packet by packet.
[[nodiscard]] PcieParameters within_packets(PcieParameters pcie, Bytes packet);
/// Packets in which its payload travels: a long message is a train, whose first one arrives while its last is still
/// being read.
[[nodiscard]] int parts_of(const VerbPath& path);
/// Whether a step of this operation moves payload, and so happens part by part.
[[nodiscard]] bool moves_payload(const Operation& operation, const PathStep& step);

/// The path of `operation` from a machine of profile `requester` to one of profile `responder`.
/// Throws std::invalid_argument for verbs that the transport lacks and for a batch posted by MMIO.
[[nodiscard]] VerbPath make_path(const Operation& operation, const HardwareProfile& requester,
                                 const HardwareProfile& responder);

}  // namespace doorbell::model
