// RECV WQEs that the NIC has at hand: it asks for several at a time, ahead of need.
#pragma once

#include <algorithm>

#include "models/common/continuation.hpp"
#include "models/hardware/nic.hpp"
#include "models/pcie/dma_cost.hpp"
#include "models/pcie/host_dma.hpp"

namespace doorbell::model {

class RecvPrefetch {
 public:
  RecvPrefetch(HostDma& dma, const NicParameters& nic)
      : dma_{dma}, at_a_time_{nic.recv_prefetch}, ready_{std::max(nic.recv_ahead, nic.recv_prefetch)} {}

  [[nodiscard]] bool has_one() {
    if (ready_ == 0) ready_ = at_a_time_ * dma_.take_ahead();
    return ready_ > 0;
  }
  /// Calls `arrived` when there are some again; to be called where there is none.
  void await(Continuation arrived) { dma_.await_ahead(arrived); }
  /// Takes one of those at hand, and asks for more now and then, which costs `read`.
  void take(const DmaReadCost& read) {
    --ready_;
    if (--to_ask_ > 0) return;
    to_ask_ = at_a_time_;
    dma_.read_ahead(read);
  }

 private:
  HostDma& dma_;
  int at_a_time_;
  int ready_;
  int to_ask_ = 1;  // to be used up until the next ones are asked for
};

}  // namespace doorbell::model
