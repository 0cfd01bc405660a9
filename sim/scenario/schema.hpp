// JSON Schemas for editors, made from the declarations that the reader itself uses.
#pragma once

#include <string>

namespace doorbell::scenario {

/// JSON Schema (draft 7) of a scenario file, with a line break at its end. It refers to hardware.json beside it.
[[nodiscard]] std::string scenario_schema();

/// JSON Schema of a hardware profile.
[[nodiscard]] std::string hardware_schema();

/// The same for files that describe a storage server; it refers to storage_server.json beside it.
[[nodiscard]] std::string storage_schema();

/// JSON Schema of the profile of a storage server.
[[nodiscard]] std::string storage_server_schema();

/// The same for files about a host that uses remote memory; it refers to hardware.json and software.json beside it.
[[nodiscard]] std::string remote_memory_schema();

/// JSON Schema of files about streams of data.
[[nodiscard]] std::string transfer_schema();

/// JSON Schema of files about shared files; it refers to storage_server.json and client_node.json beside it.
[[nodiscard]] std::string shared_files_schema();

/// JSON Schema of the profile of a machine that mounts them.
[[nodiscard]] std::string client_node_schema();

/// The same for the profile of an NVMe drive.
[[nodiscard]] std::string nvme_drive_schema();

/// JSON Schema of files about a device and its DMA; it refers to dma_machine.json beside it.
[[nodiscard]] std::string dma_schema();

/// JSON Schema of the profile of a host with such a device.
[[nodiscard]] std::string dma_machine_schema();

/// JSON Schema of a profile of a host's software.
[[nodiscard]] std::string software_schema();

/// The same for the profile of the network between machines.
[[nodiscard]] std::string fabric_schema();

}  // namespace doorbell::scenario
