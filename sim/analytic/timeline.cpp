#include "analytic/timeline.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace doorbell::analytic {
namespace {

using model::PathStep;
using model::Per;
using model::Phase;
using model::Resource;
using model::Side;
using model::TlpKind;

class Clock {
 public:
  Clock(const model::VerbPath& path, const model::HardwareProfile& requester, const model::HardwareProfile& responder,
        const model::Fabric& fabric)
      : path_{path}, requester_{requester}, responder_{responder}, fabric_{fabric}, parts_{model::parts_of(path)} {
    timeline_.spans.resize(path.steps.size());
  }

  Timeline run() {
    post();
    for (std::size_t i = 0; i < path_.steps.size(); ++i) {
      if (path_.steps[i].phase != Phase::post) timeline_.spans[i] = take(path_.steps[i]);
    }
    if (!acknowledged()) timeline_.completed = std::max(timeline_.completed, timeline_.transmitted);
    return std::move(timeline_);
  }

 private:
  [[nodiscard]] bool acknowledged() const { return path_.operation.transport == model::Transport::rc; }

  /// The core prepares everything, then its writes leave one after the other.
  void post() {
    for (const Resource resource : {Resource::core, Resource::pcie_downstream}) {
      Time arrival = now_;
      for (std::size_t i = 0; i < path_.steps.size(); ++i) {
        const PathStep& step = path_.steps[i];
        if (step.phase != Phase::post || step.resource != resource) continue;
        const Time begin = now_;
        now_ += step.service * (step.per == Per::operation ? path_.operation.batch : 1);
        arrival = now_ + step.latency;
        timeline_.spans[i] = {begin, arrival};
      }
      timeline_.posted = now_;
      now_ = arrival;
    }
  }

  Span take(PathStep step) {
    if (step.per == Per::prefetch) return beside(step);
    if (parts_ > 1 && moves_payload(path_.operation, step)) return cross_in_parts(step);
    if (reads(step)) step.service = first_request(step);
    now_ += held_by_switch(step, step.service, transmit_);
    return cross(step);
  }

  /// A port that is faster than the one that sent gets the head later, and so the tail as soon as that has come. Keeps
  /// in `sent` what a port takes to send a packet that another takes in `service` to receive.
  [[nodiscard]] static Time held_by_switch(const PathStep& step, Time service, Time& sent) {
    if (step.resource == Resource::port_transmit) sent = service;
    return step.resource == Resource::port_receive ? std::max(Time{0}, sent - service) : Time{0};
  }

  /// What moves payload does so packet by packet: the full ones follow the first as the slowest step so far lets them,
  /// and the last, for which alone all other steps happen, comes behind them.
  Span cross_in_parts(PathStep step) {
    const Time all = step.service;
    // What follows on a read goes on with the first of its requests.
    const std::optional<Time> request = reads(step) ? std::optional{first_request(step)} : std::nullopt;
    step.service = all * path_.packet.count / path_.operation.payload.count;
    const Time last = all - step.service * (parts_ - 1);
    slowest_ = std::max(slowest_, step.service);

    const Time arrived = now_ + held_by_switch(step, last, transmit_of_last_);
    now_ = first_.value_or(now_) + held_by_switch(step, step.service, transmit_);
    const Time begin = writes(step) ? std::max(now_, write_free(step.side)) : now_;
    const Time last_begin = std::max(arrived, begin + step.service + slowest_ * (parts_ - 2));
    trail_ = last_begin - begin + (request ? Time{0} : last - step.service);
    step.service = request.value_or(step.service);
    Span span = cross(step);
    span.end += trail_;
    first_ = now_;
    now_ = writes(step) ? arrived : now_ + trail_;
    // A head goes on before its tail.
    if (step.resource == Resource::port_transmit) now_ += step.service - last;
    trail_ = Time{0};
    return span;
  }

  [[nodiscard]] static bool writes(const PathStep& step) {
    return step.tlps && step.tlps->kind == TlpKind::memory_write;
  }

  [[nodiscard]] static bool reads(const PathStep& step) { return step.tlps && step.tlps->kind == TlpKind::memory_read; }
  [[nodiscard]] static Time first_request(const PathStep& step) {
    return step.service / std::max<std::int64_t>(1, step.tlps->tlps);
  }

  Span cross(const PathStep& step) {
    switch (step.resource) {
      case Resource::port_transmit: return send(step);
      case Resource::port_receive: return receive(step);
      case Resource::nic_transmit: return pass(step, profile(step.side).nic.latency);
      case Resource::atomic_lock: return {read_began_, now_};
      case Resource::core: return work(step);
      default: break;
    }
    if (writes(step)) return write(step);
    if (reads(step)) read_began_ = now_;
    return pass(step, Time{0});
  }

  Span work(const PathStep& step) {
    const Time begin = noticed_;
    noticed_ += step.service;
    return {begin, noticed_};
  }

  Span pass(const PathStep& step, Time more) {
    const Time begin = now_;
    now_ += step.service + step.latency + more;
    return {begin, now_};
  }

  /// RECVs are read ahead of the messages that take them.
  Span beside(const PathStep& step) {
    beside_ = std::max(beside_, now_);
    const Time begin = beside_;
    beside_ += step.service + step.latency;
    return {begin, beside_};
  }

  Span send(const PathStep& step) {
    const Time begin = now_;
    if (step.phase == Phase::transmit) timeline_.transmitted = begin + step.service + trail_;
    // The switch cuts through: the head arrives while the tail is still being sent.
    now_ = begin + fabric_.switch_latency;
    return {begin, begin + step.service};
  }

  Span receive(const PathStep& step) {
    const Time begin = now_;
    now_ += step.service + profile(step.side).nic.latency;
    if (step.phase == Phase::reply && path_.operation.verb == model::Verb::read) {
      now_ += profile(step.side).nic.read_response_latency;
    }
    return {begin, now_};
  }

  /// Posted: nothing waits for it but who looks for it.
  Span write(const PathStep& step) {
    const bool completion = step.phase == Phase::complete && step.per == Per::signal;
    Time& free = write_free(step.side);
    Time begin = std::max(now_, free);
    if (completion && !acknowledged()) begin = timeline_.transmitted;
    free = begin + step.service + trail_;
    const Time end = free + step.latency;
    if (step.phase == Phase::deliver) timeline_.visible = end;
    if (step.phase == Phase::reply || step.phase == Phase::complete) {
      noticed_ = end;
      if (!completion || path_.operation.signal_every == 1) timeline_.completed = end;
    }
    return {begin, end - trail_};
  }

  [[nodiscard]] Time& write_free(Side side) { return write_free_[static_cast<std::size_t>(side)]; }

  [[nodiscard]] const model::HardwareProfile& profile(Side side) const {
    return side == Side::requester ? requester_ : responder_;
  }

  const model::VerbPath& path_;
  const model::HardwareProfile& requester_;
  const model::HardwareProfile& responder_;
  const model::Fabric& fabric_;
  Timeline timeline_;
  int parts_;
  Time now_{0};                       // of the message, which is its last packet
  std::optional<Time> first_;         // of its first packet, once they go one by one
  Time slowest_{0};                   // what the steps so far take for a full packet, at most
  Time trail_{0};                     // of the last packet behind the first, while a step is crossed
  Time transmit_{0};                  // of the packet on the wire
  Time transmit_of_last_{0};          // of the last packet
  std::array<Time, 2> write_free_{};  // when the link of a side is free of the writes that this operation started
  Time beside_{0};
  Time read_began_{0};
  Time noticed_{0};
};

}  // namespace

Timeline unloaded_timeline(const model::VerbPath& path, const model::HardwareProfile& requester,
                           const model::HardwareProfile& responder, const model::Fabric& fabric) {
  Timeline timeline = Clock{path, requester, responder, fabric}.run();
  if (path.operation.transport == model::Transport::rc && timeline.completed == Time{0}) {
    // Unsignaled, and no data comes back: what completes it is the ACK.
    for (std::size_t i = 0; i < path.steps.size(); ++i) {
      const PathStep& step = path.steps[i];
      if (step.phase == Phase::reply && step.resource == Resource::port_receive)
        timeline.completed = timeline.spans[i].end;
    }
  }
  return timeline;
}

Time read_round_trip(const model::VerbPath& path, Phase phase, Side side) {
  Time total{0};
  for (const PathStep& step : path.steps) {
    if (step.phase != phase || step.side != side || step.per == Per::prefetch) continue;
    const bool write = step.tlps && step.tlps->kind == TlpKind::memory_write;
    if (step.resource == Resource::root_complex || (step.tlps && !write)) total += step.service + step.latency;
  }
  return total;
}

}  // namespace doorbell::analytic
