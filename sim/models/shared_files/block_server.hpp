// The server of shared disks: block requests of several machines through scheduler, disks, buses and NIC.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/process.hpp"
#include "core/signal.hpp"
#include "core/task.hpp"
#include "core/token_pool.hpp"
#include "models/common/result.hpp"
#include "models/fabric/fluid_network.hpp"
#include "models/shared_files/shared_files.hpp"
#include "models/shared_files/shared_files_routes.hpp"
#include "models/storage/cached_device.hpp"
#include "models/storage/disk.hpp"
#include "models/storage/disk_queue.hpp"
#include "models/storage/held_stage.hpp"
#include "models/storage/io_scheduler.hpp"

namespace doorbell::model {

/// Executes requests on the array of a storage server (Koukis 2010, sections 3.2, 4.2 and 5.4): data passes the
/// server's memory, with or without its page cache, or goes from the disks into the NIC's memory. Every disk has heads
/// of its own, so several requests are on the array at once.
class BlockServer {
 public:
  /// `resources` of the same network.
  BlockServer(core::Calendar& calendar, FluidNetwork& network, SharedFilesNetwork& resources,
              const SharedFilesScenario& scenario, std::uint64_t seed);

  /// A request of machine `node`, from its message to the last byte of the answer.
  core::Task<> read(int node, std::int64_t offset, Bytes size);
  core::Task<> write(int node, std::int64_t offset, Bytes size);

  /// Pages that are in the server's cache from the beginning.
  void preload(PageCache::Run run);
  /// Ends the warm-up.
  void measure();
  /// Draws the disks from now on.
  void trace(core::TraceWriter& writer);
  [[nodiscard]] double cpu_utilisation() const { return cpu_.in_use().mean(calendar_.now()); }
  /// Share of the time in which a disk has something to do, on average.
  [[nodiscard]] double disk_utilisation() const;
  /// What requests hold or wait for before they reach the disks and buses, innermost first.
  [[nodiscard]] std::vector<Utilisation> holders() const;
  struct Held {
    HeldTime array;   ///< By requests that it works on.
    HeldTime queued;  ///< And waiting for it, in the scheduler.
    HeldTime buffer;
    HeldTime worker;
    HeldTime request;  ///< Of a machine, with the waiting for a worker.
  };
  /// What requests that wait in the scheduler wait for: what those do that the array works on, or their turn.
  enum class Queueing { for_array, for_turns };
  /// What is held for what.
  [[nodiscard]] Held held(Queueing queueing) const;
  /// The share of the time in which a further request would find a disk that it needs at work.
  [[nodiscard]] double disks_taken() const;
  /// The share of the time in which the scheduler lets the array idle although requests wait.
  [[nodiscard]] double idles() const { return idles_.mean(calendar_.now()); }
  /// Whether the scheduler serves one process at a time.
  [[nodiscard]] bool takes_turns() const {
    return scenario_.disks.scheduler == IoScheduler::anticipatory || scenario_.disks.scheduler == IoScheduler::cfq;
  }
  /// The share of the time in which one that does so has somebody's turn.
  [[nodiscard]] double in_turn() const { return in_turn_.mean(calendar_.now()); }
  /// The share of the time in which one more request like the last one would find no buffer in the NIC.
  [[nodiscard]] double buffers_taken() const { return full_.mean(calendar_.now()); }
  /// Seeks of all disks.
  [[nodiscard]] std::uint64_t seeks() const;

 private:
  /// The array as the server's page cache uses it.
  class Disks final : public BlockDevice {
   public:
    explicit Disks(BlockServer& server) : server_{server} {}
    core::Task<> read(int process, std::int64_t offset, Bytes size) override {
      return server_.access(process, BlockOperation::read, offset, size);
    }
    core::Task<> write(int process, std::int64_t offset, Bytes size) override {
      return server_.access(process, BlockOperation::write, offset, size);
    }

   private:
    BlockServer& server_;
  };
  /// Where an access to the array stands.
  struct Access {
    explicit Access(core::Calendar& calendar) : change{calendar} {}
    core::Signal change;
    bool flows = false;  // the first data are on their way
    bool ended = false;
    Time added{0};
    Time end{0};
    Time idle_before{0};  // of the scheduler, when this was added
    HeldTime data;        // what passed while data were on their way
    Time data_from{0};
  };
  struct Piece {
    int disk = 0;
    std::int64_t position = 0;
    Bytes size;
  };
  /// How the time of a piece went by; that of a request is that of its last piece.
  struct Passed {
    Time heads{0};  // others had them
    HeldTime at_disk;
    HeldTime data;  // of that, since data have been flowing
    Time data_from{0};
  };

  [[nodiscard]] bool is_cached() const { return scenario_.disks.page_cache.count > 0; }
  core::Task<int> take_worker();
  void give_back(int worker);
  core::Task<> serve_from_memory(int worker, int node, std::int64_t offset, Bytes size);
  core::Task<> serve_past_memory(int worker, int node, std::int64_t offset, Bytes size);
  core::Task<> send(FluidNetwork::Route route, Bytes size, HeldTime& sum);
  core::Task<> use_cpu();
  /// The core is busy as long as it lasts.
  core::Task<> copy(Bytes size);
  core::Task<> read_and_send_together(int worker, int node, std::int64_t offset, Bytes size);
  /// Through the scheduler to the disks and back.
  core::Task<> access(int process, BlockOperation operation, std::int64_t offset, Bytes size);
  core::Task<> run(Access& access, int process, BlockOperation operation, std::int64_t offset, Bytes size);
  void dispatch();
  void end_idle_wait(std::uint64_t);
  core::Process execute(IoRequest request);
  core::Task<> move_piece(const IoRequest& request, Piece piece, Passed& last);
  void count_working(int change);
  [[nodiscard]] Time idle_until_now() const;
  void data_flows(const IoRequest& request);
  [[nodiscard]] std::vector<Piece> pieces_of(std::int64_t begin, std::int64_t end) const;

  core::Calendar& calendar_;
  FluidNetwork& network_;
  const SharedFilesScenario& scenario_;
  core::TokenPool cpu_;
  core::QueuedFifoServer nic_;
  core::TokenPool sram_;
  core::TokenPool workers_;
  std::deque<int> idle_workers_;
  IoSchedulerQueue scheduler_;
  core::TimeWeighted held_back_;  // 1 while requests wait in the scheduler
  core::TimeWeighted idles_;      // 1 while they do although the array has nothing to do
  core::TimeWeighted in_turn_;    // 1 while the array works, or idles on purpose
  core::TimeWeighted full_;       // 1 while one more request as the last one would find no room in the NIC
  Time idle_{0};                  // how long the array idled, and since when it does
  Time idle_since_{0};
  std::uint64_t next_tag_ = 0;
  std::unordered_map<std::uint64_t, Access*> accesses_;  // by tag
  bool idle_planned_ = false;

  std::vector<Disk> disks_;
  std::deque<DiskQueue> heads_;     // of each disk
  std::uint64_t seeks_before_ = 0;  // the measurement
  struct DiskRoutes {
    FluidNetwork::Route read = 0;
    FluidNetwork::Route write = 0;
  };
  std::vector<DiskRoutes> disk_routes_;
  struct NodeRoutes {
    FluidNetwork::Route read = 0;
    FluidNetwork::Route write = 0;
  };
  std::vector<NodeRoutes> node_routes_;
  FluidNetwork::Route copy_ = 0;

  struct Sums {
    HeldTime array;   // the last pieces at their disks, and commands
    HeldTime buffer;  // beyond its access to the array
    HeldTime worker;  // beyond its buffer, or its access
    Time heads{0};    // last pieces that waited for them
    Time queued{0};   // in the scheduler, while the array worked
    Time idle{0};     // and while it did not
    Time buffers{0};  // waited for
    Time workers{0};
    Time pages{0};  // and for write-back at the dirty limit
    Time latency{0};
    double accesses = 0;
    double pieces = 0;
  };
  Sums sums_;
  int working_ = 0;  // disks
  Time working_since_{0};
  std::vector<Time> working_for_;  // by how many disks work

  Disks array_;
  CachedDevice cache_;
  std::vector<CachedDevice::Reader> readers_;  // of each machine's connection
};

}  // namespace doorbell::model
