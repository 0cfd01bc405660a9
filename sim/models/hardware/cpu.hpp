// Cores: what verbs and shared cache lines cost in software.
#pragma once

#include <vector>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// Costs hold at the clock of a single active core; with more cores active they stretch as the clock sinks.
struct CpuParameters {
  int cores = 0;
  int threads_per_core = 0;
  double smt_gain = 0;
  std::vector<Rate> turbo;
  double variation = 0;
  Time wqe_cost{0};
  Time poll_cqe{0};
  Time poll_empty{0};
  Time recv_cost{0};
};
template <class V> void describe(V& v, CpuParameters& s) {
  v.field("cores", s.cores, {.doc = "Physical cores.", .min = 1, .max = 4096});
  v.field("threads_per_core", s.threads_per_core, {.doc = "Hardware threads of a core.", .min = 1, .max = 8});
  v.field("smt_gain", s.smt_gain,
          {.doc = "What a core with all its hardware threads busy does, relative to one thread; at most their number.",
           .min = 1,
           .max = 8});
  v.field("turbo", s.turbo,
          {.doc = "Core clock with 1, 2, 3, ... active cores; the last holds for more.", .min = 1e6, .max = 1e10});
  v.field(
      "variation", s.variation,
      {.doc = "Coefficient of variation of software times (uniformly distributed), in which misses and stalls show. "
              "Threads start within 5 us; with 0, those that do the same may go on in step.",
       .min = 0,
       .max = 0.577});
  v.field("wqe_cost", s.wqe_cost, {.doc = "CPU time to prepare one send WQE, without MMIO.", .max = 1e-5});
  v.field("poll_cqe", s.poll_cqe, {.doc = "CPU time to take one completion.", .max = 1e-5});
  v.field("poll_empty", s.poll_empty,
          {.doc = "CPU time of one look at an empty completion queue.", .min = 1e-10, .max = 1e-5});
  v.field("recv_cost", s.recv_cost, {.doc = "CPU time to post one RECV of a list.", .max = 1e-5});
}

[[nodiscard]] inline int hardware_threads(const CpuParameters& cpu) { return cpu.cores * cpu.threads_per_core; }

/// How much longer software takes when `active` threads run than when one does: the clock sinks with every core, and
/// threads beyond the number of cores share one.
[[nodiscard]] double clock_stretch(const CpuParameters& cpu, int active);

/// A cache line that cores modify in turn (the sequencer's counter).
struct SharedLineParameters {
  Time local{0};
  Time transfer{0};
  Time cross_ring{0};
  int ring_cores = 0;
};
template <class V> void describe(V& v, SharedLineParameters& s) {
  v.field("local", s.local, {.doc = "Atomic increment of a line that the core already owns.", .max = 1e-5});
  v.field("transfer", s.transfer, {.doc = "Added when another core of the same ring owns the line.", .max = 1e-5});
  v.field("cross_ring", s.cross_ring,
          {.doc = "Added again when the owner sits on the other ring of the die.", .max = 1e-5});
  v.field("ring_cores", s.ring_cores,
          {.doc = "Cores on the first ring; the rest sit on the second.", .min = 1, .max = 4096});
}

}  // namespace doorbell::model
