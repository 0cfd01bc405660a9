// A storage server and what is asked of it: buses, disks, a programmable NIC; block requests from clients. Plain data,
// as scenario.hpp. Set-ups and names follow the gmblock experiments (Koukis 2010, chapters 3 and 4).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "core/quantity.hpp"
#include "models/common/describe.hpp"

namespace doorbell::model {

/// Buses between devices, memory and processors; each is shared by everything that crosses it, in both directions
/// together.
struct BusParameters {
  Bandwidth pci;
  Bandwidth bridge;
  Bandwidth memory;
  Bandwidth front_side = {};

  [[nodiscard]] bool has_front_side() const { return front_side.bytes_per_second > 0; }
};
template <class V> void describe(V& v, BusParameters& s) {
  v.field("pci", s.pci, {.doc = "PCI or PCI-X bus that all devices sit on.", .min = 1e6, .max = 1e12});
  v.field("bridge", s.bridge, {.doc = "Host bridge or hub link between that bus and memory.", .min = 1e6, .max = 1e12});
  v.field("memory", s.memory, {.doc = "Memory bus, as mixed traffic can use it.", .min = 1e6, .max = 1e12});
  v.optional("front_side", s.front_side,
             {.doc = "Front-side bus between all processors and the memory controller: copies and computing cross it, "
                     "DMA does not. Left out, it limits nothing.",
              .min = 1e6,
              .max = 1e12});
}

struct ServerCpuParameters {
  Time request{0};
  Bandwidth copy;
  Bandwidth tcp;
};
template <class V> void describe(V& v, ServerCpuParameters& s) {
  v.field("request", s.request, {.doc = "CPU time of one block request through the kernel and back.", .max = 0.1});
  v.field("copy", s.copy, {.doc = "Rate of a memory copy.", .min = 1e6, .max = 1e12});
  v.field("tcp", s.tcp, {.doc = "Rate of TCP/IP processing without its copies.", .min = 1e6, .max = 1e12});
}

/// How a disk's heads come to the data, and what its buffer keeps.
struct DiskMechanics {
  Bytes capacity;
  Time track_seek{0};
  Time average_seek{0};
  Time revolution{0};
  int segments = 1;
  int queue_depth = 1;
  Bytes write_cache{};

  /// Least mean rotation before the data of a command, with the choice among those that the disk holds.
  [[nodiscard]] Time mean_rotation() const { return revolution / 2 / queue_depth; }
};
template <class V> void describe(V& v, DiskMechanics& s) {
  v.field("capacity", s.capacity, {.doc = "Capacity of a disk.", .min = 1 << 20, .max = 1LL << 50});
  v.field("track_seek", s.track_seek, {.doc = "Seek to the next track.", .max = 1});
  v.field("average_seek", s.average_seek, {.doc = "Seek between two places chosen at random.", .max = 1});
  v.field("revolution", s.revolution, {.doc = "Time of a revolution.", .max = 1});
  v.field("segments", s.segments, {.doc = "Streams that the buffer of a disk can hold.", .min = 1, .max = 1024});
  v.optional(
      "queue_depth", s.queue_depth,
      {.doc = "Commands that a disk holds and chooses from by their seeks and rotation (native command queueing; "
              "SATA 2: up to 32). With 1 it serves them in their order.",
       .min = 1,
       .max = 65536});
  v.optional(
      "write_cache", s.write_cache,
      {.doc = "Bytes that a disk takes before they are on the medium; a write is done when they are taken. 0 where "
              "writes must survive a loss of power. Of shared files and a host's own disk.",
       .min = 0,
       .max = 1 << 30});
}

/// Disks behind one controller, RAID level 0.
struct DiskArrayParameters {
  int disks = 0;
  Bytes chunk;
  Bandwidth media;
  Bandwidth interface;
  Bandwidth controller;
  Bytes read_ahead;
  Time command{0};
  Bandwidth fetch_from_memory;
  Bandwidth fetch_from_bus;
  int queue = 1;
  DiskMechanics mechanics;
};
template <class V> void describe(V& v, DiskArrayParameters& s) {
  v.field("disks", s.disks, {.doc = "Disks that share the data evenly.", .min = 1, .max = 1024});
  v.field("chunk", s.chunk, {.doc = "Consecutive bytes on one disk.", .min = 512, .max = 1 << 30});
  v.field("media", s.media, {.doc = "Sustained rate of one disk.", .min = 1e5, .max = 1e11});
  v.field("interface", s.interface, {.doc = "Rate at which a disk's buffer empties.", .min = 1e5, .max = 1e11});
  v.field("controller", s.controller, {.doc = "Rate at which the controller moves data.", .min = 1e5, .max = 1e12});
  v.field("read_ahead", s.read_ahead,
          {.doc = "Bytes a disk reads ahead of a sequential stream.", .min = 0, .max = 1 << 30});
  v.field("command", s.command, {.doc = "Time of controller and disks per request.", .max = 0.1});
  v.field("fetch_from_memory", s.fetch_from_memory,
          {.doc = "Rate at which the controller reads data to be written from memory.", .min = 1e5, .max = 1e12});
  v.field("fetch_from_bus", s.fetch_from_bus,
          {.doc = "The same from another card of its bus.", .min = 1e5, .max = 1e12});
  v.field("queue", s.queue,
          {.doc = "Requests that the controller of a cluster's server takes at a time.", .min = 1, .max = 1024});
  v.field("mechanics", s.mechanics, {.doc = "Seeks, rotation and buffer of a disk."});
}

/// A fast block device that moves data at the rate of its bus, segment by segment.
struct FastDeviceParameters {
  Time command{0};
  Bytes segment;

  /// For all segments of a request.
  [[nodiscard]] Time commands(Bytes request) const { return command * ceil_div(request, segment); }
};
template <class V> void describe(V& v, FastDeviceParameters& s) {
  v.field("command", s.command, {.doc = "Time of driver and firmware per segment of a request.", .max = 0.1});
  v.field("segment", s.segment,
          {.doc = "Largest DMA transfer; a longer request takes several.", .min = 512, .max = 1 << 30});
}

/// A NIC with a processor and memory of its own on the bus.
struct ProgrammableNicParameters {
  Bandwidth link;
  Bytes sram;
  Bytes packet;
  Time message{0};
  Bandwidth read_target;
  Time latency{0};
};
template <class V> void describe(V& v, ProgrammableNicParameters& s) {
  v.field("link", s.link, {.doc = "Rate from the NIC's memory into the network.", .min = 1e6, .max = 1e12});
  v.field("sram", s.sram, {.doc = "NIC memory that can hold message buffers.", .min = 4096, .max = 1LL << 40});
  v.field("packet", s.packet, {.doc = "Largest packet: the grain of synchronized sends.", .min = 64, .max = 1 << 20});
  v.field("message", s.message, {.doc = "Time of the NIC's processor per message.", .max = 0.1});
  v.field("read_target", s.read_target,
          {.doc = "Rate at which another card can read the NIC's memory.", .min = 1e5, .max = 1e12});
  v.field("latency", s.latency, {.doc = "One way through network and software, for a request or a reply.", .max = 0.1});
}

struct StorageServer {
  static constexpr bool is_profile = true;
  ServerCpuParameters cpu;
  BusParameters bus;
  DiskArrayParameters raid;
  FastDeviceParameters fast_device;
  ProgrammableNicParameters nic;
  Bandwidth bus_memory;
  double variation = 0;
};
template <class V> void describe(V& v, StorageServer& s) {
  v.field("cpu", s.cpu, {.doc = "Cores."});
  v.field("bus", s.bus, {.doc = "Shared buses."});
  v.field("raid", s.raid, {.doc = "Disks behind a RAID controller."});
  v.field("fast_device", s.fast_device, {.doc = "A block device as fast as the bus."});
  v.field("nic", s.nic, {.doc = "Programmable NIC."});
  v.field("bus_memory", s.bus_memory,
          {.doc = "Rate of a memory card on the bus, the buffer of the path pcimem.", .min = 1e6, .max = 1e12});
  v.field(
      "variation", s.variation,
      {.doc = "Coefficient of variation of the times of software and firmware (uniformly distributed), in a server by "
              "itself; those of a cluster are scattered by the seeks and rotation of its disks alone.",
       .min = 0,
       .max = 0.57});
}

enum class Medium { raid, fast_device, page_cache };
/// Where data rests between medium and network. `local_*`: nothing is sent.
enum class DataPath { ram, sram, pcimem, tcp, local_ram, local_sram, local_pcimem };
enum class BlockOperation { read, write };
/// `single`: the NIC sends a message while it arrives, in order; `multiple`: from every stream of the medium.
enum class SynchronizedSend { none, single, multiple };
enum class IoScheduler { noop, deadline, anticipatory, cfq };

template <> struct EnumNames<Medium> {
  static constexpr std::array<std::string_view, 3> values{"raid", "fast_device", "page_cache"};
};
template <> struct EnumNames<DataPath> {
  static constexpr std::array<std::string_view, 7> values{"ram",       "sram",       "pcimem",      "tcp",
                                                          "local_ram", "local_sram", "local_pcimem"};
};
template <> struct EnumNames<BlockOperation> {
  static constexpr std::array<std::string_view, 2> values{"read", "write"};
};
template <> struct EnumNames<SynchronizedSend> {
  static constexpr std::array<std::string_view, 3> values{"none", "single", "multiple"};
};
template <> struct EnumNames<IoScheduler> {
  static constexpr std::array<std::string_view, 4> values{"noop", "deadline", "anticipatory", "cfq"};
};

/// A process on another core of the server that computes and reads memory in turn.
struct ComputeProcess {
  double memory_share = 0;
};
template <class V> void describe(V& v, ComputeProcess& s) {
  v.field("memory_share", s.memory_share,
          {.doc = "Share of its time that it waits for memory when it runs alone.", .min = 0, .max = 1});
}

struct StorageScenario {
  std::string server_name;  ///< Title of the profile.
  StorageServer server;
  Medium medium = Medium::raid;
  DataPath path = DataPath::sram;
  BlockOperation operation = BlockOperation::read;
  Bytes request;
  int outstanding = 1;
  SynchronizedSend synchronized = SynchronizedSend::none;
  IoScheduler scheduler = IoScheduler::anticipatory;
  std::optional<ComputeProcess> compute;
  Time warmup = std::chrono::milliseconds{50};
  Time duration = std::chrono::seconds{1};
};
template <class V> void describe(V& v, StorageScenario& s) {
  v.field("hardware", s.server, {.doc = "Profile of the storage server: the path of its file, or the profile itself."});
  v.optional("medium", s.medium, {.doc = "What the blocks are on."});
  v.optional("path", s.path, {.doc = "Where data rests between medium and network; local_*: nothing is sent."});
  v.optional("operation", s.operation, {.doc = "Block operation."});
  v.field("request", s.request, {.doc = "Size of a request; requests are sequential.", .min = 512, .max = 1 << 30});
  v.optional("outstanding", s.outstanding, {.doc = "Requests that a client keeps in flight.", .min = 1, .max = 1024});
  v.optional("synchronized", s.synchronized,
             {.doc = "Sends that begin before the data is complete: in order, or from every stream of the medium."});
  v.optional("scheduler", s.scheduler, {.doc = "I/O scheduler, which orders the segments of a request."});
  v.optional("compute", s.compute, {.doc = "A process that needs memory as well."});
  v.optional("warmup", s.warmup, {.doc = "Simulated time before measuring.", .min = 0, .max = 100});
  v.optional("duration", s.duration, {.doc = "Simulated time measured.", .min = 1e-3, .max = 1000});
}

}  // namespace doorbell::model
