// Machines that share the disks of one storage server through a cluster file system. Plain data, as scenario.hpp.
// Set-ups and names follow the gmblock experiments (Koukis 2010, chapter 5).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"
#include "models/storage/io_scheduler_tunables.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

/// A machine that mounts the file system.
struct ClientNode {
  static constexpr bool is_profile = true;
  BusParameters bus;
  Bandwidth link;
  int cores = 1;
  Bandwidth copy;
  Bytes cache_of_core;
  Time call{0};
  Time page{0};
  Time request{0};
  Time map_page{0};
  Time register_region{0};
};
template <class V> void describe(V& v, ClientNode& s) {
  v.field("bus", s.bus, {.doc = "Shared buses."});
  v.field("link", s.link, {.doc = "Rate of its NIC.", .min = 1e6, .max = 1e12});
  v.field("cores", s.cores, {.doc = "Cores.", .min = 1, .max = 4096});
  v.field(
      "copy", s.copy,
      {.doc = "Rate of a copy from memory to memory by one core, which is busy meanwhile.", .min = 1e6, .max = 1e12});
  v.field("cache_of_core", s.cache_of_core,
          {.doc = "Last-level cache of a core; a smaller buffer stays there while data is copied into it.",
           .min = 4096,
           .max = 1 << 30});
  v.field("call", s.call, {.doc = "CPU time of a read or write call, without its data.", .max = 0.1});
  v.field("page", s.page, {.doc = "CPU time per page of 4 KiB that a call finds in the page cache.", .max = 0.1});
  v.field("request", s.request, {.doc = "CPU time of a block request through kernel and driver.", .max = 0.1});
  v.field("map_page", s.map_page, {.doc = "movement mapping: CPU time per page to map and unmap it.", .max = 0.1});
  v.field("register_region", s.register_region,
          {.doc = "movement mapping: time to register and unregister memory, for which a core is busy and the NIC "
                  "paused: one request after the other.",
           .max = 0.1});
}

/// How the client's driver brings data to the pages of a request (Koukis 2010, section 5.1.2).
enum class Movement { scatter_gather, staging, mapping };
template <> struct EnumNames<Movement> {
  static constexpr std::array<std::string_view, 3> values{"scatter_gather", "staging", "mapping"};
};

/// How the machines use the file system.
struct Mount {
  int nodes = 1;
  bool direct = false;
  Bytes read_ahead{131072};
  Bytes page_cache{1LL << 30};
  double dirty_limit = 0.1;
  Bytes largest_request{524288};
  int depth = 1;
  Movement movement = Movement::scatter_gather;
  Time lock{0};
};
template <class V> void describe(V& v, Mount& s) {
  v.optional("nodes", s.nodes, {.doc = "Machines.", .min = 1, .max = 256});
  v.optional("direct", s.direct, {.doc = "Files are opened with O_DIRECT, past the machine's page cache."});
  v.optional("read_ahead", s.read_ahead,
             {.doc = "Most bytes read ahead of a stream; 0 B: it is read page by page.", .min = 0, .max = 1 << 28});
  v.optional("page_cache", s.page_cache, {.doc = "Memory for cached pages.", .min = 1 << 20, .max = 1LL << 42});
  v.optional("dirty_limit", s.dirty_limit,
             {.doc = "Share of the page cache that may be dirty or being written back before writers wait.",
              .min = 0.001,
              .max = 1});
  v.optional("largest_request", s.largest_request,
             {.doc = "Most bytes of a block request.", .min = 4096, .max = 1 << 28});
  v.optional("depth", s.depth, {.doc = "Block requests that a machine keeps in flight.", .min = 1, .max = 1024});
  v.optional("movement", s.movement, {.doc = "scatter_gather, staging (copy) or mapping (register)."});
  v.optional("lock", s.lock, {.doc = "Time of a message of the lock manager, there and back.", .max = 1});
}

/// How the server gives its disks to them.
struct DiskExport {
  DataPath path = DataPath::sram;
  SynchronizedSend synchronized = SynchronizedSend::none;
  IoScheduler scheduler = IoScheduler::anticipatory;
  IoSchedulerTunables tunables{};
  int workers = 4;
  Bytes page_cache{0};
  Bytes read_ahead{131072};
};
template <class V> void describe(V& v, DiskExport& s) {
  v.optional("path", s.path, {.doc = "ram or sram. Writes pass memory in either case."});
  v.optional("synchronized", s.synchronized,
             {.doc = "sram: none, or multiple for sends from every disk's stream while the data arrives."});
  v.optional("scheduler", s.scheduler, {.doc = "I/O scheduler of the server."});
  v.optional("tunables", s.tunables, {.doc = "Its settings; left out, the defaults of Linux 2.6."});
  v.optional("workers", s.workers, {.doc = "Requests that the server has in hand.", .min = 1, .max = 1024});
  v.optional("page_cache", s.page_cache,
             {.doc = "ram: memory for cached pages; 0 B: direct I/O.", .min = 0, .max = 1LL << 42});
  v.optional("read_ahead", s.read_ahead,
             {.doc = "Most bytes that the server reads ahead of a stream into its page cache; 0 B: page by page.",
              .min = 0,
              .max = 1 << 28});
}

struct FileSet {
  int count = 1;
  Bytes size;
};
template <class V> void describe(V& v, FileSet& s) {
  v.optional("count", s.count, {.doc = "Files, one after the other on the disks.", .min = 1, .max = 1 << 24});
  v.field("size", s.size, {.doc = "Size of each.", .min = 4096, .max = 1LL << 42});
}

/// Processes that go through a file from its beginning, record by record, as IOzone does.
struct StreamLoad {
  int processes = 1;
  Bytes record{65536};
  BlockOperation operation = BlockOperation::read;
  bool again = false;
  Time stagger{0};
};
template <class V> void describe(V& v, StreamLoad& s) {
  v.optional("processes", s.processes, {.doc = "Processes on each machine.", .min = 1, .max = 1024});
  v.optional("record", s.record, {.doc = "Bytes of a call.", .min = 4096, .max = 1 << 28});
  v.optional("operation", s.operation, {.doc = "read or write."});
  v.optional("again", s.again,
             {.doc = "The file has been read before, once to its end: what fits is in the page caches."});
  v.optional("stagger", s.stagger,
             {.doc = "Time from the start of a machine's processes to the next one's.", .max = 10});
}

/// Processes that read whole files, chosen at random.
struct WebLoad {
  int processes = 1;
  Bytes record{65536};
  bool again = false;
};
template <class V> void describe(V& v, WebLoad& s) {
  v.optional("processes", s.processes, {.doc = "Processes on each machine.", .min = 1, .max = 1024});
  v.optional("record", s.record, {.doc = "Bytes of a call.", .min = 4096, .max = 1 << 28});
  v.optional("again", s.again, {.doc = "All files have been read before: what fits is in the page caches."});
}

/// Processes that each read one tile of a picture, row by row, once (MPI-Tile-IO).
struct TileLoad {
  int columns = 1;
  int rows = 1;
  int width = 1;
  int height = 1;
  Bytes element{32};
  Bytes sieve{0};
};
template <class V> void describe(V& v, TileLoad& s) {
  v.field("columns", s.columns, {.doc = "Tiles side by side.", .min = 1, .max = 1024});
  v.field("rows", s.rows, {.doc = "Tiles on top of one another; a process for each tile.", .min = 1, .max = 1024});
  v.field("width", s.width, {.doc = "Elements in a row of a tile.", .min = 1, .max = 1 << 20});
  v.field("height", s.height, {.doc = "Rows of a tile.", .min = 1, .max = 1 << 20});
  v.optional("element", s.element, {.doc = "Size of an element.", .min = 1, .max = 1 << 20});
  v.optional("sieve", s.sieve,
             {.doc = "Data sieving: bytes read at a time, with the gaps between a tile's rows; 0 B: row by row.",
              .min = 0,
              .max = 1 << 28});
}

/// One request of a recorded trace.
struct TraceRequest {
  Time when{0};
  BlockOperation operation = BlockOperation::read;
  Bytes offset;
  Bytes size;
};

/// Requests as a program or the kernel recorded them.
struct TraceLoad {
  std::string file;
  bool at_recorded_times = true;
  std::vector<TraceRequest> requests;  // what the file says; not described
};
template <class V> void describe(V& v, TraceLoad& s) {
  v.field("file", s.file, {.doc = "fio's iolog (version 2 or 3) or the text of blkparse, relative to the scenario."});
  v.optional("at_recorded_times", s.at_recorded_times,
             {.doc = "Requests start when the trace says; otherwise each when the one before has ended."});
}

struct SharedFilesScenario {
  StorageServer server;
  ClientNode node;
  Mount mount;
  DiskExport disks;
  FileSet files;
  std::optional<StreamLoad> stream;
  std::optional<WebLoad> web;
  std::optional<TileLoad> tiles;
  std::optional<TraceLoad> trace;
  Time warmup = std::chrono::milliseconds{100};
  Time duration = std::chrono::seconds{1};
};
template <class V> void describe(V& v, SharedFilesScenario& s) {
  v.field("hardware", s.server, {.doc = "Profile of the storage server: the path of its file, or the profile itself."});
  v.field("node", s.node, {.doc = "Profile of the machines that mount the file system: likewise."});
  v.optional("mount", s.mount, {.doc = "How they use it."});
  v.optional("export", s.disks, {.doc = "How the server gives its disks to them."});
  v.field("files", s.files, {.doc = "The files."});
  v.optional("stream", s.stream, {.doc = "Load: a file from its beginning, record by record."});
  v.optional("web", s.web, {.doc = "Load: whole files at random."});
  v.optional("tiles", s.tiles, {.doc = "Load: tiles of a picture; the run ends with the last one."});
  v.optional("trace", s.trace, {.doc = "Load: a recorded trace; the run ends with its last request."});
  v.optional("warmup", s.warmup, {.doc = "Simulated time before measuring.", .min = 0, .max = 100});
  v.optional("duration", s.duration,
             {.doc = "Simulated time measured; tiles and traces end by themselves.", .min = 1e-3, .max = 1000});
}

}  // namespace doorbell::model
