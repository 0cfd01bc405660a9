#include "models/remote_loads/others_on_device.hpp"

#include <algorithm>

#include "models/common/bottleneck.hpp"

namespace doorbell::model {
namespace {

enum class Counted { nothing, handling, requests, bytes };

/// In what the work of what limits is counted, where it works for the device.
Counted counted_in(Limit limit) {
  switch (limit) {
    case Limit::completion_handler: return Counted::handling;
    case Limit::connections:
    case Limit::nic:
    case Limit::nic_unit:
    case Limit::nic_unit_waits:
    case Limit::nic_memory:
    case Limit::outstanding_reads:
    case Limit::read_states: return Counted::requests;
    case Limit::dma_bandwidth:
    case Limit::mmio_bandwidth:
    case Limit::network_bandwidth:
    case Limit::one_port:
    case Limit::read_tags:
    case Limit::credits:
    case Limit::receive_buffer:
    case Limit::page_walks:
    case Limit::taken_in_batches: return Counted::bytes;
    case Limit::cpu:
    case Limit::pollers:
    case Limit::shared_line:
    case Limit::threads:
    case Limit::pcie_round_trip:
    case Limit::bus_bandwidth:
    case Limit::link_bandwidth:
    case Limit::disk_heads:
    case Limit::device:
    case Limit::in_flight:
    case Limit::one_by_one:
    case Limit::told_late:
    case Limit::taken_late:
    case Limit::asleep:
    case Limit::busy_threads:
    case Limit::unevenly_busy_threads:
    case Limit::one_busy_thread:
    case Limit::own_completions:
    case Limit::signaled_rounds:
    case Limit::drive:
    case Limit::arrivals:
    case Limit::recvs:
    case Limit::scheduler: break;
  }
  return Counted::nothing;
}

}  // namespace

void tell_of_others(Bottleneck& bottleneck, const DeviceUse& measured, const std::vector<UseByLoad>& beside) {
  const Counted counted = counted_in(bottleneck.limit);
  if (!bottleneck.saturated || counted == Counted::nothing || beside.empty()) return;
  const auto amount = [counted](const DeviceUse& use) {
    if (counted == Counted::handling) return to_seconds(use.handling);
    return counted == Counted::bytes ? static_cast<double>(use.bytes.count) : static_cast<double>(use.requests);
  };
  double others = 0;
  for (const UseByLoad& one : beside) others += amount(one.use);
  constexpr double most = 0.5;
  if (others <= most * (others + amount(measured))) return;
  const UseByLoad& greediest =
      *std::ranges::max_element(beside, {}, [&](const UseByLoad& one) { return amount(one.use); });
  const bool alone = beside.size() == 1;
  std::string what = counted == Counted::bytes ? " of the data are for " : " of the requests are for ";
  if (counted == Counted::handling) what = " of its work is for ";
  bottleneck.sentence.pop_back();
  bottleneck.sentence += "; " + percent(others / (others + amount(measured))) + what +
                         (alone ? greediest.name + ", which runs" : "others, " + greediest.name + " first, which run") +
                         " beside the load: with less of that in flight more would be left to the load.";
}

}  // namespace doorbell::model
