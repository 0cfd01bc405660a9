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
  std::vector<DmaReadCost>
      wqe_read;  ///< By number of WQEs: fetch after a doorbell, or of WQEs displaced from the cache.
  Time pu_per_call{0};
  Time pu_per_wqe{0};
  std::optional<DmaReadCost> gather;  ///< Payload that is not inline.
  PacketCost request;
  WriteList deliver;
  std::optional<DmaReadCost> recv_prefetch;
  std::optional<DmaReadCost> remote_read;
  std::optional<WriteCost> remote_write;  ///< The write half of an atomic.
  Time atomic_processing{0};
  bool acknowledged = false;  ///< RC: completes when the response or ACK is back.
  PacketCost reply;
  std::optional<WriteCost> returned_payload;
  WriteCost cqe;
  Time poll{0};
};

/// Sums up the path of `operation`; `wqe_read` covers 1 WQE to as many as one DMA can bring.
[[nodiscard]] OperationPlan make_plan(const Operation& operation, const HardwareProfile& requester,
                                      const HardwareProfile& responder);

}  // namespace doorbell::model
