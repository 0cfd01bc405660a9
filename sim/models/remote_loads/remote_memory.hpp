// One host that uses the memory of others through a block device, a swap space or a file system. Plain data, as
// scenario.hpp. Mechanisms and names follow RDMAbox (Bae et al. 2021, sections 4 to 7).
#pragma once

#include <cstdint>
#include <optional>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/fabric/fabric.hpp"
#include "models/hardware/hardware_profile.hpp"
#include "models/remote_memory/application.hpp"
#include "models/remote_memory/host_software.hpp"
#include "models/remote_memory/remote_access.hpp"

namespace doorbell::model {

/// Threads that read and write blocks and keep many in flight, as FIO does.
struct BlockLoad {
  int threads = 1;
  int depth = 1;
  Bytes size{4096};
  double read_share = 0;
  AccessOrder order = AccessOrder::sequential;
  bool in_handler = false;
};
template <class V> void describe(V& v, BlockLoad& s) {
  v.optional("threads", s.threads, {.doc = "Threads.", .min = 1, .max = 4096});
  v.optional("depth", s.depth, {.doc = "Requests that each keeps in flight.", .min = 1, .max = 65536});
  v.optional("size", s.size, {.doc = "Size of a request.", .min = 512, .max = 1 << 26});
  v.optional("read_share", s.read_share, {.doc = "Share of reads.", .min = 0, .max = 1});
  v.optional("order", s.order, {.doc = "Order of a thread's requests within its own part of the device."});
  v.optional(
      "in_handler", s.in_handler,
      {.doc = "The next request is issued by who takes the completion: a loop over verbs, without block layer."});
}

/// One process that reads or writes a file in user space.
struct FileLoad {
  Bytes record{4096};
  Bytes largest_request{131072};
  double read_share = 0;
  Bytes file{1LL << 28};
};
template <class V> void describe(V& v, FileLoad& s) {
  v.optional("record", s.record, {.doc = "Bytes of one read or write call.", .min = 512, .max = 1 << 28});
  v.optional(
      "largest_request", s.largest_request,
      {.doc = "Most bytes of a request to the file system's process (FUSE max_write).", .min = 4096, .max = 1 << 26});
  v.optional("read_share", s.read_share, {.doc = "Share of reads.", .min = 0, .max = 1});
  v.optional("file", s.file,
             {.doc = "Size of the file, which is spread over the machines.", .min = 4096, .max = 1LL << 40});
}

/// Who uses remote memory: one of these.
struct RemoteLoad {
  std::optional<BlockLoad> block;
  std::optional<PagingLoad> paging;
  std::optional<RecordLoad> records;
  std::optional<FileLoad> files;
};
template <class V> void describe(V& v, RemoteLoad& s) {
  v.optional("block", s.block, {.doc = "Load: threads on a block device."});
  v.optional("paging", s.paging, {.doc = "Load: an application that swaps, of which is known which pages it touches."});
  v.optional("records", s.records, {.doc = "Load: a store of records that swaps."});
  v.optional("files", s.files, {.doc = "Load: a file system in user space."});
}
/// How many of them there are.
[[nodiscard]] inline int count_loads(const RemoteLoad& load) {
  return (load.block ? 1 : 0) + (load.paging ? 1 : 0) + (load.records ? 1 : 0) + (load.files ? 1 : 0);
}

struct RemoteMemoryScenario : RemoteLoad {
  HardwareProfile hardware;
  HostSoftware software;
  Fabric fabric;
  RemoteAccess access;
  Named<RemoteLoad> beside;
  Time warmup = std::chrono::milliseconds{2};
  Time duration = std::chrono::milliseconds{10};
};
template <class V> void describe(V& v, RemoteMemoryScenario& s) {
  v.field("hardware", s.hardware, {.doc = "Hardware profile of all machines: the path of its file, or the profile."});
  v.field("software", s.software, {.doc = "Software profile of the host: the path of its file, or the profile."});
  v.optional("fabric", s.fabric,
             {.doc = "The switch between the machines: the path of its file, or the switch itself."});
  v.optional("access", s.access, {.doc = "How requests reach remote memory."});
  describe(v, static_cast<RemoteLoad&>(s));
  v.optional("beside", s.beside,
             {.doc = "Other loads on the same device, by name, each on a part of its own. What is measured is the one "
                     "above."});
  v.optional("warmup", s.warmup, {.doc = "Simulated time before measuring.", .min = 0, .max = 100});
  v.optional("duration", s.duration, {.doc = "Simulated time measured.", .min = 1e-6, .max = 1000});
}

/// The load if it is one under a memory limit.
[[nodiscard]] inline const Application* application_of(const RemoteLoad& load) {
  if (load.paging) return &*load.paging;
  return load.records ? &*load.records : nullptr;
}
/// Threads of the load.
[[nodiscard]] inline int load_threads(const RemoteLoad& load) {
  if (load.block) return load.block->threads;
  const Application* application = application_of(load);
  return application != nullptr ? application->threads : 1;
}

}  // namespace doorbell::model
