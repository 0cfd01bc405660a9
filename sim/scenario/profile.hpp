// A profile by itself.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "models/dma/dma_scenario.hpp"
#include "models/fabric/fabric.hpp"
#include "models/hardware/hardware_profile.hpp"
#include "models/remote_memory/host_software.hpp"
#include "models/shared_files/shared_files.hpp"
#include "models/storage/nvme_drive.hpp"
#include "models/storage/storage.hpp"
#include "scenario/location.hpp"

namespace doorbell::scenario {

struct Profile {
  std::string title;
  model::HardwareProfile hardware;
  // Instead of hardware, when the file describes one of these.
  std::optional<model::StorageServer> storage_server;
  std::optional<model::HostSoftware> software;
  std::optional<model::ClientNode> client_node;
  std::optional<model::DmaMachine> dma_machine;
  std::optional<model::NvmeDriveParameters> nvme_drive;
  std::optional<model::Fabric> fabric;
};

/// Reads a profile with what it extends. Throws ScenarioError.
[[nodiscard]] Profile load_profile(const std::filesystem::path& file);
/// The same, of a file that another one names.
[[nodiscard]] Profile load_profile(const std::filesystem::path& file, const Location& from, const std::string& pointer);

/// Whether the file is meant as a profile (see file_kind.hpp). Throws ScenarioError when it is no JSON.
[[nodiscard]] bool is_profile(const std::filesystem::path& file);

}  // namespace doorbell::scenario
