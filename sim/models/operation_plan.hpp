// A verb path with its sums taken, ready to be executed: the simulator looks nothing up per operation.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "models/verb_path.hpp"

namespace doorbell::model {

/// A DMA read: the request up, the completions down.
struct DmaReadCost {
  Time request{0};
  Time latency{0};  ///< Of root complex and memory.
  Time completion{0};
  int tags = 0;
  int cache_lines = 0;
};

/// A DMA write, or an MMIO write.
struct WriteCost {
  Time service{0};
  int tlps = 0;
  int cache_lines = 0;
};

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
  std::vector<Time> mmio_writes;  ///< PCIe occupancy of each MMIO write of a call (doorbell) or of a WQE (its lines).
  bool by_doorbell = false;
  Bytes wqe_place{0};  ///< Of one WQE in the send queue.
  Bytes wqe_fetch_unit{0};
  std::vector<DmaReadCost> unit_reads;  ///< By fetch units.
  int max_fetch = 0;                    ///< Most WQEs of one fetch.
  Time pu_per_call{0};
  Time pu_per_wqe{0};
  int parts = 1;                      ///< In which the payload travels; costs of payload and packets are those of one.
  std::optional<DmaReadCost> gather;  ///< Payload that is not inline.
  PacketCost request;
  WriteList deliver;
  std::optional<DmaReadCost> recv_prefetch;
  std::optional<DmaReadCost> remote_read;
  std::optional<WriteCost> remote_write;  ///< The write half of an atomic.
  bool acknowledged = false;              ///< RC: completes when the response or ACK is back.
  Bytes page{0};                          ///< Of the region that the operation touches; 0 B: it touches none.
  PacketCost reply;
  std::optional<WriteCost> returned_payload;
  WriteCost cqe;
  Time reply_cqe{0};  ///< What a signaled reply takes of the requester's inbound pipeline beside `reply`.
  Time poll{0};
};

/// The read that brings WQEs `first` to `first + wqes - 1` of a send queue: after a doorbell, or when they have been
/// displaced from the NIC's cache.
[[nodiscard]] const DmaReadCost& wqe_read(const OperationPlan& plan, std::uint64_t first, int wqes);

/// Sums up the path of `operation`.
[[nodiscard]] OperationPlan make_plan(const Operation& operation, const HardwareProfile& requester,
                                      const HardwareProfile& responder);

}  // namespace doorbell::model
