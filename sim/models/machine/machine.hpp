// One machine: its NIC, its storage, the write-combining buffers of its cores and the cache lines they share.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/calendar.hpp"
#include "models/fabric/fabric.hpp"
#include "models/hardware/hardware_profile.hpp"
#include "models/machine/drive_group.hpp"
#include "models/machine/shared_line.hpp"
#include "models/nic/rdma_nic.hpp"
#include "models/pcie/write_combining.hpp"
#include "models/storage/nvme_drive.hpp"

namespace doorbell::model {

class ProgramRequests;

class Machine {
 public:
  /// `beside`: threads that other software keeps active beside those of programs.
  Machine(core::Calendar& calendar, const HardwareProfile& profile, const std::optional<DriveGroup>& drives,
          const Fabric& fabric, MessagePool& pool, std::uint32_t rank, int beside)
      : profile_{&profile}, nic_{calendar, profile, fabric, pool, rank}, active_cores_{beside} {
    for (int i = 0; i < count(drives); ++i) {
      const core::Priority priority{rank + RdmaNic::ranks + static_cast<std::uint32_t>(i)};
      drives_.push_back(std::make_unique<NvmeDrive>(calendar, drives->hardware, profile.root_complex, priority));
    }
  }
  /// Priorities that a machine with these drives takes from `rank` on.
  [[nodiscard]] static std::uint32_t ranks(const std::optional<DriveGroup>& drives) {
    return RdmaNic::ranks + static_cast<std::uint32_t>(count(drives));
  }

  [[nodiscard]] const HardwareProfile& profile() const { return *profile_; }
  [[nodiscard]] RdmaNic& nic() { return nic_; }
  [[nodiscard]] std::vector<std::unique_ptr<NvmeDrive>>& drives() { return drives_; }
  /// The way of programs to its device on remote memory, once that is there.
  [[nodiscard]] ProgramRequests& remote_device() { return *remote_device_; }
  void set_remote_device(ProgramRequests& requests) { remote_device_ = &requests; }
  /// Gives a thread the next free core; one that does nothing is on none.
  [[nodiscard]] int take_core(bool active) {
    if (!active) return 0;
    ++active_cores_;
    return next_core_++;
  }
  /// How much software is slowed down by the clock that all active cores together allow.
  [[nodiscard]] double clock_stretch() const { return model::clock_stretch(profile_->cpu, active_cores_); }
  /// Makes `pair` the machine's next queue pair, of `owner`.
  void open(QueuePair& pair, Endpoint& owner) {
    pair.id = next_queue_pair_++;
    pair.nic = &nic_;
    pair.unit = &nic_.unit_of(pair.id);
    pair.owner = &owner;
  }
  /// The same, as number `source` of the owner's, which use the ports in turn.
  void open(QueuePair& pair, Endpoint& owner, std::size_t source) {
    open(pair, owner);
    pair.source = source;
    pair.port = static_cast<int>(source) % profile_->port.ports;
  }
  [[nodiscard]] SharedLine& line(const std::string& name) {
    return lines_.try_emplace(name, profile_->shared_line).first->second;
  }
  [[nodiscard]] std::map<std::string, SharedLine>& lines() { return lines_; }

 private:
  [[nodiscard]] static int count(const std::optional<DriveGroup>& drives) { return drives ? drives->count : 0; }

  const HardwareProfile* profile_;
  RdmaNic nic_;
  std::vector<std::unique_ptr<NvmeDrive>> drives_;
  ProgramRequests* remote_device_ = nullptr;
  std::map<std::string, SharedLine> lines_;
  int next_core_ = 0;
  int active_cores_;
  std::uint32_t next_queue_pair_ = 0;
};

}  // namespace doorbell::model
