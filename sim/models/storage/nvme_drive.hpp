// An NVMe drive: it reads commands from memory, has its flash read or buffer the data, moves them, and writes
// completions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/calendar.hpp"
#include "core/fifo_server.hpp"
#include "core/latency_histogram.hpp"
#include "models/common/describe.hpp"
#include "models/pcie/host_dma.hpp"
#include "models/pcie/pcie_link.hpp"
#include "models/pcie/root_complex.hpp"
#include "models/storage/command_client.hpp"
#include "models/storage/flash.hpp"

namespace doorbell::model {

/// NVM Express Base Specification 1.4, sections 4.1 (queues), 4.2 (64 B commands) and 4.6 (16 B completions).
struct NvmeDriveParameters {
  static constexpr bool is_profile = true;
  PcieParameters pcie;
  Time command{0};
  Time latency{0};
  FlashParameters flash;
};
template <class V> void describe(V& v, NvmeDriveParameters& s) {
  v.field("pcie", s.pcie, {.doc = "PCI Express link of the drive."});
  v.field("command", s.command, {.doc = "From one command to the next in its controller.", .max = 1e-3});
  v.field("latency", s.latency, {.doc = "What else the controller takes for a command, beside others.", .max = 1e-3});
  v.field("flash", s.flash, {.doc = "Flash memory."});
}

/// What one command moves over the drive's link, beside the command itself.
struct DriveCommandCost {
  std::optional<DmaReadCost> from_host;  ///< The data of a write.
  std::optional<WriteCost> to_host;      ///< The data of a read.
  WriteCost completion;
};
[[nodiscard]] DriveCommandCost command_cost(const NvmeDriveParameters& drive, const RootComplexParameters& root_complex,
                                            Bytes size, bool write);
/// The read that brings so many commands.
[[nodiscard]] DmaReadCost commands_read(const NvmeDriveParameters& drive, const RootComplexParameters& root_complex,
                                        int commands);
/// What a doorbell takes of the link towards the drive.
[[nodiscard]] Time drive_doorbell(const NvmeDriveParameters& drive);

class NvmeDrive {
 public:
  NvmeDrive(core::Calendar& calendar, const NvmeDriveParameters& parameters, const RootComplexParameters& root_complex,
            core::Priority priority);
  NvmeDrive(const NvmeDrive&) = delete;
  NvmeDrive& operator=(const NvmeDrive&) = delete;

  struct Command {
    CommandClient* client = nullptr;
    void* tag = nullptr;  ///< For the client.
    const DriveCommandCost* cost = nullptr;
    Bytes size;
    std::uint64_t place = 0;  ///< Where in its flash, as Flash::read() wants it.
    Bytes programmed{0};      ///< What flash programs for a write.
  };
  /// A core writes a command into its submission queue.
  void add(const Command& command);
  /// It rings the doorbell now for all commands added since it last did; for none, it does not.
  void ring();

  [[nodiscard]] HostDma& link() { return link_; }
  [[nodiscard]] const core::FifoServer& controller() const { return controller_; }
  [[nodiscard]] Flash& flash() { return flash_; }
  [[nodiscard]] std::uint64_t reads() const { return reads_; }
  [[nodiscard]] std::uint64_t writes() const { return writes_; }
  /// From the doorbell until a core can see the completion.
  [[nodiscard]] const core::LatencyHistogram& latency() const { return latency_; }
  void measure(Time from, Time until);
  /// Draws controller and link from now on.
  void trace(core::TraceWriter& writer, std::string_view machine);

 private:
  static constexpr std::uint32_t none = ~0U;
  struct Slot {
    Command command;
    Time rung{0};
    std::uint32_t next = none;  // in the same call, or among those that are free
  };
  void rung(std::uint64_t first);
  void fetched(std::uint64_t first);
  void begin(std::uint64_t slot);
  void sensed(std::uint64_t slot);
  void arrived(std::uint64_t slot);
  void end(std::uint64_t slot);
  template <auto Member> [[nodiscard]] Continuation later(std::uint64_t slot) {
    return {[](void* self, std::uint64_t argument) { (static_cast<NvmeDrive*>(self)->*Member)(argument); }, this, slot};
  }

  core::Calendar& calendar_;
  core::Priority priority_;
  NvmeDriveParameters parameters_;
  RootComplexParameters root_complex_;
  Time doorbell_;
  HostDma link_;
  Flash flash_;
  core::FifoServer controller_;
  std::vector<Slot> slots_;
  std::uint32_t free_ = none;
  std::uint32_t first_added_ = none;
  std::uint32_t last_added_ = none;
  std::uint64_t reads_ = 0;
  std::uint64_t writes_ = 0;
  core::LatencyHistogram latency_;
};

}  // namespace doorbell::model
