// What an administrator can set of the I/O schedulers of Linux 2.6. Plain data, as scenario.hpp.
#pragma once

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// Names and defaults are those of /sys/block/*/queue/iosched in Linux 2.6.28 (block/{deadline,as,cfq}-iosched.c), with
/// `antic_` and `slice_` before those that only the anticipatory scheduler and CFQ have.
struct IoSchedulerTunables {
  Time read_expire = std::chrono::milliseconds{500};
  Time write_expire = std::chrono::seconds{5};
  int fifo_batch = 16;
  int writes_starved = 2;
  Time antic_expire = std::chrono::microseconds{6700};
  Time antic_read_expire = std::chrono::milliseconds{125};
  Bytes antic_close{524288};
  Time slice_sync = std::chrono::milliseconds{100};
  Time slice_idle = std::chrono::milliseconds{8};
  int quantum = 4;
};
template <class V> void describe(V& v, IoSchedulerTunables& s) {
  v.optional("read_expire", s.read_expire,
             {.doc = "deadline, anticipatory: a read that has waited so long begins the next batch.", .max = 1000});
  v.optional("write_expire", s.write_expire, {.doc = "deadline, anticipatory: the same of a write.", .max = 1000});
  v.optional("fifo_batch", s.fifo_batch,
             {.doc = "deadline, anticipatory: requests of a batch.", .min = 1, .max = 65536});
  v.optional(
      "writes_starved", s.writes_starved,
      {.doc = "deadline, anticipatory: batches of reads before waiting writes get one.", .min = 1, .max = 65536});
  v.optional("antic_expire", s.antic_expire,
             {.doc = "anticipatory: after a read, longest idle wait for its process to ask again.", .max = 10});
  v.optional("antic_read_expire", s.antic_read_expire,
             {.doc = "anticipatory: a request that has waited so long goes before the process's own.", .max = 1000});
  v.optional("antic_close", s.antic_close,
             {.doc = "anticipatory: a request of another process so close above the heads ends the wait.",
              .min = 0,
              .max = 1LL << 40});
  v.optional("slice_sync", s.slice_sync, {.doc = "cfq: time slice of a process.", .min = 1e-6, .max = 1000});
  v.optional("slice_idle", s.slice_idle,
             {.doc = "cfq: longest idle wait for the process whose slice it is.", .max = 10});
  v.optional("quantum", s.quantum, {.doc = "cfq: requests at a time in the device.", .min = 1, .max = 65536});
}

}  // namespace doorbell::model
