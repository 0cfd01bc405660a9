// One machine: its NIC, its storage, the write-combining buffers of its cores and the cache lines they share.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/calendar.hpp"
#include "models/hardware.hpp"
#include "models/nic/rdma_nic.hpp"
#include "models/pcie/write_combining.hpp"
#include "models/programs/shared_line.hpp"
#include "models/scenario.hpp"
#include "models/storage/nvme_drive.hpp"

namespace doorbell::model {

class ProgramRequests;

class Machine {
 public:
  /// `beside`: threads that other software keeps active beside those of programs.
  Machine(core::Calendar& calendar, const MachineGroup& group, const Fabric& fabric, MessagePool& pool,
          std::uint32_t rank, int beside)
      : profile_{&group.hardware}, nic_{calendar, group.hardware, fabric, pool, rank}, active_cores_{beside} {
    const int drives = group.drives ? group.drives->count : 0;
    for (int i = 0; i < drives; ++i) {
      const core::Priority priority{rank + RdmaNic::ranks + static_cast<std::uint32_t>(i)};
      drives_.push_back(
          std::make_unique<NvmeDrive>(calendar, group.drives->hardware, group.hardware.root_complex, priority));
    }
  }
  /// Priorities that a machine of the group takes from `rank` on.
  [[nodiscard]] static std::uint32_t ranks(const MachineGroup& group) {
    return RdmaNic::ranks + static_cast<std::uint32_t>(group.drives ? group.drives->count : 0);
  }

  [[nodiscard]] const HardwareProfile& profile() const { return *profile_; }
  [[nodiscard]] RdmaNic& nic() { return nic_; }
  [[nodiscard]] std::vector<std::unique_ptr<NvmeDrive>>& drives() { return drives_; }
  /// The way of programs to its device on remote memory, once that is there.
  [[nodiscard]] ProgramRequests& remote_device() { return *remote_device_; }
  void set_remote_device(ProgramRequests& requests) { remote_device_ = &requests; }
  /// Gives a thread the next free core.
  [[nodiscard]] int take_core(bool active) {
    if (active) ++active_cores_;
    return next_core_++;
  }
  /// How much software is slowed down by the clock that all active cores together allow.
  [[nodiscard]] double clock_stretch() const { return model::clock_stretch(profile_->cpu, active_cores_); }
  /// Makes `pair` the machine's next queue pair, of `owner`.
  void open(QueuePair& pair, Endpoint& owner) {
    pair.id = next_queue_pair_++;
    pair.machine = this;
    pair.unit = &nic_.unit_of(pair.id);
    pair.owner = &owner;
  }
  [[nodiscard]] SharedLine& line(const std::string& name) {
    return lines_.try_emplace(name, profile_->shared_line).first->second;
  }
  [[nodiscard]] std::map<std::string, SharedLine>& lines() { return lines_; }

 private:
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
