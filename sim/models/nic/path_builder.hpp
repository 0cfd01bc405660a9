// The steps of a verb path, one kind after the other: helps verb_path.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "models/memory/cache_line.hpp"
#include "models/nic/verb_path.hpp"

namespace doorbell::model {

/// Collects steps; every method states one kind of step, so that make_path reads like the diagrams of Kalia et al.
/// 2016.
class PathBuilder {
 public:
  PathBuilder(VerbPath& path, const HardwareProfile& requester, const HardwareProfile& responder)
      : path_{path}, requester_{requester}, responder_{responder} {}

  void core(Phase phase, Side side, Per per, Time service, std::string_view label) {
    path_.steps.push_back(
        {.phase = phase, .side = side, .resource = Resource::core, .per = per, .service = service, .label = label});
  }

  void nic(Phase phase, Side side, Resource resource, Per per, Time service, std::string_view label) {
    path_.steps.push_back(
        {.phase = phase, .side = side, .resource = resource, .per = per, .service = service, .label = label});
  }

  void mmio_write(Phase phase, Per per, Bytes size, std::string_view label) {
    pcie(phase, Side::requester, Resource::pcie_downstream, per, write_tlps, requester_.pcie, size, {}, label);
    path_.steps.back().cache_lines = 0;
  }

  PathStep& dma_write(Phase phase, Side side, Per per, Bytes size, std::string_view label, const Placement& at = {}) {
    const PcieParameters link = within_packets(profile(side).pcie, path_.packet);
    pcie(phase, side, Resource::pcie_upstream, per, write_tlps, link, size, at, label);
    path_.steps.back().latency += profile(side).root_complex.write_latency;
    return path_.steps.back();
  }

  void payload(const Operation& operation, const Placement& at) {
    dma_write(Phase::deliver, Side::responder, Per::operation, operation.payload, "payload", at).is_payload = true;
  }

  void dma_read(Phase phase, Side side, Per per, Bytes size, std::string_view label, bool in_dram = false,
                const Placement& at = {}) {
    const HardwareProfile& host = profile(side);
    // A list of WQEs does not travel in packets.
    const PcieParameters link = phase == Phase::fetch ? host.pcie : within_packets(host.pcie, path_.packet);
    pcie(phase, side, Resource::pcie_upstream, per, read_request_tlps, link, size, at, label);
    path_.steps.push_back({.phase = phase,
                           .side = side,
                           .resource = Resource::root_complex,
                           .per = per,
                           .latency = in_dram ? host.root_complex.read_latency_dram : host.root_complex.read_latency,
                           .label = label});
    pcie(phase, side, Resource::pcie_downstream, per, completion_tlps, link, size, at, label);
    path_.steps.back().cache_lines = 0;
  }

  void packet(Phase phase, Side from, Bytes payload, const PacketHeaders& headers, std::string_view label) {
    const Side to = from == Side::requester ? Side::responder : Side::requester;
    port(phase, from, Resource::port_transmit, payload, headers, label);
    port(phase, to, Resource::port_receive, payload, headers, label);
  }

 private:
  [[nodiscard]] const HardwareProfile& profile(Side side) const {
    return side == Side::requester ? requester_ : responder_;
  }

  using Cut = TlpTrain(const PcieParameters&, Bytes, std::int64_t);

  /// Shows the TLPs of the first object; the time is the mean over all.
  void pcie(Phase phase, Side side, Resource direction, Per per, Cut* cut, const PcieParameters& link, Bytes size,
            const Placement& at, std::string_view label) {
    const std::vector<std::int64_t> begins = distinct_begins(profile(side).pcie, at);
    const auto places = static_cast<std::int64_t>(begins.size());
    Time service{0};
    std::int64_t tlps = 0;
    for (const std::int64_t begin : begins) {
      const TlpTrain train = cut(link, size, begin);
      service += occupancy(link, train);
      tlps += train.tlps;
    }
    path_.steps.push_back(
        {.phase = phase,
         .side = side,
         .resource = direction,
         .per = per,
         .service = service / places,
         .latency = link.latency,
         .tlps = cut(link, size, begins.front()),
         .mean_tlps = static_cast<double>(tlps) / static_cast<double>(places),
         .cache_lines = static_cast<int>(ceil_div(Bytes{begins.front() % cache_line.count} + size, cache_line)),
         .label = label});
  }

  void port(Phase phase, Side side, Resource resource, Bytes payload, const PacketHeaders& headers,
            std::string_view label) {
    // Packets are cut once, by who sends: to what both machines can receive. What frames them may differ from link to
    // link.
    PortParameters parameters = profile(side).port;
    parameters.mtu = path_.packet;
    const Bytes bytes = message_bytes(parameters, payload, headers);
    path_.steps.push_back({.phase = phase,
                           .side = side,
                           .resource = resource,
                           .per = Per::operation,
                           .service = transfer_time(bytes, parameters.bandwidth),
                           .network = bytes,
                           .label = label});
  }

  VerbPath& path_;
  const HardwareProfile& requester_;
  const HardwareProfile& responder_;
};

}  // namespace doorbell::model
