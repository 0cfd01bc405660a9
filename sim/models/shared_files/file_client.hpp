// A machine that mounts the shared file system: its page cache, locks, block layer and driver.
#pragma once

#include <cstdint>

#include "core/calendar.hpp"
#include "core/task.hpp"
#include "core/token_pool.hpp"
#include "core/utilisation.hpp"
#include "models/fabric/fluid_network.hpp"
#include "models/shared_files/block_server.hpp"
#include "models/shared_files/lock_manager.hpp"
#include "models/shared_files/shared_files.hpp"
#include "models/storage/cached_device.hpp"

namespace doorbell::model {

/// One machine (Koukis 2010, sections 5.1 to 5.4). Files lie one after the other on the device.
class FileClient final : public BlockDevice {
 public:
  /// What a client's data crosses: shared by its copies and the NIC's DMA.
  struct Routes {
    FluidNetwork::Route copy = 0;           ///< From memory to memory; a copy is twice its bytes.
    FluidNetwork::Route copy_to_cache = 0;  ///< Into a buffer that stays in the core's cache.
  };
  FileClient(core::Calendar& calendar, FluidNetwork& network, const SharedFilesScenario& scenario, int node,
             Routes routes, BlockServer& server);

  /// One who has files open.
  [[nodiscard]] CachedDevice::Reader open(int process) const;
  /// A call that reads from, or writes to, `file`; ends when the data is in the caller's buffer, or accepted. `locks`
  /// are those of all machines.
  core::Task<> read(CachedDevice::Reader& reader, LockManager& locks, std::int64_t file, std::int64_t offset,
                    Bytes size);
  core::Task<> write(int process, LockManager& locks, std::int64_t file, std::int64_t offset, Bytes size);
  /// Any bytes of the device, past the page cache, in requests of limited size.
  core::Task<> transfer(BlockOperation operation, std::int64_t offset, Bytes size);
  /// Another machine wants the file for itself: its dirty pages are written back, and all of them forgotten.
  core::Task<> revoke(std::int64_t file);
  void preload(PageCache::Run run);

  // The device as the page cache and direct I/O use it.
  core::Task<> read(int /*process*/, std::int64_t offset, Bytes size) override {
    return request(BlockOperation::read, offset, size);
  }
  core::Task<> write(int /*process*/, std::int64_t offset, Bytes size) override {
    return request(BlockOperation::write, offset, size);
  }

  void reset_statistics() {
    cpu_.reset_statistics();
    paused_.reset(calendar_.now());
    depth_.reset_statistics();
    sums_ = {};
  }
  /// Beyond what the server does for its requests, what these and its processes take time for.
  struct Sums {
    HeldTime request;       ///< Beside registering memory.
    HeldTime registration;  ///< By the one who does.
    HeldTime process;
    Time registrations{0};  ///< Of others, waited for by requests.
    Time places{0};         ///< Likewise.
    Time pages{0};          ///< Waited for by processes, those at the dirty limit among them.
    Time locks{0};          ///< Waited for by processes.
  };
  [[nodiscard]] const Sums& sums() const { return sums_; }
  /// Share of the time in which requests wait because enough are in flight.
  [[nodiscard]] double share_of_waiting() const { return depth_.contended().mean(calendar_.now()); }
  /// Share of the requests that may be in flight that are, on average.
  [[nodiscard]] double share_in_use() const {
    return depth_.in_use().mean(calendar_.now()) / static_cast<double>(depth_.capacity());
  }
  [[nodiscard]] double cpu_utilisation() const {
    return cpu_.in_use().mean(calendar_.now()) / static_cast<double>(cpu_.capacity());
  }
  /// Share of the time in which the NIC is paused because memory is registered.
  [[nodiscard]] double registering() const { return paused_.mean(calendar_.now()); }

 private:
  core::Task<> use_cpu(HeldTime& held, Time time);
  /// A core is busy as long as its copy lasts.
  core::Task<> copy(HeldTime& held, FluidNetwork::Route route, Bytes size);
  core::Task<> read_cached(CachedDevice::Reader& reader, std::int64_t begin, Bytes size);
  core::Task<> write_cached(int process, std::int64_t file, std::int64_t offset, Bytes size);
  core::Task<> request(BlockOperation operation, std::int64_t offset, Bytes size);
  core::Task<> copy_to_user(Bytes size, Bytes buffer);
  core::Task<> move_data(Bytes size);
  core::Task<> register_region();
  [[nodiscard]] std::int64_t start_of(std::int64_t file) const;

  core::Calendar& calendar_;
  FluidNetwork& network_;
  const SharedFilesScenario& scenario_;
  int node_;
  Routes routes_;
  BlockServer& server_;
  core::TokenPool cpu_;
  core::TokenPool registration_;  // of one memory region after the other
  core::TimeWeighted paused_;     // 1 while the NIC is
  core::TokenPool depth_;
  CachedDevice cache_;
  Sums sums_;
};

}  // namespace doorbell::model
