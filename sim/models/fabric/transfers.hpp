// Streams of requests whose data crosses links, buses and memories that others use too. Plain data, as scenario.hpp.
#pragma once

#include <string>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// A link in one direction, a bus, a memory, a device: so many equal ones.
struct SharedResource {
  Bandwidth bandwidth;
  int count = 1;
};
template <class V> void describe(V& v, SharedResource& s) {
  v.field("bandwidth", s.bandwidth, {.doc = "Rate of each.", .min = 1e3, .max = 1e15});
  v.optional(
      "count", s.count,
      {.doc = "How many there are. Each stream uses one, number i the one of number i modulo this count: more of "
              "them than streams stay idle.",
       .min = 1,
       .max = 65536});
}

/// Resources that data crosses at the same time. From stage to stage a request's data is stored in between.
struct TransferStage {
  std::vector<std::string> route;
  Time latency{0};
};
template <class V> void describe(V& v, TransferStage& s) {
  v.field("route", s.route, {.doc = "Names of resources that the data crosses at one rate."});
  v.optional("latency", s.latency,
             {.doc = "Mean time before the data flows, for a command or a software step; uniform from half to one and "
                     "a half of it.",
              .max = 1});
}

/// Equal streams; number i uses the resources of number i, modulo how many there are.
struct TransferStream {
  int count = 1;
  Bytes size;
  int outstanding = 1;
  std::vector<TransferStage> stages;
};
template <class V> void describe(V& v, TransferStream& s) {
  v.optional("count", s.count,
             {.doc = "How many equal streams, numbered from 0. Each uses one of each resource on its routes.",
              .min = 1,
              .max = 65536});
  v.field("size", s.size, {.doc = "Bytes of one request.", .min = 1, .max = 1LL << 40});
  v.optional("outstanding", s.outstanding, {.doc = "Requests that each keeps in flight.", .min = 1, .max = 4096});
  v.field("stages", s.stages, {.doc = "Where the data goes, one stage after the other."});
}

struct TransferScenario {
  Named<SharedResource> resources;
  Named<TransferStream> streams;
  std::string measure;
  Time warmup = std::chrono::milliseconds{10};
  Time duration = std::chrono::milliseconds{100};
};
template <class V> void describe(V& v, TransferScenario& s) {
  v.field("resources", s.resources, {.doc = "What is shared."});
  v.field("streams", s.streams, {.doc = "Who sends."});
  v.optional("measure", s.measure, {.doc = "Stream whose requests count; all of them when left out."});
  v.optional("warmup", s.warmup, {.doc = "Simulated time before measuring.", .min = 0, .max = 1000});
  v.optional("duration", s.duration, {.doc = "Simulated time measured.", .min = 1e-6, .max = 10000});
}

}  // namespace doorbell::model
