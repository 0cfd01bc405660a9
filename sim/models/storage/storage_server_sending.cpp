// Synchronized sends: data leave while they arrive.
#include <algorithm>

#include "models/storage/held_transfer.hpp"
#include "models/storage/storage_server.hpp"

namespace doorbell::model {

StorageServerSimulation::Arrival::Part* StorageServerSimulation::next_to_send(Arrival& arrival, Bytes sent) const {
  Arrival::Part* next = nullptr;
  for (Arrival::Part& part : arrival.parts) {
    if (scenario_.synchronized == SynchronizedSend::single) {
      // In order of the buffer: the part that holds the next byte, if that has come.
      if (part.offset + part.sent == sent && part.sent < part.arrived) next = &part;
    } else if (part.sent < part.arrived && (next == nullptr || part.sent < next->sent)) {
      next = &part;
    }
  }
  return next;
}

core::Task<> StorageServerSimulation::send_while_arriving(Arrival& arrival) {
  struct Reading {
    static core::Process start(StorageServerSimulation& self, Arrival& into) {
      co_await self.read_medium(into);
      into.finished = true;
      into.progress.notify_all();
    }
  };
  core::start(calendar_, Reading::start(*this, arrival));
  Sending sending;
  co_await nic_.acquire();
  sending.has = sending.from = calendar_.now();
  sending.waited = sending.has - arrival.began;
  co_await core::delay(calendar_, varied(scenario_.server.nic.message));
  sending.held.add(for_messages, calendar_.now() - sending.has);
  Bytes sent;
  while (sent < scenario_.request) {
    const Arrival::Part* next = next_to_send(arrival, sent);
    if (next == nullptr) {
      co_await arrival.progress.wait();
      sending.from = calendar_.now();
      sending.had_wait = true;
      sending.held = {};
      sending.data = arrival.held;
      continue;
    }
    const auto index = static_cast<std::size_t>(next - arrival.parts.data());
    const Bytes packet = std::min(scenario_.server.nic.packet, next->arrived - next->sent);
    const Time began = calendar_.now();
    const FluidNetwork::Narrowest narrowest = co_await network_.transfer(send_, packet);
    add_transfer(sending.held, for_resources, narrowest, calendar_.now() - began);
    arrival.parts[index].sent += packet;
    sent += packet;
  }
  sending.end = calendar_.now();
  nic_.release();
  while (!arrival.finished) co_await arrival.progress.wait();
  account(arrival, sending);
}

/// Of medium and NIC, the one that the other waited for last took the time until then, and the sends after it the rest.
/// If they were faster they would have to wait for the data that they now find.
void StorageServerSimulation::account(const Arrival& arrival, const Sending& sending) {
  const bool for_data = arrival.complete > sending.end;
  const Time nic_for_data = (for_data ? sending.end : sending.from) - sending.has;
  held_.nic_for_data += nic_for_data;
  HeldTime nic;
  nic.add_wait(for_data ? arrival.held : sending.data, to_seconds(nic_for_data));
  const HeldTime for_medium = nic;
  if (!for_data) nic.add_at_most(sending.held, to_seconds(sending.end - arrival.complete));
  held_.nic.add(nic);
  if (for_data) {
    held_.beside.add(nic);
    return;
  }
  held_.beside.add(arrival.held);
  if (sending.had_wait) {
    // The request's time until then is that of the medium alone.
    held_.beside.take_off(sending.data);
    held_.beside.add(for_medium);
  } else {
    held_.device_waits -= arrival.waited;
    held_.nic_waits += sending.waited;
  }
}

}  // namespace doorbell::model
