// A verb path with its sums taken, ready to be executed: the simulator looks nothing up per operation.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "models/nic/verb_path.hpp"
#include "models/pcie/dma_cost.hpp"

namespace doorbell::model {

/// At most two DMA writes of one message: payload and CQE.
struct WriteList {
  std::array<WriteCost, 2> items;
  int count = 0;
};

/// The crossing of the network in one direction.
struct PacketCost {
  Time transmit{0};  ///< Sender's NIC-wide pipeline.
  Time port_transmit{0};
  Time port_receive{0};
  Time receive{0};  ///< Receiver's NIC-wide pipeline.
  Bytes network{0};
};

struct OperationPlan {
  Operation operation;
  Time core_per_call{0};
  Time core_per_wqe{0};
  std::vector<Time> mmio_writes;  ///< PCIe occupancy of each MMIO write of a call (a doorbell or its last WQE's lines)
                                  ///< or of a WQE (its lines).
  bool by_doorbell = false;       ///< The NIC reads the WQEs ...
  bool last_by_mmio = false;      ///< ... but for the last one, which the core has written.
  Bytes wqe_place{0};             ///< Of its WQE in the send queue.
  Time pu_per_call{0};
  Time pu_per_wqe{0};
  int parts = 1;                              ///< Packets in which the payload travels ...
  std::shared_ptr<const OperationPlan> part;  ///< ... with the costs of all but the last, whose are here.
  std::optional<DmaReadCost> gather;          ///< Payload that is not inline.
  PacketCost request;
  WriteList deliver;
  std::optional<DmaReadCost> recv_prefetch;
  std::optional<DmaReadCost> remote_read;  ///< Of atomics, and of READs but those of 0 B.
  /// Of READs, and of WRITEs' payloads, by place; empty where all objects cost the same.
  std::vector<DmaReadCost> remote_reads;
  std::vector<WriteCost> remote_payloads;
  std::int64_t place_unit = 1;            ///< Objects so many bytes apart lie alike ...
  std::int64_t place_step = 1;            ///< ... and so many to the next place.
  std::optional<WriteCost> remote_write;  ///< The write half of an atomic.
  bool answered = false;                  ///< The receiving program ends it, not its own completion.
  bool acknowledged = false;              ///< RC: completes when the response or ACK is back.
  bool completes_when_sent = false;       ///< UC and UD, awaited and answered by nobody.
  Bytes page{0};                          ///< Of the region that the operation touches; 0 B: it touches none.
  PacketCost reply;
  std::optional<WriteCost> returned_payload;
  WriteCost cqe;
  Time reply_cqe{0};  ///< What a signaled reply takes of the requester's inbound pipeline beside `reply`.
  Time take_data{0};  ///< CPU time for what a READ has brought.

  [[nodiscard]] bool is_read() const { return operation.verb == Verb::read; }
  /// A READ or an atomic: it waits for a response, not only for an ACK.
  [[nodiscard]] bool gets_response() const { return !carries_payload(operation.verb); }
  /// What a READ of `address` takes of the responder's link.
  [[nodiscard]] const DmaReadCost& remote_read_at(std::int64_t address) const {
    return remote_reads.empty() ? *remote_read : remote_reads[place_of(address)];
  }
  /// The first DMA write at the receiver, which brings the payload.
  [[nodiscard]] const WriteCost& payload_at(std::int64_t address) const {
    return remote_payloads.empty() ? deliver.items[0] : remote_payloads[place_of(address)];
  }

 private:
  [[nodiscard]] std::size_t place_of(std::int64_t address) const {
    return static_cast<std::size_t>(address % place_unit / place_step);
  }
};

/// Sums up the path of `operation`.
[[nodiscard]] OperationPlan make_plan(const Operation& operation, const HardwareProfile& requester,
                                      const HardwareProfile& responder);

}  // namespace doorbell::model
