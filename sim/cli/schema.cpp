// doorbell schema: the JSON Schemas that editors check files with.
#include "scenario/schema.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>

#include "cli/commands.hpp"
#include "cli/output.hpp"

namespace doorbell::cli {

void add_schema(CLI::App& app, Session& /*session*/) {
  auto* command = app.add_subcommand("schema", "Print the JSON Schema of scenario files or hardware profiles");
  const auto kind = std::make_shared<std::string>("scenario");
  using Schema = std::string (*)();
  static const std::map<std::string, Schema> schemas{{"scenario", scenario::scenario_schema},
                                                     {"hardware", scenario::hardware_schema},
                                                     {"storage", scenario::storage_schema},
                                                     {"storage_server", scenario::storage_server_schema},
                                                     {"remote_memory", scenario::remote_memory_schema},
                                                     {"transfers", scenario::transfer_schema},
                                                     {"shared_files", scenario::shared_files_schema},
                                                     {"client_node", scenario::client_node_schema},
                                                     {"dma", scenario::dma_schema},
                                                     {"dma_machine", scenario::dma_machine_schema},
                                                     {"nvme_drive", scenario::nvme_drive_schema},
                                                     {"software", scenario::software_schema},
                                                     {"fabric", scenario::fabric_schema}};
  command
      ->add_option("KIND", *kind,
                   "scenario (default), hardware, storage, storage_server, remote_memory, transfers, shared_files, "
                   "client_node, dma, dma_machine, nvme_drive, software or fabric")
      ->check(CLI::IsMember(schemas));
  command->callback([kind] { Output{std::nullopt}.write(schemas.at(*kind)()); });
}

}  // namespace doorbell::cli
