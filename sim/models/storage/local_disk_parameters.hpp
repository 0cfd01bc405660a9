// A disk of a host, by itself behind the kernel's block layer. Plain data, as scenario.hpp.
#pragma once

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

struct LocalDiskParameters {
  Bandwidth media;
  Bytes read_ahead;
  Time command{0};
  Bytes largest_request;
  DiskMechanics mechanics;
};
template <class V> void describe(V& v, LocalDiskParameters& s) {
  v.field("media", s.media, {.doc = "Sustained rate.", .min = 1e5, .max = 1e11});
  v.field("read_ahead", s.read_ahead,
          {.doc = "Bytes that it reads ahead of a sequential stream.", .min = 0, .max = 1 << 30});
  v.field("command", s.command, {.doc = "Time of controller and electronics per request.", .max = 0.1});
  v.field(
      "largest_request", s.largest_request,
      {.doc = "Up to which requests that adjoin are joined (max_sectors_kb of Linux).", .min = 512, .max = 1 << 30});
  v.field("mechanics", s.mechanics, {.doc = "Seeks, rotation and buffer."});
}

}  // namespace doorbell::model
