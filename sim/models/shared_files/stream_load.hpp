// Processes that go through files from their beginning, record by record.
#pragma once

#include <cstdint>

#include "core/process.hpp"
#include "models/common/load.hpp"
#include "models/shared_files/shared_file_system.hpp"

namespace doorbell::model {

/// As IOzone's read and write tests: all processes of all machines work on the same file, or on one each if there are
/// enough; at its end they begin anew.
class StreamLoadGenerator final : public Load {
 public:
  explicit StreamLoadGenerator(SharedFileSystem system) : system_{system}, load_{*system.scenario.stream} {}

  void start() override;

 private:
  core::Process run(int node, int process);

  SharedFileSystem system_;
  const StreamLoad& load_;
};

}  // namespace doorbell::model
