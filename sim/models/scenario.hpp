// One point to simulate: machines, programs that run on them, and what is measured. Plain data, complete and resolved;
// it knows nothing of files. sim/scenario makes it from JSON, sim/models runs it, sim/analytic adds it up.
#pragma once

#include <string>
#include <variant>

#include "models/dma/dma_scenario.hpp"
#include "models/fabric/transfers.hpp"
#include "models/programs/program_scenario.hpp"
#include "models/remote_loads/remote_memory.hpp"
#include "models/shared_files/shared_files.hpp"
#include "models/storage/storage.hpp"

namespace doorbell::model {

struct Scenario : ProgramScenario {
  std::string title;
  /// What it is about instead of machines and programs, if anything. Beside a load on remote memory programs may run.
  std::variant<std::monostate, StorageScenario, RemoteMemoryScenario, TransferScenario, SharedFilesScenario,
               DmaScenario>
      instead;

  /// Whether nothing but machines and programs is simulated.
  [[nodiscard]] bool is_about_programs() const { return std::holds_alternative<std::monostate>(instead); }
  /// Null when it is about something else.
  template <class About> [[nodiscard]] const About* find() const { return std::get_if<About>(&instead); }
  template <class About> [[nodiscard]] About* find() { return std::get_if<About>(&instead); }

  /// Whether a run needs a process of its own: SimGrid has one engine per process.
  [[nodiscard]] bool is_fluid() const {
    return find<StorageScenario>() != nullptr || find<TransferScenario>() != nullptr ||
           find<SharedFilesScenario>() != nullptr;
  }
};

}  // namespace doorbell::model
