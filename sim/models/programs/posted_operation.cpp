#include "models/programs/posted_operation.hpp"

#include <algorithm>
#include <stdexcept>

#include "models/remote_memory/data_access.hpp"

namespace doorbell::model {

namespace {

/// Whether the NIC still has to read something that the operation sends, or computes with.
bool gathers(const PostStep& step) {
  return is_atomic(step.verb) || (carries_payload(step.verb) && !step.inlined && step.payload > Bytes{0});
}

PostMethod chosen_method(const PostStep& step, int batch, const MmioParameters& mmio) {
  if (step.method != PostMethod::automatic) return step.method;
  const bool by_mmio = batch == 1 && !(mmio.only_inline && gathers(step));
  return by_mmio ? PostMethod::mmio : PostMethod::doorbell;
}

}  // namespace

Operation operation_of(const PostStep& step, const QueuePairs& queue_pairs, int batch, const HardwareProfile& requester,
                       const Receiver& receiver) {
  const HardwareProfile& responder = receiver.hardware;
  const bool in_dram = step.region && step.region->stride * step.region->count > responder.root_complex.cache;
  const auto& sets = receiver.program.queue_pairs;
  const bool asked = std::any_of(sets.begin(), sets.end(), [&](const auto& set) {
    return set.second.inline_receive && set.second.transport == queue_pairs.transport;
  });
  Operation operation{.transport = queue_pairs.transport,
                      .verb = step.verb,
                      .payload = step.payload,
                      .immediate = step.immediate && carries_payload(step.verb),
                      .inlined = step.inlined,
                      .method = chosen_method(step, batch, requester.mmio),
                      .last_by_mmio = false,
                      .batch = batch,
                      .signal_every = step.signal_every,
                      .inline_receive = asked && step.verb == Verb::send && step.payload > Bytes{0} &&
                                        step.payload <= responder.nic.inline_receive,
                      .in_dram = in_dram};
  if (step.region && (step.verb == Verb::read || step.verb == Verb::write)) {
    operation.remote_objects = {step.region->offset, step.region->stride, step.region->count};
  }
  const bool fits = wqe_bytes(requester.nic, operation) <= requester.mmio.blueflame;
  if (!fits) operation.method = PostMethod::doorbell;
  operation.last_by_mmio = fits && batch > 1 && operation.method == PostMethod::doorbell && requester.mmio.last_of_list;
  // The last of each call tells that all are done.
  if (step.relay && completes_itself(step, receiver.program))
    operation.signal_every = std::min(step.signal_every, batch);
  return operation;
}

Operation with_data_access(Operation operation, const PostStep& step, const std::optional<HostSoftware>& software) {
  if (!step.data || step.data->registration == Registration::in_place) return operation;
  if (!software) throw std::invalid_argument("no software profile that says what copies and registration cost");
  const DataAccess data{*step.data, software->memory};
  const bool reads = step.verb == Verb::read;
  operation.reach_data = data.before(step.payload, !reads);
  if (reads) operation.take_data = data.after_read(step.payload);
  return operation;
}

Operation in_whole_windows(Operation operation, const PostStep& step, const Program& poster, const Program& receiver,
                           int queue_pairs) {
  const bool whole = completes_itself(step, receiver) && waits_for_whole_windows(poster, step);
  if (!whole || operation.signal_every < step.window) return operation;
  const int calls = calls_for(step, step.window);
  const int signaled = queue_pairs > 1 && at_random(step.destination) ? calls : std::min(calls, queue_pairs);
  operation.signal_every = (step.window + signaled - 1) / signaled;
  return operation;
}

}  // namespace doorbell::model
