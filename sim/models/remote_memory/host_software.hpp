// What an operating system's ways through block layer, interrupts, memory and files cost in CPU time.
#pragma once

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/remote_memory/ticket_lock.hpp"

namespace doorbell::model {

/// The way of a block request through the kernel, without the NIC.
struct BlockLayerParameters {
  Time submit{0};
  Time finish{0};
  Time reap{0};
  Time merge_check{0};
};
template <class V> void describe(V& v, BlockLayerParameters& s) {
  v.field("submit", s.submit, {.doc = "CPU time from the application's call to the driver, per request.", .max = 1e-3});
  v.field("finish", s.finish, {.doc = "CPU time to end a request in the driver's completion path.", .max = 1e-3});
  v.field("reap", s.reap, {.doc = "CPU time in which the application takes a finished request.", .max = 1e-3});
  v.field("merge_check", s.merge_check,
          {.doc = "CPU time to queue a request for merging, and again to take it.", .max = 1e-3});
}

/// Posting and completion as a driver or a library does them, beside what the WQE itself costs.
struct DriverParameters {
  Time post{0};
  Time poll{0};
  Time interrupt{0};
  Time interrupt_latency{0};
  Time wakeup{0};
  Time context_switch{0};
};
template <class V> void describe(V& v, DriverParameters& s) {
  v.field("post", s.post,
          {.doc = "CPU time of a posting call, beside its WQEs; the queue pair is locked.", .max = 1e-3});
  v.field("poll", s.poll, {.doc = "CPU time of one call that polls a completion queue.", .min = 1e-9, .max = 1e-3});
  v.field("interrupt", s.interrupt,
          {.doc = "CPU time of a completion interrupt, until its handler polls, and of arming the queue again.",
           .max = 1e-3});
  v.field("interrupt_latency", s.interrupt_latency,
          {.doc = "From the CQE to the handler's first instruction on an idle core.", .max = 1e-3});
  v.field("wakeup", s.wakeup, {.doc = "CPU time to make a sleeping thread runnable on another core.", .max = 1e-3});
  v.field("context_switch", s.context_switch, {.doc = "CPU time until a woken thread runs on.", .max = 1e-3});
}

/// CPU time until a sleeping thread that may run on does.
[[nodiscard]] inline Time time_to_wake(const DriverParameters& driver) { return driver.wakeup + driver.context_switch; }

/// The turns that threads take where more want to run than there are hardware threads, as Linux's CFS names them. The
/// three times of the scheduler are those of one CPU; with 2, 4, 8 and more CPUs it takes 2, 3 and 4 times as long
/// ones.
struct SchedulerParameters {
  Time latency{0};
  Time granularity{0};
  Time wakeup_granularity{0};
  Time tick{0};
};
template <class V> void describe(V& v, SchedulerParameters& s) {
  v.field("latency", s.latency,
          {.doc = "In which every thread that can run is to run once (sched_latency). With 2, 4, 8 and more CPUs 2, 3 "
                  "and 4 times as long, as are the next two. 0: no slices; a loop that polls runs all the time, the "
                  "more slowly the more threads there are.",
           .max = 1});
  v.field("granularity", s.granularity, {.doc = "The shortest slice (sched_min_granularity).", .max = 1});
  v.field("wakeup_granularity", s.wakeup_granularity,
          {.doc = "A thread that wakes up takes the CPU of one that has run so much longer than it.", .max = 1});
  v.field("tick", s.tick,
          {.doc = "How often the scheduler looks whether a slice is over (1/CONFIG_HZ).", .min = 1e-6, .max = 1});
}

/// Memory that the NIC is to reach: copied into a registered region, or registered where it lies.
struct MemoryParameters {
  Bandwidth copy;
  Time map{0};
  Time map_page{0};
  Time register_region{0};
  Time register_page{0};
  Time fault{0};
};
template <class V> void describe(V& v, MemoryParameters& s) {
  v.field("copy", s.copy, {.doc = "Rate of a copy by one core, pages resident.", .min = 1e6, .max = 1e12});
  v.field("map", s.map, {.doc = "CPU time to map and unmap physical memory for DMA, per request.", .max = 1e-3});
  v.field("map_page", s.map_page, {.doc = "The same, per page.", .max = 1e-3});
  v.field("register_region", s.register_region,
          {.doc = "CPU time to register and deregister virtual memory, per region.", .max = 1e-2});
  v.field("register_page", s.register_page, {.doc = "The same, per page.", .max = 1e-3});
  v.field("fault", s.fault, {.doc = "CPU time of a page fault, without I/O.", .max = 1e-3});
}

/// A file system in user space (FUSE).
struct UserFilesParameters {
  Time call{0};
  Time request{0};
  Bandwidth copy;
};
template <class V> void describe(V& v, UserFilesParameters& s) {
  v.field("call", s.call, {.doc = "CPU time of a system call on a file.", .max = 1e-3});
  v.field("request", s.request,
          {.doc = "CPU time of a request from the kernel to the file system's process and back, switches included.",
           .max = 1e-2});
  v.field("copy", s.copy,
          {.doc = "Rate at which data passes between application, kernel and that process.", .min = 1e6, .max = 1e12});
}

/// A process that answers for a machine's memory where requests are two-sided.
struct DaemonParameters {
  int threads = 1;
  Time work{0};
  Time delay{0};
};
template <class V> void describe(V& v, DaemonParameters& s) {
  v.optional("threads", s.threads, {.doc = "Threads, which share the queue pairs evenly.", .min = 1, .max = 256});
  v.optional("work", s.work, {.doc = "CPU time of a request beside copies and verbs.", .max = 1});
  v.optional("delay", s.delay,
             {.doc = "How long a request lies there while nobody works on it: until a sleeping thread runs, or its "
                     "file's completion is reported.",
              .max = 1});
}

struct HostSoftware {
  static constexpr bool is_profile = true;
  BlockLayerParameters block;
  DriverParameters driver;
  SchedulerParameters scheduler;
  MemoryParameters memory;
  LockParameters lock;
  UserFilesParameters user_files;
  DaemonParameters daemon;
};
template <class V> void describe(V& v, HostSoftware& s) {
  v.field("block", s.block, {.doc = "Block layer."});
  v.field("driver", s.driver, {.doc = "Driver or library of the NIC."});
  v.optional("scheduler", s.scheduler, {.doc = "Turns of threads; without it, loops that poll have none."});
  v.field("memory", s.memory, {.doc = "Copies, registration and page faults."});
  v.field("lock", s.lock, {.doc = "Spin locks."});
  v.field("user_files", s.user_files, {.doc = "File system in user space."});
  v.optional("daemon", s.daemon, {.doc = "Process that answers two-sided requests."});
}

}  // namespace doorbell::model
