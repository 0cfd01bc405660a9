// Operations on a machine with round numbers, and what their paths move: for the tests of the verb path.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/connect_ib.hpp"
#include "models/nic/verb_path.hpp"

namespace doorbell::model::verb_paths {

using namespace doorbell::literals;

inline const HardwareProfile machine = connect_ib();

inline VerbPath path_of(const Operation& operation) { return make_path(operation, machine, machine); }

inline Operation send(std::int64_t payload, PostMethod method = PostMethod::doorbell, int batch = 1) {
  return {.transport = Transport::ud, .verb = Verb::send, .payload = Bytes{payload}, .method = method, .batch = batch};
}

inline Operation write(Transport transport, std::int64_t payload) {
  return {.transport = transport, .verb = Verb::write, .payload = Bytes{payload}, .method = PostMethod::mmio};
}

inline Operation read(std::int64_t payload) {
  return {.transport = Transport::rc, .verb = Verb::read, .payload = Bytes{payload}, .method = PostMethod::mmio};
}

inline Operation fetch_add() {
  return {.transport = Transport::rc, .verb = Verb::fetch_add, .payload = 8_B, .method = PostMethod::mmio};
}

/// TLP bytes of a phase in one direction, per call and per operation of the call, without link-layer packets.
inline Bytes wire(const VerbPath& path, Phase phase, Side side, Resource direction) {
  Bytes total{0};
  for (const PathStep& step : path.steps) {
    if (step.phase != phase || step.side != side || step.resource != direction || !step.tlps) continue;
    total += step.tlps->wire * (step.per == Per::operation ? path.operation.batch : 1);
  }
  return total;
}

inline Bytes payload(const VerbPath& path, Side side, TlpKind kind, Phase phase) {
  Bytes total{0};
  for (const PathStep& step : path.steps) {
    if (step.side == side && step.phase == phase && step.tlps && step.tlps->kind == kind && step.per != Per::signal) {
      total += step.tlps->payload;
    }
  }
  return total;
}

inline Bytes network(const VerbPath& path, Phase phase) {
  for (const PathStep& step : path.steps) {
    if (step.phase == phase && step.resource == Resource::port_transmit) return step.network;
  }
  return Bytes{0};
}

inline bool touches(const VerbPath& path, Side side, Resource resource) {
  return std::any_of(path.steps.begin(), path.steps.end(),
                     [&](const PathStep& step) { return step.side == side && step.resource == resource; });
}

}  // namespace doorbell::model::verb_paths
