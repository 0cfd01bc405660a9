#include "analytic/remote_operation.hpp"

namespace doorbell::analytic {
namespace {

using namespace model;

Latency of_block(const RemoteMemorySoftware& software, const RemoteRequest& request) {
  const Time submitting = software.handlers_post() ? Time{0} : software.scenario().software.block.submit;
  return Latency{Seconds{submitting}, Seconds{0}} + request.at_device();
}

/// A fault evicts first; a thread that is alone merges what it writes with nobody else's. What it reads ahead keeps it
/// busy but does not make it wait.
Latency of_paging(const RemoteMemorySoftware& software, const RemoteRequest& request) {
  const HostSoftware& host = software.scenario().software;
  const double faults = software.traffic().faults;
  const Latency computing{Seconds{application_of(software.scenario())->compute}, Seconds{0}};
  if (faults <= 0) return computing;
  const Seconds around{host.memory.fault + host.block.submit + time_to_wake(host.driver)};
  const Requests& writes = software.traffic().writes;
  const Seconds evicting = Seconds{host.block.submit} + software.entering(true, writes.size);
  return computing + (Latency{around, Seconds{0}} + request.at_device(false)) * faults +
         Latency{evicting, Seconds{0}} * writes.requests;
}

/// Requests to several machines are under way together, and count once.
Latency of_record(const RemoteMemorySoftware& software, const RemoteRequest& request) {
  const double waits = software.user_file_requests();
  const Seconds own = software.of_load() + Seconds{software.scenario().software.driver.wakeup} * waits;
  return Latency{own, Seconds{0}} + request.at_device() * (waits / software.traffic().requests());
}

}  // namespace

Latency operation_alone(const RemoteMemorySoftware& software, const RemoteRequest& request) {
  if (software.scenario().block) return of_block(software, request);
  return application_of(software.scenario()) != nullptr ? of_paging(software, request) : of_record(software, request);
}

}  // namespace doorbell::analytic
